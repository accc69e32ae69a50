// RUN: not %pmc --emit=pm -I %S/../Inputs %s 2>&1 | FileCheck %s
// Modules that are not there, or no libraries.
// CHECK: :[[#@LINE+3]]:5: error: there is no module 'shaps'; did you mean 'shapes'?
// CHECK: :[[#@LINE+2]]:12: error: there is no module 'nothing_like_it'
// CHECK: error: a module that others use has only functions and constants
use shaps, nothing_like_it
use program
let a = 1
