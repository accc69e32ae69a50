// More particle blocks than blocks of threads on a GPU of one processor, some of which stick out; tiles smaller than the mesh, as large as it,
// and full to the last cell; particles that leave them.
dim x = 24, y = 20, z = 40 over 1
let move = for d in (0, 1, 2) => 0.3 * white_noise[x, y, z](1 + d)
output density = paint[x, y, z](move)
