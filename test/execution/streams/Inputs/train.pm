use optim
param steps: int in [0, inf) = 400
param seed: u64 = 7
dim batch = 8, x = 6, y = 5, one = 1
mesh ranks(row = 1, col = 1)
layout batch -> row, x -> col

input maps: field[sample, x, y] streamed
input answers: field[sample, one] streamed

// The samples of step i: an epoch has two and a half steps.
fn chosen(i) = map q in [batch] => int(shuffled(8 * i + int(index(q, batch)), cells(maps), seed))
fn off(w, f, wanted) = mean((sum(w * f, over = (x, y)) - sum(wanted, over = one))^2)

optimize w from zeros[x, y]
  minimizing off(w, maps[sample = chosen(i)], answers[sample = chosen(i)]) with sgd(0.002)
  for i in 0 .. steps
  checkpoint every 7
  history losses[400]
  every 1: checks = off(w, maps[sample = batch], answers[sample = batch])
output w
output losses
