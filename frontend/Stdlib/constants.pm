// Physical constants: SI 2019 (exact), CODATA 2022 (Tiesinga et al. 2024), nominal solar values of IAU 2015 B3, and the
// parsec of IAU 2015 B2. Moles are pure numbers.

const c = 299792458 m/s                               // speed of light
const h = 6.62607015e-34 J*s                          // Planck
const hbar = h / (2 * pi)
const e = 1.602176634e-19 C                           // elementary charge
const k_B = 1.380649e-23 J/K                          // Boltzmann
const N_A = 6.02214076e23                             // Avogadro
const R_gas = N_A * k_B                               // per mole
const sigma_SB = 2 * pi^5 * k_B^4 / (15 * h^3 * c^2)  // Stefan and Boltzmann
const G = 6.67430e-11 m^3/kg/s^2                      // gravitation
const m_e = 9.1093837139e-31 kg                       // electron
const m_p = 1.67262192595e-27 kg                      // proton
const m_n = 1.67492750056e-27 kg                      // neutron
const m_u = 1.66053906892e-27 kg                      // atomic mass
const epsilon_0 = 8.8541878188e-12 C/V/m              // vacuum permittivity
const mu_0 = 1.25663706127e-6 N/A^2                   // vacuum permeability
const alpha = 7.2973525643e-3                         // fine structure
const a_0 = 5.29177210544e-11 m                       // Bohr radius
const sigma_T = 6.6524587051e-29 m^2                  // Thomson
const gamma_p = 2.6752218708e8 Hz/T                   // gyromagnetic ratio of the proton, in radians
const au = 149597870700 m                             // astronomical unit
const parsec = 648000 / pi * au
const GM_sun = 1.3271244e20 m^3/s^2                   // nominal
const M_sun = GM_sun / G                              // in kg
const L_sun = 3.828e26 J/s                            // nominal
const R_sun = 6.957e8 m                               // nominal
const G_sun = GM_sun / parsec * 1 pc/Msun             // gravitation, for masses in Msun and lengths in Mpc
