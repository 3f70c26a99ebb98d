"""Errors: one table in the code, the same in the documents, and every status is reached."""

import json
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest
from starlette.testclient import TestClient

from fairdeal import Fairdeal
from fairdeal.application.error_table import REFUSED, STATUSES
from fairdeal.application.errors import LedgerFull, LedgerUnavailable
from fairdeal.http import Limits, create_app
from kits.http import API, Person, started_game, whose_turn

DOCS = Path(__file__).resolve().parents[3] / "docs" / "errors.md"
BY_STRANGERS = {408}
"""It takes a socket of one's own to be so slow: test_strangers.py."""
CODE = re.compile(r"`(\w+)`")


def documented() -> dict[str, int]:
    """The codes of the tables with their statuses."""
    found: dict[str, int] = {}
    for line in DOCS.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        statuses = [int(cell) for cell in cells if re.fullmatch(r"[45]\d\d", cell)]
        if line.startswith("|") and statuses:
            found |= dict.fromkeys(CODE.findall(cells[0]), statuses[0])
    return found


def test_the_documents_say_what_the_table_says() -> None:
    assert documented() == STATUSES


def test_every_status_of_the_table_is_reached(fairdeal: Fairdeal, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each by a request that deserves it, and each is a problem that says so itself."""
    limits = Limits(accounts_per_minute=2, exempt_loopback=False)
    with TestClient(create_app(fairdeal, limits=limits, hosts=["testserver"])) as client:
        ann, bob = Person(client, *_account(client)), Person(client, *_account(client))
        game = started_game(ann, bob)
        json_header = {"Content-Type": "application/json"}
        answers = [
            client.get(f"{API}/me"),
            ann.get(f"/games/{game}?as={bob.player}"),
            client.get(f"{API}/nowhere"),
            client.put(f"{API}/games"),
            ann.command(game, "start_game"),
            ann.post(f"/games/{game}/commands", {"command": "leave_game"}, If_Match='"1"'),
            client.post(f"{API}/players", content=b"x" * 70_000, headers=json_header),
            client.patch(f"{API}/me", content=b"x", headers={"Content-Type": "text/plain", **ann.headers}),
            client.get("/healthz", headers={"Host": "other.example"}),
            ann.command(game, "no_such_command"),
            client.post(f"{API}/players", json={"display_name": "Cleo"}),
        ]
        for error in (ValueError("oops"), LedgerUnavailable("locked"), LedgerFull("no room")):
            monkeypatch.setattr(fairdeal.ledger, "append_all", _failing(error))
            answers.append(ann.post("/games", {"kind": "red7"}))
    for answer in answers:
        assert answer.headers["content-type"] == "application/problem+json", answer.text
        assert answer.json()["status"] == answer.status_code
        assert (answer.status_code in (429, 503)) == ("retry-after" in answer.headers)
        assert (answer.status_code == 401) == ("www-authenticate" in answer.headers)
    reached = {answer.status_code for answer in answers}
    assert reached | BY_STRANGERS == set(STATUSES.values())


def _failing(error: Exception) -> Any:
    def fail(*_: Any, **__: Any) -> None:
        raise error

    return fail


def test_whoever_guesses_tokens_hears_the_same_whatever_they_guess(client: TestClient, ann: Person) -> None:
    ended = ann.token
    renewed = ann.post("/me/token").json()["token"]
    guesses = [ended, "fd1_" + "a" * 43, "fd1_", renewed[:-1], renewed + "a", renewed.upper(), "", "é", "x" * 1000]
    heard = {
        (answer.status_code, answer.text, answer.headers["content-length"], answer.headers["www-authenticate"])
        for guess in guesses
        for path in ("/me", "/games", f"/games/{'0' * 8}-0000-4000-8000-{'0' * 12}", "/kinds")
        for answer in [client.get(API + path, headers={b"Authorization": f"Bearer {guess}".encode()})]
    }
    assert len(heard) == 1
    assert next(iter(heard))[0] == 401


def test_a_problem_says_what_is_wrong(client: TestClient, ann: Person) -> None:
    refused = ann.post("/games", {"kind": "red7", "colour": "red", "seats": "me"})
    assert refused.status_code == 422
    assert refused.headers["content-type"] == "application/problem+json"
    problem = refused.json()
    assert set(problem) == {"type", "title", "status", "code", "detail", "errors"}
    assert (problem["status"], problem["code"]) == (422, "invalid_command")
    assert problem["errors"] == [{"field": "colour", "message": "unknown field"}]


def test_the_rules_refuse_with_409(ann: Person, bob: Person) -> None:
    game = started_game(ann, bob)
    waiting = bob if whose_turn(game, ann, bob) is ann else ann
    refused = waiting.post(f"/games/{game}/moves", {"move": "end_turn"})
    assert (refused.status_code, refused.json()["code"]) == (REFUSED, "not_your_turn")


def test_addresses_and_methods_that_are_not_there(client: TestClient) -> None:
    assert client.get("/nowhere").json()["code"] == "not_found"
    wrong = client.put(f"{API}/games", json={})
    assert (wrong.status_code, wrong.json()["code"]) == (405, "method_not_allowed")
    assert "allow" in wrong.headers


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[]", b"7", b'"x"', b"\xff", b"null", b"[" * 60_000, b'{"kind": NaN}', b'{"kind": 7}']
)
def test_bad_bodies_are_422(ann: Person, body: bytes) -> None:
    headers = {**ann.headers, "Content-Type": "application/json"}
    assert ann.client.post(f"{API}/games", content=body, headers=headers).status_code == 422


def test_a_body_of_more_than_64_kb_is_413_also_without_a_length(ann: Person) -> None:
    headers = {**ann.headers, "Content-Type": "application/json"}
    long = b'{"kind": "' + b"x" * 70_000 + b'"}'
    parts = iter([long[:50_000], long[50_000:]])
    assert ann.client.post(f"{API}/games", content=long, headers=headers).status_code == 413
    assert ann.client.post(f"{API}/games", content=parts, headers=headers).status_code == 413


def test_unknown_hidden_and_nonsense_games_are_404_alike(ann: Person, bob: Person, client: TestClient) -> None:
    closed = ann.post("/games", {"kind": "red7", "spectators": "closed"}).json()["game"]
    unknown = "00000000-0000-4000-8000-000000000000"
    for path in ("", "/events", "/stream", "/frames/1", "/story", "/log", "/audit", f"/receipts/1:{'0' * 64}"):
        told: list[tuple[int, str, str]] = []
        for game in (closed, unknown):
            refused = bob.get(f"/games/{game}{path}")
            told.append((refused.status_code, refused.text.replace(game, "GAME"), refused.headers["content-length"]))
        assert told[0] == told[1]
        assert told[0][0] == 404
    for game in (closed, unknown, "nonsense"):
        assert bob.command(game, "join_game").status_code == 404
        assert bob.post(f"/games/{game}/moves", {"move": "end_turn"}).status_code == 404
        assert client.post(f"{API}/games/{game}/moves", json={"move": "end_turn"}).status_code == 401


@pytest.mark.parametrize(
    ("error", "status"), [(LedgerUnavailable("locked"), 503), (LedgerFull("no room"), 507), (ValueError("oops"), 500)]
)
def test_a_ledger_that_fails_is_told_as_it_is(
    fairdeal: Fairdeal, monkeypatch: pytest.MonkeyPatch, error: Exception, status: int
) -> None:
    with TestClient(create_app(fairdeal), client=("127.0.0.1", 1)) as client:
        ann = Person(client, *_account(client))
        monkeypatch.setattr(fairdeal.ledger, "append_all", _failing(error))
        refused = ann.post("/games", {"kind": "red7"})
    assert refused.status_code == status
    assert ("retry-after" in refused.headers) == (status == 503)
    assert "oops" not in refused.text


def test_a_read_only_server_says_so(tmp_path: Path, fairdeal: Fairdeal, ann: Person) -> None:
    game = ann.post("/games", {"kind": "red7"}).json()["game"]
    with (
        Fairdeal(fairdeal.address, read_only=True) as reading,
        TestClient(create_app(reading), client=("127.0.0.1", 1)) as client,
    ):
        reader = Person(client, ann.player, ann.token)
        assert reader.look(game)["opener"] == ann.player
        changes: tuple[tuple[str, str, dict[str, object] | None], ...] = (
            ("POST", f"/games/{game}/commands", {"command": "join_game"}),
            ("POST", "/games", {"kind": "red7"}),
            ("POST", "/games", {"kind": "red7", "spectators": "closed"}),
            ("POST", "/players", {"display_name": "Bob"}),
            ("POST", "/session", {"display_name": "Bob"}),
            ("POST", "/session", {"token": ann.token}),
            ("PATCH", "/me", {"display_name": "Bob"}),
            ("POST", "/me/token", None),
            ("DELETE", "/me", None),
        )
        for method, path, body in changes:
            refused = client.request(method, API + path, json=body, headers=ann.headers)
            assert (path, refused.status_code, refused.json()["code"]) == (path, 507, "ledger_read_only")
        assert reader.get("/me").json()["display_name"] == "Ann"
    assert ann.get("/me").json()["display_name"] == "Ann"


def test_a_read_only_server_beside_which_no_accounts_are_kept_makes_none(tmp_path: Path) -> None:
    copy = f"sqlite:///{tmp_path / 'copy.db'}"
    Fairdeal(copy).close()
    with Fairdeal(copy, read_only=True) as reading, TestClient(create_app(reading), client=("127.0.0.1", 1)) as client:
        for path in ("/players", "/session"):
            refused = client.post(API + path, json={"display_name": "Bob"})
            assert (path, refused.status_code, refused.json()["code"]) == (path, 507, "ledger_read_only")


def test_too_many_requests_are_429_with_the_time_to_wait(fairdeal: Fairdeal) -> None:
    few = Limits(requests_per_second_of_address=3, accounts_per_minute=1)
    with TestClient(create_app(fairdeal, limits=few), client=("192.0.2.1", 1)) as client:
        assert client.post(f"{API}/players", json={"display_name": "Ann"}).status_code == 201
        second = client.post(f"{API}/players", json={"display_name": "Bob"})
        assert (second.status_code, second.json()["code"]) == (429, "too_many_accounts")
        statuses = {client.get(f"{API}/kinds").status_code for _ in range(5)}
        assert 429 in statuses
        assert int(second.headers["retry-after"]) >= 1


def test_this_machine_itself_is_exempt_from_rates(fairdeal: Fairdeal) -> None:
    few = Limits(requests_per_second_of_address=1)
    with TestClient(create_app(fairdeal, limits=few), client=("127.0.0.1", 1)) as client:
        assert {client.get(f"{API}/kinds").status_code for _ in range(5)} == {200}


def test_only_known_hosts_are_answered_for(fairdeal: Fairdeal) -> None:
    with TestClient(create_app(fairdeal, hosts=["games.example", "*.games.example"])) as client:
        assert client.get(f"{API}/kinds", headers={"Host": "evil.example"}).status_code == 421
        for host in ("games.example", "games.example:8000", "a.games.example", "Games.EXAMPLE", "A.Games.example:8000"):
            assert client.get(f"{API}/kinds", headers={"Host": host}).status_code == 200


def test_every_response_carries_the_security_headers(client: TestClient) -> None:
    for path in (f"{API}/kinds", "/nowhere", "/healthz"):
        headers = client.get(path).headers
        assert headers["content-security-policy"].startswith("default-src 'none'; script-src 'self'")
        assert headers["x-content-type-options"] == "nosniff"
        assert "access-control-allow-origin" not in headers


def test_hundreds_of_malformed_requests_are_never_the_servers_fault(client: TestClient, ann: Person) -> None:
    rng = Random(17)
    game = ann.post("/games", {"kind": "red7", "seats": ["me", {"bot": "random"}], "start": True}).json()["game"]
    paths = ["/games", "/players", "/session", "/me", f"/games/{game}", f"/games/{game}/commands", "/timeline"]
    paths += [f"/games/{game}/{name}" for name in ("moves", "events", "frames/x", "frames/-1", "story", "branches")]
    words: list[Any] = [
        None,
        True,
        -1,
        2**70,
        1.5,
        "",
        "\x00",
        "red7",
        "me",
        [],
        {},
        [[]],
        {"move": []},
        "💥",
        "x" * 300,
    ]
    names = [
        "kind",
        "command",
        "move",
        "seats",
        "options",
        "display_name",
        "version",
        "reason",
        "seal",
        "brings",
        "token",
    ]
    commands = ["join_game", "make_move", "reveal_entropy", "leave_game", "add_bot", "start_game"]
    for _ in range(400):
        body: Any = {rng.choice(names): rng.choice(words) for _ in range(rng.randrange(4))}
        if rng.random() < 0.3:
            body["command"] = rng.choice(commands)
        content = json.dumps(rng.choice([body, rng.choice(words)])).encode()
        if rng.random() < 0.2:
            content = rng.randbytes(rng.randrange(50))
        query = {
            rng.choice(["as", "after", "wait", "limit", "cursor", "since", "kind"]): rng.choice(["-1", "0", "é", "a=b"])
        }
        headers = {**(ann.headers if rng.random() < 0.7 else {}), "Content-Type": "application/json"}
        if rng.random() < 0.2:
            headers |= {
                "If-Match": rng.choice(['"', "1", '"x"', '"99999999999999999999999"']),
                "Idempotency-Key": "a b",
            }
        method = rng.choice(["GET", "POST", "PATCH"])
        answer = client.request(method, API + rng.choice(paths), content=content, params=query, headers=headers)
        assert answer.status_code < 500, (method, answer.url, content, answer.text)


def _account(client: TestClient) -> tuple[str, str]:
    made = client.post(f"{API}/players", json={"display_name": "Ann"}).json()
    return made["player"], made["token"]
