// RUN: %pmc %s -o %t && %t --out %t.out --quiet --profile %t.json && FileCheck %s < %t.json
// RUN: not %t --out %t.out --quiet --width=1e-60 2>&1 | FileCheck --check-prefix=ERROR %s
// The profile names the line of the spec that does the work, not the outermost call, and the library's line in it;
// messages tell the spec's line alone.
use fields
param width: length = 3 Mpc/h
dim x = 8, y = 8, z = 8 over 100 Mpc/h
fn prepare(f) {
  let scaled = 2 f
  smooth(scaled, width)
}
fn steps(f) {
  let first = prepare(f)
  let mesh = paint(for d in (x, y, z) => first * 1 Mpc/h)
  fft(mesh)
}
output power = norm2(steps(white_noise[x, y, z](1)))
output bad = 1 / width^8 * 1 (Mpc/h)^8 + zeros[x, y, z]
// CHECK-DAG: "spectral_filter{{.*}}profile_lines.pm:10:3 (fields.pm:{{[0-9]+}})"
// CHECK-DAG: "paint{{.*}}profile_lines.pm:14:14"
// CHECK-DAG: "fft{{.*}}profile_lines.pm:15:3"
// ERROR: profile_lines.pm:18:1: error:
// ERROR-NOT: (
