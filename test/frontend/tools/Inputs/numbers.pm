const scale = 2.0
param a in (0, 10] = 0.5  "a number"
assert a < 9, "a = {} is not below 9", a
print "a = {}", scale * a
output doubled = scale * a
