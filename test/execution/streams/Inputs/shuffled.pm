use optim
param n: int = 10
param seed: u64 = 1
dim place = 4000
output order = map q in [place] => shuffled(int(index(q, place)), n, seed)
output fixed = map q in [place] => shuffled(int(index(q, place)), 10, seed)
