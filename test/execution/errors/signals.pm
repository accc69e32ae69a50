// RUN: %pmc %s -O1 -o %t
// RUN: %python %S/signals.py %t %t.out
// SIGTERM and SIGINT end loops over numbers, which call nothing: on the host, nested, in a map, on several ranks. And a
// pipe as an input is refused at once, without waiting for somebody to write.

param which: int = 0
input curve: table optional
dim x = 64
mesh ranks(row = 1)
layout x -> row

let noise = white_noise[x](1)
print "begins"
let endless = if which == 1 then (loop s = 1.0 while s > 0 => 1 / s) else 0
let long = if which == 2 then (loop s = 1.0 for i in 0 .. 1000000000000000 => 1 / (s + i)) else 0
let nested = if which == 3 then (loop s = 1.0 for i in 0 .. 100000000 =>
  (loop t = s for j in 0 .. 1000000000 => 1 / (t + i * j))) else 0
let mapped = if which == 4 then sum(map q in noise => (loop s = 1.0 while s > 0 => 1 / (s + noise^2))) else 0
let read = if given(curve) then interpolate(curve, 0.5) else 0
print "{} {} {} {} {}", endless, long, nested, mapped, read
