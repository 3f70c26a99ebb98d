"""How many decisions per second the rules of each game take: random play through legal, decide and evolve."""

import time

from fairdeal.application.catalogue import GAMES
from fairdeal.domain.kernel.rules import AnyRules
from fairdeal.testing import play

SECONDS = 2.0
ROUNDS = 3


def decisions_per_second(rules: AnyRules, seed: int) -> float:
    """Whole random games for the smallest table, one after the other."""
    decisions = 0
    started = time.perf_counter()
    while (spent := time.perf_counter() - started) < SECONDS / ROUNDS:
        decisions += len(play(rules, seed=seed, keep_states=False).steps)
        seed += 1
    return decisions / spent


def main() -> None:
    print(f"random play, decisions per second, best of {ROUNDS}")
    for rules in GAMES.values():
        best = max(decisions_per_second(rules, seed=round_ * 1_000_000) for round_ in range(ROUNDS))
        print(f"  {rules.title:<24} {best:>10,.0f}")


if __name__ == "__main__":
    main()
