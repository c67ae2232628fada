"""The SDs of random intercepts with the highest restricted likelihood, and their profile intervals."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq, minimize, minimize_scalar

from evenhand.stats.regression._crossed_laplace import CrossedTable, Mode, laplace_mode

__all__ = ["LARGEST_SD", "SMALLEST_SD", "Logs", "RestrictedSearch", "sds_of"]

Floats = NDArray[np.float64]

#: Logarithms of the SDs of the first and the second random intercept.
Logs = tuple[float, float]

#: SDs in log odds that are looked at; the smallest counts as 0, an estimate at the largest as none.
SMALLEST_SD, LARGEST_SD = 1e-3, 10.0
BOUNDS: Logs = (float(np.log(SMALLEST_SD)), float(np.log(LARGEST_SD)))
ZERO, LIMIT = BOUNDS
#: Below this logarithm it is asked whether 0 is as good.
NEAR_ZERO = ZERO + 3.0
#: A log likelihood lower by this much is no worse.
NO_WORSE = 1e-4
#: Half the width of the parabolas in the logarithm of an SD, and how exactly its limits are sought there.
WIDTH, XTOL = 0.15, 1e-3
START = (0.3, 0.5)


@dataclass(kw_only=True)
class RestrictedSearch:
    """Looks for the SDs; each mode that was found is the start of the next.

    SDs go by their logarithms, and the smallest stands for 0.
    """

    table: CrossedTable
    last: Mode | None = None
    evaluations: int = 0
    lost: bool = False

    def mode(self, logs: Logs) -> Mode:
        """Return the mode of all effects at the given SDs."""
        self.evaluations += 1
        start = self.last.point if self.last is not None else None
        found = laplace_mode(self.table, sds_of(logs), start=start)
        if found.found:
            self.last = found
        return found

    def minus(self, logs: Logs) -> float:
        """Return minus the restricted log likelihood, large where no mode was found."""
        mode = self.mode(logs)
        return -mode.laplace if mode.found and np.isfinite(mode.laplace) else 1e300

    def best(self) -> Logs:
        """Return the SDs where the likelihood is highest."""
        if self.table.one_way:
            alone = minimize_scalar(lambda x: self.minus((x, ZERO)), bounds=BOUNDS, method="bounded")
            return self._at_zero((float(alone.x), ZERO))
        found = minimize(
            lambda x: self.minus((float(x[0]), float(x[1]))),
            np.log(START),
            method="Nelder-Mead",
            bounds=[BOUNDS, BOUNDS],
            options={"xatol": 1e-3, "fatol": 1e-6, "maxfev": 400},
        )
        self.lost = not found.success
        return self._at_zero((float(found.x[0]), float(found.x[1])))

    def _at_zero(self, logs: Logs) -> Logs:
        """Return SDs so small that they can't be told from 0 as 0."""
        near = [ZERO if each < NEAR_ZERO else each for each in logs]
        zero = (near[0], near[1])
        return zero if zero != logs and self.minus(zero) <= self.minus(logs) + NO_WORSE else logs

    def failure(self, logs: Logs) -> str | None:
        """Return why the optimum can't be used, None where it can."""
        if self.lost or not self.mode(logs).found:
            return "The model did not converge."
        if max(logs) > LIMIT - 0.05:
            return (
                "Nearly all decisions about each name, or each role, are alike: how much they differ has no limit, "
                "and groups can't be told from names."
            )
        return None

    def profile(self, logs: Logs, which: int, *, z: float) -> tuple[float | None, float | None]:
        """Return the SDs where twice the log likelihood, the other SD refitted, has fallen by z².

        The lower one is 0 where it never falls so far, the upper one then null.
        """
        lowest, at = self.minus(logs), logs[which]
        other = logs[1 - which]
        # Kept, as a second look from another start may differ in the last digits and lose the change of sign.
        known = {at: -z}

        def excess(x: float) -> float:
            nonlocal other
            if x not in known:
                value, other = self._refitted(which, x, other)
                # The root is nearly a straight line in the logarithm, so few steps find where it crosses.
                known[x] = float(np.sqrt(max(2.0 * (value - lowest), 0.0))) - z
            return known[x]

        low: float | None = 0.0
        if at > ZERO and excess(ZERO) > 0:
            low = float(np.exp(brentq(excess, ZERO, at, xtol=XTOL)))
        other = logs[1 - which]
        reach = next((x for x in (max(at, np.log(0.1)) + 0.7, LIMIT) if x <= LIMIT and excess(x) > 0), None)
        high = None if reach is None else float(np.exp(brentq(excess, at, reach, xtol=XTOL)))
        return low, high

    def _refitted(self, which: int, x: float, other: float) -> tuple[float, float]:
        """Return the lowest value with one SD held, and the other SD there: parabolas through three points."""
        if self.table.one_way or other <= ZERO:
            return self.minus((x, other) if which == 0 else (other, x)), other
        value = np.inf
        for _ in range(4):
            y = [self.minus((x, z) if which == 0 else (z, x)) for z in (other - WIDTH, other, other + WIDTH)]
            value = min(value, *y)
            bend, slope = y[0] - 2.0 * y[1] + y[2], y[0] - y[2]
            move = 0.5 * WIDTH * slope / bend if bend > 0 else float(np.sign(slope))
            if bend > 0 and abs(move) <= WIDTH:
                return min(value, y[1] - slope**2 / (8.0 * bend)), other + move
            other = float(np.clip(other + np.clip(move, -1.0, 1.0), ZERO, LIMIT))
        return value, other


def sds_of(logs: Logs) -> tuple[float, float]:
    """Return SDs from their logarithms; the smallest is 0.

    >>> sds_of((BOUNDS[0], 0.0))
    (0.0, 1.0)
    """
    first, second = (0.0 if each <= ZERO else float(np.exp(each)) for each in logs)
    return first, second
