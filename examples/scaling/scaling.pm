// Draws what examples/scaling/scaling has predicted: curves over the number of ranks, one a size.

const points: int in [2, 64] = 14  "numbers of ranks"

dim point = points

input ranks: field[point]   "how many"
input n1024: field[point]   "a number for each, 1024 particles a side"
input n4096: field[point]   "4096 a side"
input n20480: field[point]  "20480 a side"

plot curves = (ranks, n1024, n4096, n20480) scale log title "Time of a step of nbody" xlabel "ranks" ylabel "time of a step [ms]" labels ("1024³", "4096³", "20480³")
