// RUN: pm-opt %s --pm-lower --split-input-file --verify-diagnostics

pm.mesh @ranks axes = ["row"] extents = [2]
func.func @main() {
  %one = arith.constant 1.0 : f64
  %part = builtin.unrealized_conversion_cast %one : f64 to !pm.partial<f64, sum over [col]>
  // expected-error@+1 {{names the mesh axis 'col', expected one that the module's pm.mesh declares}}
  %m = pm.all_reduce sum over ["col"] (%part) : f64
  pm.print "{}"(%m)
  return
}
