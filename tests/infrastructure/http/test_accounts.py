"""Accounts: ids that say nothing, tokens that are shown once, the page's cookie."""

import re
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from fairdeal import Fairdeal
from kits.http import API, Person, person, started_game

FLAG_OF_WALES = "\N{WAVING BLACK FLAG}" + "".join(chr(0xE0000 + ord(sign)) for sign in "gbwls\x7f")


def test_a_new_account_gets_an_id_and_a_token_once(client: TestClient) -> None:
    made = client.post(f"{API}/players", json={"display_name": "Ann <3 \u200fרות 🂡"})
    assert made.status_code == 201
    assert set(made.json()) == {"player", "display_name", "token"}
    assert re.fullmatch(r"fd1_[A-Za-z0-9_-]{43}", made.json()["token"])
    me = client.get(f"{API}/me", headers={"Authorization": f"Bearer {made.json()['token']}"})
    assert me.json() == {"player": made.json()["player"], "display_name": "Ann <3 \u200fרות 🂡"}


@pytest.mark.parametrize("name", ["\N{WOMAN}\u200d\N{PERSONAL COMPUTER}", FLAG_OF_WALES], ids=["joined", "flag"])
def test_a_name_may_hold_any_emoji(client: TestClient, name: str) -> None:
    made = client.post(f"{API}/players", json={"display_name": name})
    assert (made.status_code, made.json().get("display_name")) == (201, name)


def test_neither_names_nor_tokens_are_in_the_ledger_and_tokens_nowhere_in_the_clear(
    ann: Person, bob: Person, tmp_path: Path
) -> None:
    game = started_game(ann, bob)
    assert ann.look(game)["names"] == ["Ann", "Bob"]
    ledger = b"".join(path.read_bytes() for path in tmp_path.glob("games.db*"))
    assert ann.player.encode() in ledger
    assert b"Ann" not in ledger
    everything = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert ann.token.encode() not in everything
    assert b"Ann" in everything


def test_a_name_can_be_changed_and_removed_and_the_story_follows(ann: Person, bob: Person) -> None:
    game = started_game(ann, bob)
    renamed = ann.client.patch(f"{API}/me", json={"display_name": "Anna"}, headers=ann.headers)
    assert renamed.json()["display_name"] == "Anna"
    story = ann.get(f"/games/{game}/story").json()["items"]
    assert story[0]["line"] == "Anna opens the table."
    removed = ann.client.patch(f"{API}/me", json={"display_name": None}, headers=ann.headers)
    assert removed.json()["display_name"] == ann.player
    assert ann.look(game)["names"] == [ann.player, "Bob"]


def test_a_new_token_ends_the_old_one(ann: Person) -> None:
    renewed = ann.post("/me/token")
    assert renewed.status_code == 200
    assert ann.get("/me").status_code == 401
    assert Person(ann.client, ann.player, renewed.json()["token"]).get("/me").json()["player"] == ann.player


def test_a_deleted_account_is_gone_but_its_games_stay(ann: Person, bob: Person) -> None:
    game = started_game(ann, bob)
    assert ann.client.delete(f"{API}/me", headers=ann.headers).status_code == 204
    assert ann.get("/me").status_code == 401
    assert bob.look(game)["names"] == [ann.player, "Bob"]


def test_a_bad_bearer_is_401_everywhere_and_never_anybody(client: TestClient, ann: Person) -> None:
    for bad in ("Bearer fd1_" + "x" * 43, "Bearer ", "Basic YTpi", f"Bearer {ann.token}x"):
        for path in ("/kinds", "/me", "/games"):
            refused = client.get(API + path, headers={"Authorization": bad})
            assert refused.status_code == 401
            assert refused.headers["www-authenticate"].startswith("Bearer")
            assert refused.json()["code"] == "unauthenticated"
            assert refused.headers["content-type"] == "application/problem+json"


def test_the_page_gets_a_cookie_and_no_token(client: TestClient) -> None:
    begun = client.post(f"{API}/session", json={"display_name": "Cid"})
    assert begun.is_success
    assert set(begun.json()) == {"player", "display_name"}
    cookie = begun.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert client.get(f"{API}/me").json() == begun.json()
    assert client.delete(f"{API}/session").status_code == 204
    assert client.get(f"{API}/me").status_code == 401


def test_over_tls_the_cookie_is_bound_to_the_host(client: TestClient) -> None:
    begun = client.post("https://testserver/api/v1/session", json={"display_name": "Cid"})
    assert begun.headers["set-cookie"].startswith("__Host-")
    assert "Secure" in begun.headers["set-cookie"]


def test_a_token_begins_a_session_and_authorization_beats_the_cookie(
    client: TestClient, ann: Person, bob: Person
) -> None:
    assert client.post(f"{API}/session", json={"token": "fd1_" + "x" * 43}).status_code == 401
    assert client.post(f"{API}/session", json={"token": ann.token}).json()["player"] == ann.player
    assert client.get(f"{API}/me").json()["player"] == ann.player
    assert bob.get("/me").json()["player"] == bob.player
    assert client.get(f"{API}/me", headers={"Authorization": "Bearer nonsense"}).status_code == 401


def test_changes_by_cookie_need_json_and_the_same_origin(client: TestClient) -> None:
    assert client.post(f"{API}/session", json={"display_name": "Cid"}).is_success
    table = {"kind": "red7"}
    for headers in ({"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site"}, {"Origin": "null"}):
        refused = client.post(f"{API}/games", json=table, headers=headers)
        assert (refused.status_code, refused.json()["code"]) == (403, "cross_origin")
    plain = client.post(f"{API}/games", content=b'{"kind": "red7"}', headers={"Content-Type": "text/plain"})
    assert plain.status_code == 415
    assert client.post(f"{API}/games", json=table, headers={"Origin": "http://testserver"}).status_code == 201


def test_names_that_cannot_be_shown_are_refused(client: TestClient) -> None:
    for name in ("", " Ann", "Ann\n", "x" * 201, 7, None, "a\x00b", "\u200f\u200d"):
        refused = client.post(f"{API}/players", json={"display_name": name})
        assert refused.status_code == 422
        assert refused.json()["errors"][0]["field"] == "display_name"


def test_two_apps_on_one_ledger_know_the_same_accounts(fairdeal: Fairdeal, ann: Person) -> None:
    from fairdeal.http import create_app

    with TestClient(create_app(fairdeal)) as other:
        assert Person(other, ann.player, ann.token).get("/me").json()["display_name"] == "Ann"
        assert person(other, "Cid").player != ann.player
