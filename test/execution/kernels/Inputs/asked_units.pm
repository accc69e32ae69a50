// Columns, plots, tables and files in units that the user asks for or that files have.
const n = 16
dim x = n, y = n over 8 um
dim u = n over 10 deg
mesh m(row = 1, col = 1)
layout x -> row, y -> col

input flow: field[x, y] in nm/ms
input rate: table(time in ms, speed in mm/s)
param shown = false

let f = flow * 1
let line = f[y = 3]
let time = map q in [x] => 3 ms * (1 + index(q, x))
let speed = map q in [x] => interpolate(rate, 3 ms * (1 + index(q, x)))
output curve (time in us, speed in cm/s, ratio) = (time, speed, line / (2 um/s))
output again (t in us) = time
output inverse (t in 1/ms, v in 1/um*s) = (1 / time, 1 / (speed + 1 m/s))
let defined = 2 * curve_sum(speed)
fn curve_sum(s) = sum(s)
output total (sum in mm/s, twice) = (curve_sum(speed), defined)
output same (a in mm/s, b in mm/s) = (speed, line)
output written = flow

plot pictures = f in mm/s xunit nm yunit cm crange -1 um/s .. 2 um/s title "map"
plot lines = (time, speed) in cm/s xunit us xrange 6 ms .. 40 ms points 2 speed band (speed, 2 speed)
plot over = line in nm/s xunit mm xrange 1 um .. 6 um
plot counts = f histogram xunit m/s
plot levels = f in km/s contours 2 f in mm/s
plot panels = (f, speed) in mm/s xunit nm
plot kilometers = (line * (1 s), line) xunit km yunit m/s
plot angle = (map q in [u] => index(q, u)^2 * 1 km) xunit arcmin xrange 1 deg .. 5 deg
