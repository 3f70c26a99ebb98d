"""Accounts: a name is all that is asked for, and ids are all that games know."""

from fairdeal.application.errors import FieldFault, InvalidCommand
from fairdeal.infrastructure.http.accounts import LONGEST_NAME, Account, digest_of
from fairdeal.infrastructure.http.calls import NO_STORE, Call, Reply
from fairdeal.infrastructure.http.identity import set_cookie
from fairdeal.infrastructure.http.operations import Operation, Schema, ref


def _told(account: Account) -> dict[str, str]:
    return {"player": account.player, "display_name": account.display_name}


def create(call: Call) -> Reply:
    name = call.fields("display_name")["display_name"]
    account, token = call.backend.accounts.create(name)
    return Reply({**_told(account), "token": token}, 201, NO_STORE)


def me(call: Call) -> Reply:
    player = call.who.player
    return Reply({"player": player, "display_name": call.backend.names.by_id([player])[player]}, headers=NO_STORE)


def renew(call: Call) -> Reply:
    token = call.backend.accounts.renew(call.who.player, keep=call.who.token)
    return Reply({**_told(call.backend.accounts.account(call.who.player)), "token": token}, headers=NO_STORE)


def change(call: Call) -> Reply:
    who = call.who
    name = call.fields("display_name")["display_name"]
    return Reply(_told(call.backend.accounts.rename(who.player, name)), headers=NO_STORE)


def remove(call: Call) -> Reply:
    call.backend.accounts.delete(call.who.player)
    return Reply(None, 204, {"set-cookie": set_cookie(call.head, None)})


def begin_session(call: Call) -> Reply:
    asked = call.fields(optional=("display_name", "token"))
    if len(asked) != 1:
        raise InvalidCommand("session", [FieldFault("session", "expected either display_name or token")])
    if "display_name" in asked:
        account, session = call.backend.accounts.create(asked["display_name"], session=True)
    elif isinstance(asked["token"], str):
        account, session = call.backend.accounts.new_session(asked["token"])
    else:
        raise InvalidCommand("session", [FieldFault("token", "expected a text")])
    return Reply(_told(account), 201, {**NO_STORE, "set-cookie": set_cookie(call.head, session)})


def end_session(call: Call) -> Reply:
    cookie = call.head.cookie
    if cookie is not None:
        call.backend.accounts.end(digest_of(cookie))
    return Reply(None, 204, {"set-cookie": set_cookie(call.head, None)})


NAME: Schema = {"type": "string", "minLength": 1, "maxLength": LONGEST_NAME}
NAMED: Schema = {
    "type": "object",
    "properties": {"display_name": NAME},
    "required": ["display_name"],
    "additionalProperties": False,
}
RENAMED: Schema = {**NAMED, "properties": {"display_name": {"anyOf": [NAME, {"type": "null"}]}}}
SESSION: Schema = {
    "oneOf": [
        NAMED,
        {
            "type": "object",
            "properties": {"token": {"type": "string"}},
            "required": ["token"],
            "additionalProperties": False,
        },
    ]
}

OPERATIONS = (
    Operation(
        "POST",
        "/players",
        "A new account; the token is shown once.",
        create,
        answer=ref("AccountWithToken"),
        body=NAMED,
        status=201,
        errors=(403, 413, 415, 422, 429, 507),
        accounts=True,
    ),
    Operation("GET", "/me", "Who I am.", me, answer=ref("Account"), needs_caller=True),
    Operation(
        "POST",
        "/me/token",
        "A new token; the old one ends.",
        renew,
        answer=ref("AccountWithToken"),
        needs_caller=True,
        errors=(403, 413, 507),
        accounts=True,
    ),
    Operation(
        "PATCH",
        "/me",
        "Another name, or null for none.",
        change,
        answer=ref("Account"),
        body=RENAMED,
        needs_caller=True,
        errors=(403, 413, 415, 422, 507),
        accounts=True,
    ),
    Operation(
        "DELETE",
        "/me",
        "Ends the account: the name and all tokens go.",
        remove,
        status=204,
        needs_caller=True,
        errors=(403, 413, 507),
        accounts=True,
    ),
    Operation(
        "POST",
        "/session",
        "Sets the page's cookie.",
        begin_session,
        answer=ref("Account"),
        body=SESSION,
        status=201,
        errors=(401, 403, 413, 415, 422, 429, 507),
        accounts=True,
    ),
    Operation(
        "DELETE",
        "/session",
        "Ends the page's session.",
        end_session,
        status=204,
        errors=(403, 413, 507),
        accounts=True,
    ),
)
