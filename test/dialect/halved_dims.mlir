// A transform back is real whichever of its dims is halved.
// RUN: pm-opt %s | FileCheck %s

func.func @first(%a: !pm.field<[x=8, y=4], f32>) {
  %kx = pm.fft %a over ["x"] : !pm.field<[x=8, y=4], f32> -> !pm.field<[kx=half(8), y=4], complex<f32>>
  %kxy = pm.fft %kx over ["y"] : !pm.field<[kx=half(8), y=4], complex<f32>> -> !pm.field<[kx=half(8), ky=dual(4)], complex<f32>>
  // CHECK: pm.ifft %{{.*}} over ["x", "y"] : !pm.field<[kx=half(8), ky=dual(4)], complex<f32>> -> !pm.field<[x=8, y=4], f32>
  %halved = pm.ifft %kxy over ["x", "y"] : !pm.field<[kx=half(8), ky=dual(4)], complex<f32>> -> !pm.field<[x=8, y=4], f32>
  return
}
