// A module of the tests.
use sizes
const sides = 4
fn area(a) = a * a
fn common(a) = a + scale_of(a)
fn broken(a) = a + missing
