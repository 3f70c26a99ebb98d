"""What those who run a server ask it; without a prefix."""

from fairdeal.infrastructure.http.calls import NO_STORE, Call, Reply
from fairdeal.infrastructure.http.operations import Operation, Schema


def alive(_: Call) -> Reply:
    return Reply({"status": "ok"}, headers=NO_STORE)


def ready(call: Call) -> Reply:
    """Raises what is wrong, if anything."""
    call.backend.fairdeal.health().must_be_ok()
    call.backend.accounts.check()
    return Reply({"status": "ok"}, headers=NO_STORE)


def metrics(call: Call) -> Reply:
    kind = "text/plain; version=0.0.4; charset=utf-8"
    return Reply(call.backend.metrics.text(), headers=NO_STORE, media_type=kind)


def openapi(call: Call) -> Reply:
    return Reply(call.backend.document(call.head.root), headers={"cache-control": "public, max-age=300"})


STATUS: Schema = {
    "type": "object",
    "properties": {"status": {"const": "ok"}},
    "required": ["status"],
    "additionalProperties": False,
}
OPERATIONS = (
    Operation("GET", "/healthz", "The process lives.", alive, answer=STATUS),
    Operation("GET", "/readyz", "The databases can be read.", ready, answer=STATUS, errors=(500, 503)),
    Operation(
        "GET",
        "/metrics",
        "Figures for Prometheus.",
        metrics,
        answer={"type": "string"},
        media_type="text/plain",
        errors=(500,),
    ),
    Operation("GET", "/openapi.json", "This document.", openapi, answer={"type": "object"}),
)
