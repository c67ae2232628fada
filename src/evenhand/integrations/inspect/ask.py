"""The solver: each prompt is sent once, with the seed that `evenhand probe` sends."""

from inspect_ai.solver import Generate, Solver, TaskState, solver

__all__ = ["SEED", "ask"]

#: Where a sample's own seed stands, in designs that ask one prompt with several.
SEED = "seed"


@solver
def ask(seed: int = 0) -> Solver:
    """Return a solver that sends the prompt with a seed: the sample's own or `seed`, plus the epoch from 0."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        own = state.metadata.get(SEED)
        return await generate(state, seed=(seed if own is None else own) + state.epoch - 1)

    return solve
