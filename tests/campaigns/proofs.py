"""Signed checkpoints and proofs are changed: none of them proves anything any more."""

import json
from random import Random
from typing import Any

from campaigns.logs import another_value
from campaigns.tally import Tally, Until
from fairdeal import Fairdeal, FairdealError, Receipt
from fairdeal.application.catalogue import KINDS
from fairdeal.auditing import check_proof, from_json, to_json
from fairdeal.signing import new_keys, sign
from fairdeal.testing.recorded import recorded_game


def run(seed: int, seconds: float) -> Tally:
    rng, tally = Random(seed), Tally()
    secret, public = new_keys()
    stranger, _ = new_keys()
    with Fairdeal("memory:") as fairdeal:
        logs = [recorded_game(KINDS["pardon"], number, most=25) for number in range(4)]
        fairdeal.ledger.append(logs[0])
        fairdeal.ledger.append(logs[1])
        old = sign(fairdeal.checkpoints.make(), secret)
        for log in logs[2:]:
            fairdeal.ledger.append(log)
        new = sign(fairdeal.checkpoints.make(), secret)
        receipts = [Receipt(log[-1].game_id, log[-1].version, log[-1].link.hex()) for log in logs]
        honest: list[tuple[Any, list[Receipt]]] = [
            (new, []),
            (fairdeal.checkpoints.prove_consistency(old, new), []),
            *((fairdeal.checkpoints.prove_inclusion(new, receipt), [receipt]) for receipt in receipts),
        ]
    for evidence, kept in honest:
        check_proof(evidence, public, kept=[old, new], receipts=kept)
    until = Until(seconds)
    while until:
        for evidence, kept in honest:
            text = to_json(evidence)
            forgery = json.loads(text)
            told = [forge(forgery, rng) for _ in range(rng.randint(1, 2))]
            if forgery == json.loads(text):
                continue
            with tally.trying(f"seed {seed}, try {tally.tries + 1}"):
                proved = holds(json.dumps(forgery), public, [old, new], kept)
                assert not proved, f"{type(evidence).__name__} with {told} is believed"
                assert not holds(text, stranger, [old, new], kept), "another key is believed"
    return tally


def holds(text: str, public: str, kept: list[Any], receipts: list[Receipt]) -> bool:
    try:
        check_proof(from_json(text.encode()), public, kept=kept, receipts=receipts)
    except FairdealError:
        return False
    return True


def forge(thing: Any, rng: Random) -> str | None:
    lists: list[list[Any]] = [value for value in thing.values() if isinstance(value, list)]
    if lists and rng.random() < 0.4:
        path = rng.choice(lists)
        if path and rng.random() < 0.5:
            return f"without {path.pop(rng.randrange(len(path)))}"
        path.insert(rng.randint(0, len(path)), rng.choice([*path, "00" * 32]))
        return "with one hash more"
    return another_value(thing, rng)
