// RUN: pm-opt %s -split-input-file -verify-diagnostics

// expected-error@+1 {{dim 'x' has extent 0, expected at least 1}}
func.func private @extent(!pm.field<[x=0], f32>)

// -----

// expected-error@+1 {{dim 'x' has extent 7, which its factor 2 does not divide}}
func.func private @factor(!pm.field<[x*2=7], f32>)

// -----

// expected-error@+1 {{dim 'x' has extent 8, which its factor 0 does not divide}}
func.func private @no_factor(!pm.field<[x*0=8], f32>)

// -----

// expected-error@+1 {{dim 'x' has extent 8, which its factor -1 does not divide}}
func.func private @no_divisor(!pm.field<[x/1=8], f32>)

// -----

// expected-error@+1 {{the dual of a dim is called k and its name, not 'x'}}
func.func private @dual(!pm.field<[x=dual(8)], complex<f32>>)

// -----

// expected-error@+1 {{mesh axis 'row' splits dim 'x' twice}}
func.func private @axis(!pm.field<[x=8 on(row,row)], f32>)

// -----

// expected-error@+1 {{a dim needs a name}}
func.func private @name(!pm.field<[""=8], f32>)

// -----

// expected-error@+1 {{a field has 1 to 16 dims, not 0}}
func.func private @none(!pm.field<[], f32>)

// -----

// expected-error@+1 {{a field has 1 to 12 dims, not 13}}
func.func private @many(!pm.buffer<[a=1, b=1, c=1, d=1, e=1, f=1, g=1, h=1, i=1, j=1, k=1, l=1, m=1], f32>)

// -----

// expected-error@+1 {{dim 'x' occurs twice}}
func.func private @twice(!pm.field<[x=8, y=8, x=8], f32>)

// -----

// expected-error@+1 {{mesh axis 'row' splits two dims}}
func.func private @split(!pm.field<[x=8 on(row), y=8 on(row)], f32>)

// -----

// expected-error@+1 {{a field has at most one half dim, not 2}}
func.func private @halves(!pm.field<[kx=half(8), ky=half(8)], complex<f32>>)

// -----

// expected-error@+1 {{a field's element is f32, f64, complex of these, bf16, f16, i1 or i64, not 'i32'}}
func.func private @element(!pm.field<[x=8], i32>)

// -----

// expected-error@+1 {{a field's element is f32, f64, complex of these, bf16, f16, i1 or i64, not 'complex<f16>'}}
func.func private @complex(!pm.field<[x=8], complex<f16>>)

// -----

// expected-error@+1 {{a field or a halo is in flight, not '!pm.table'}}
func.func private @about(!pm.in_flight<!pm.table>)

// -----

// expected-error@+1 {{a number of f64, a field or a halo is partial, not 'f32'}}
func.func private @about(!pm.partial<f32, sum over [row]>)

// -----

// expected-error@+1 {{a partial value has at least one mesh axis}}
func.func private @about(!pm.partial<f64, sum over []>)

// -----

// expected-error@+1 {{names axis "row" twice}}
func.func private @about(!pm.partial<f64, sum over [row, col, row]>)

// -----

// expected-error@+1 {{is reduced by 'mean', expected sum, min or max}}
func.func private @about(!pm.partial<f64, mean over [row]>)
