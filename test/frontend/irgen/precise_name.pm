// RUN: %pmc --emit=pm %s | FileCheck %s
// 'precise' is a name where a variable is called so.
param precise = true
// CHECK: scf.if
// CHECK: pm.print "yes"
if precise { print "yes" }
