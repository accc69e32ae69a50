// RUN: not %pmc --emit=pm %s 2>&1 | FileCheck %s
// Dense matrices over dims: which dims they have.
dim i = 4, j = 4, m = 6, k = 3, x = 8
let a = white_noise[x, i, j](1)
let b = white_noise[x, i](2)
// CHECK: :[[#@LINE+1]]:16: error: 'lapack' has no function "solv"; did you mean 'solve'?
let c = lapack("solv", a, i, j, b = b)
// CHECK: :[[#@LINE+1]]:16: error: 'lapack' requires the name of a function, not int
let d = lapack(3, a, i, j)
// CHECK: :[[#@LINE+1]]:28: error: a matrix requires a field, not f64
let e = lapack("cholesky", 3.0, i, j)
// CHECK: :[[#@LINE+1]]:9: error: 'lapack' of "solve" requires 'b'
let f = lapack("solve", a, i, j)
// CHECK: :[[#@LINE+1]]:9: error: 'lapack' of "eigh" has no 'b'
let g = lapack("eigh", a, i, j, b = b)
// CHECK: :[[#@LINE+1]]:9: error: 'lapack' of "svd" requires 'kept'
let h = lapack("svd", a, i, j)
// CHECK: :[[#@LINE+1]]:9: error: 'lapack' of "eigh" has no 'kept'
let l = lapack("eigh", a, i, j, k)
// CHECK: :[[#@LINE+1]]:31: error: the matrix has no dim 'm'; its dims are [x, i, j]
let n = lapack("cholesky", a, m, j)
// CHECK: :[[#@LINE+1]]:34: error: the rows and the columns of a matrix are two dims, not 'i' twice
let o = lapack("cholesky", a, i, i)
// CHECK: :[[#@LINE+1]]:31: error: the rows and the columns of a matrix are one dim each, not 2
let p = lapack("cholesky", a, (i, j), j)
// CHECK: :[[#@LINE+1]]:27: error: the matrix is not square: 'x' has 8 cells and 'i' 4
let q = lapack("log_det", a, x, i)
// CHECK: :[[#@LINE+1]]:39: error: the matrix has 4 singular values, but 'k' has 3 cells
let r = lapack("svd", a, i, j, kept = k)
// CHECK: :[[#@LINE+1]]:39: error: the matrix has the dim 'x' already
let s = lapack("svd", a, i, j, kept = x)
// CHECK: :[[#@LINE+1]]:38: error: the right-hand side has no dim 'i'; its dims are [x]
let t = lapack("solve", a, i, j, b = slice(b, i = 0))
// CHECK: :[[#@LINE+1]]:38: error: the right-hand side has the dim 'j' of the unknowns; give it another one
let u = lapack("solve", a, i, j, b = a)
// CHECK: :[[#@LINE+1]]:24: error: a batch of matrices has space dims, but 'kx' is a Fourier dim
let y = lapack("eigh", fft(a + 0i, over = x), i, j)
// CHECK: :[[#@LINE+1]]:38: error: 'kx' is a Fourier dim
let z = lapack("solve", a, i, j, b = fft(a + 0i, over = x)[j = 0])
// CHECK: :[[#@LINE+1]]:29: error: the logarithm of a determinant requires a pure number, not field[x, i, j] in km
let v = lapack("log_det", a * 1 km, i, j)
// CHECK: :[[#@LINE+1]]:28: error: 'lapack' works on whole fields and cannot be inside of a map
let w = map q in [x, i] => lapack("log_det", a, i, j)
// CHECK: :[[#@LINE+1]]:31: error: the unit {{.*}} of the matrix has no square root
let aa = lapack("cholesky", a * (1 km)^(1/6), i, j)
