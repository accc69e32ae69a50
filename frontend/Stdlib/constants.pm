// Physical constants with units. Exact values are those of SI 2019, and measured ones those of
// CODATA 2022 (Tiesinga et al. 2024). The Sun's values are the nominal ones of IAU 2015 B3, and the
// parsec is that of IAU 2015 B2.
//
// Moles are pure numbers. The units of length km and Mpc are independent: `1e6 * parsec` is a
// megaparsec as a metric length.

const c = 299792458 m/s                               // speed of light
const h = 6.62607015e-34 J*s                          // Planck constant
const hbar = h / (2 * pi)                             // reduced Planck constant
const e = 1.602176634e-19 C                           // elementary charge
const k_B = 1.380649e-23 J/K                          // Boltzmann constant
const N_A = 6.02214076e23                             // Avogadro constant
const R_gas = N_A * k_B                               // gas constant, per mole
const sigma_SB = 2 * pi^5 * k_B^4 / (15 * h^3 * c^2)  // Stefan-Boltzmann constant
const G = 6.67430e-11 m^3/kg/s^2                      // gravitational constant
const m_e = 9.1093837139e-31 kg                       // mass of the electron
const m_p = 1.67262192595e-27 kg                      // mass of the proton
const m_n = 1.67492750056e-27 kg                      // mass of the neutron
const m_u = 1.66053906892e-27 kg                      // atomic mass constant
const epsilon_0 = 8.8541878188e-12 C/V/m              // vacuum permittivity
const mu_0 = 1.25663706127e-6 N/A^2                   // vacuum permeability
const alpha = 7.2973525643e-3                         // fine-structure constant
const a_0 = 5.29177210544e-11 m                       // Bohr radius
const sigma_T = 6.6524587051e-29 m^2                  // Thomson cross section
const gamma_p = 2.6752218708e8 Hz/T                   // gyromagnetic ratio of the proton, in rad/(s T)
const au = 149597870700 m                             // astronomical unit
const parsec = 648000 / pi * au                       // parsec, as a metric length
const GM_sun = 1.3271244e20 m^3/s^2                   // nominal G times the mass of the Sun
const M_sun = GM_sun / G                              // mass of the Sun in kg
const L_sun = 3.828e26 J/s                            // nominal luminosity of the Sun
const R_sun = 6.957e8 m                               // nominal radius of the Sun
const G_sun = GM_sun / parsec * 1 pc/Msun             // gravitational constant for masses in Msun and lengths in Mpc
