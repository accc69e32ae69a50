"""Checkpoint stores, which keep the states of a loop, and sweeps through it. A sweep begins at
the first state each time: which others are kept does not change what is computed."""
import numpy as np

from .elementwise import value


def save(op, scope):
    store, slot, *values = (scope.get(name) for name in op.operands)
    assert 0 <= slot < store["slots"], (slot, store["slots"])
    store[int(slot)] = values
    return []


def revolve_slot(op, scope):
    steps, _, target, state = (value(scope.get(name)) for name in op.operands)
    return [np.int64(0 if state == 0 and target == steps else -1)]


def store(op, scope):
    """Of a checkpoint, the newest state is that of no iteration: there is none. Its
    states are in files, with the number of iterations."""
    made = {"slots": np.inf if "checkpoint" in op.attributes else int(value(scope.get(op.operands[0])))}
    if "newest" in op.attributes:
        made[0] = [np.int64(0)]
    return [made]


CHECKPOINT_STORES = {
    "pm.checkpoint_store": store,
    "pm.checkpoint_store_free": lambda op, scope: [],
    "pm.save": save,
    "pm.restore": lambda op, scope: scope.get(op.operands[0])[int(value(scope.get(op.operands[1])))],
    "pm.revolve": lambda op, scope: [np.int64(0), np.int64(0)],
    "pm.revolve_slot": revolve_slot,
}
