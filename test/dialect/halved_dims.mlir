// A transform back along a halved dim is real, also if that dim is not the last one of the field.
// RUN: pm-opt %s | FileCheck %s

func.func @first(%a: !pm.field<[x=8, y=4], f32>) {
  %kx = pm.fft %a over ["x"] : !pm.field<[x=8, y=4], f32> -> !pm.field<[kx=half(8), y=4], complex<f32>>
  // CHECK: pm.ifft %{{.*}} over ["x"] : !pm.field<[kx=half(8), y=4], complex<f32>> -> !pm.field<[x=8, y=4], f32>
  %back = pm.ifft %kx over ["x"] : !pm.field<[kx=half(8), y=4], complex<f32>> -> !pm.field<[x=8, y=4], f32>
  return
}
