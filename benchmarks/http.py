"""HTTP beside the same calls in process: `python -m benchmarks.http [--quick | --tiny] [--json FILE]`.

One server process on a SQLite file; those who call it are sockets in this process, which send what was written
beforehand and read no more than they must.
"""

import argparse
import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncGenerator, Generator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from uuid import UUID

from sqlalchemy import insert

from benchmarks.figures import Figure, Latencies, latencies
from benchmarks.games import Script, open_all, scripts
from benchmarks.report import FigureReport
from fairdeal import Fairdeal, MakeMove
from fairdeal.application.catalogue import KINDS
from fairdeal.application.wire.encoding import move_to_plain, to_json
from fairdeal.infrastructure.http.accounts import (
    ACCOUNTS,
    TOKENS,
    account_row,
    accounts_beside,
    open_accounts,
    token_row,
)
from fairdeal.infrastructure.readmodels.database import open_database

CALLERS = 16
KIND = "kings_corners"
TOKENS_OF = {f"player{seat}": "fd1_" + f"{seat:x}" * 43 for seat in range(2)}
LEAST_PART, MOST_LOOK, MOST_PROCESSOR, MOST_STREAM = 0.6, 3.0, 400.0, 30.0
MOST_LARGER = 1.5


@dataclass(frozen=True, slots=True)
class HttpSizes:
    """How much is measured."""

    moves: int
    looks: int
    streams: int
    delivered: int
    """Moves that everybody at one table hears of."""


FULL = HttpSizes(moves=8_000, looks=8_000, streams=1_000, delivered=30)
QUICK = HttpSizes(moves=1_000, looks=1_000, streams=200, delivered=10)
TINY = HttpSizes(moves=50, looks=50, streams=20, delivered=2)


# -- a server, and callers ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Server:
    """A server process, and what it has used up."""

    port: int
    process: int

    def processor_seconds(self) -> float:
        fields = Path(f"/proc/{self.process}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory(self) -> int:
        """In bytes, of what no other process has."""
        rollup = Path(f"/proc/{self.process}/smaps_rollup").read_text()
        return sum(int(found) for found in re.findall(r"^Private_\w+:\s+(\d+) kB", rollup, re.MULTILINE)) * 1024


@contextmanager
def served(address: str) -> Generator[Server]:
    command = [sys.executable, "-m", "fairdeal", "serve", "--ledger", address, "--port", "0", "--no-bots"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            said = process.stdout.readline()
            port = re.search(r":(\d+)/", said)
            assert port is not None, said
            yield Server(int(port.group(1)), process.pid)
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait()


class Connection:
    """One connection that is kept, and reads answers by their length."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    async def ask(self, request: bytes) -> bytes:
        self.writer.write(request)
        head = await self.reader.readuntil(b"\r\n\r\n")
        assert head[9:11] in (b"20", b"30"), head + await self.reader.read(1000)
        length = re.search(rb"content-length: (\d+)", head)
        return await self.reader.readexactly(int(length.group(1))) if length else b""


@asynccontextmanager
async def connected(server: Server) -> AsyncGenerator[Connection]:
    while True:
        with suppress(ConnectionError):
            reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
            break
    try:
        yield Connection(reader, writer)
    finally:
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()


def get(path: str, player: str | None = None) -> bytes:
    who = "" if player is None else f"Authorization: Bearer {TOKENS_OF[player]}\r\n"
    return f"GET {path} HTTP/1.1\r\nHost: x\r\n{who}\r\n".encode()


def post(path: str, player: str, body: bytes) -> bytes:
    head = f"POST {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {TOKENS_OF[player]}\r\n"
    return f"{head}Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body


def request_of(move: MakeMove) -> bytes:
    names = {cls: name for name, cls in KINDS[KIND].stored.moves.items()}
    return post(f"/api/v1/games/{move.game_id}/moves", move.player, to_json(move_to_plain(names, move.move)))


async def asked_by_all(server: Server, shares: Sequence[Sequence[bytes]]) -> tuple[float, list[float]]:
    """Requests per second of so many callers, and how long each one took."""

    async def call(share: Sequence[bytes]) -> list[float]:
        times: list[float] = []
        async with connected(server) as connection:
            for request in share:
                started = time.perf_counter()
                await connection.ask(request)
                times.append(time.perf_counter() - started)
        return times

    async with connected(server) as first:
        await first.ask(get("/healthz"))
    started = time.perf_counter()
    times = await asyncio.gather(*(call(share) for share in shares))
    return sum(map(len, times)) / (time.perf_counter() - started), [spent for share in times for spent in share]


# -- what is measured --------------------------------------------------------------------------------------------------


def measure(sizes: HttpSizes, folder: Path) -> Iterator[Figure]:
    found = scripts(KINDS[KIND], sizes.moves, max(2, sizes.moves // CALLERS))
    at_home, elsewhere = (f"sqlite:///{folder / name}.db" for name in ("home", "served"))
    home = in_process(at_home, found)
    with Fairdeal(elsewhere) as fairdeal:
        open_all(fairdeal, found)
    make_accounts(elsewhere)
    with served(elsewhere) as server:
        early = payloads(server, found)
        yield from moves_and_looks(server, found, sizes, home)
        yield join_payload(early, payloads(server, found))
    streamed = f"sqlite:///{folder / 'streamed'}.db"
    with Fairdeal(streamed) as fairdeal:
        open_all(fairdeal, found[:1])
    make_accounts(streamed)
    with served(streamed) as server:
        yield from asyncio.run(streams(server, found[0], sizes))


def shares_of(found: Sequence[Script]) -> list[list[MakeMove]]:
    """Each caller plays games of their own, so that nobody waits for anybody else's move."""
    return [[move for script in found[at::CALLERS] for move in script.moves] for at in range(CALLERS)]


@dataclass(frozen=True, slots=True)
class InProcess:
    """The same commands and looks without HTTP, by as many threads as there are callers."""

    rate: float
    moves: Latencies
    processor: float
    """Microseconds of processor time for each command."""
    looks: Latencies


def in_process(address: str, found: Sequence[Script]) -> InProcess:
    with Fairdeal(address) as fairdeal:
        open_all(fairdeal, found)

        def call(moves: Sequence[MakeMove]) -> list[float]:
            times: list[float] = []
            for move in moves:
                started = time.perf_counter()
                fairdeal.handle(move)
                times.append(time.perf_counter() - started)
            return times

        def look(moves: Sequence[MakeMove]) -> list[float]:
            times: list[float] = []
            for move in moves:
                started = time.perf_counter()
                to_json(fairdeal.look(move.game_id, move.player))
                times.append(time.perf_counter() - started)
            return times

        with ThreadPoolExecutor(CALLERS) as pool:
            started, spent = time.perf_counter(), time.process_time()
            times = [one for share in pool.map(call, shares_of(found)) for one in share]
            rate, each = len(times) / (time.perf_counter() - started), (time.process_time() - spent) / len(times)
            looks = [one for share in pool.map(look, shares_of(found)) for one in share]
        return InProcess(rate, latencies(times), each * 1e6, latencies(looks))


def make_accounts(address: str) -> None:
    """The players of the scripts get tokens that we know."""
    open_accounts(address).close()
    database = open_database(accounts_beside(address))
    with database.writing() as connection:
        for player, token in TOKENS_OF.items():
            connection.execute(insert(ACCOUNTS).values(**account_row(player, player)))
            connection.execute(insert(TOKENS).values(**token_row(player, token, session=False)))
    database.close()


def moves_and_looks(server: Server, found: Sequence[Script], sizes: HttpSizes, home: InProcess) -> Iterator[Figure]:
    requests = [[request_of(move) for move in share] for share in shares_of(found)]
    before = server.processor_seconds()
    rate, times = asyncio.run(asked_by_all(server, requests))
    spent = server.processor_seconds() - before
    yield Figure(
        what=f"durable moves over HTTP, {CALLERS} callers",
        game=KIND,
        value=rate,
        unit="/s",
        baseline=home.rate,
        against="the same commands in process",
        ratio=rate / home.rate,
        bar=f"≥ {LEAST_PART} × in process",
        met=rate >= LEAST_PART * home.rate,
        note=f"{latencies(times)}; in process {home.moves}",
    )
    each = spent / len(times) * 1e6
    yield Figure(
        what="processor time of a durable move over HTTP",
        game=KIND,
        value=each,
        unit="µs",
        baseline=home.processor,
        against="the same commands in process",
        ratio=each / home.processor,
        bar=f"≤ {MOST_PROCESSOR:g} µs on a quiet machine",
        met=each <= MOST_PROCESSOR,
        note="the whole server process, user and system",
    )
    games = [script.moves[0] for script in found]
    looks = [get(f"/api/v1/games/{move.game_id}", move.player) for move in games]
    each_caller = [[looks[(at + one) % len(looks)] for one in range(sizes.looks // CALLERS)] for at in range(CALLERS)]
    rate, times = asyncio.run(asked_by_all(server, each_caller))
    slow = latencies(times)
    yield Figure(
        what=f"GET look, {CALLERS} callers",
        game=KIND,
        value=slow.p50 * 1e3,
        unit="ms (p50)",
        baseline=home.looks.p50 * 1e3,
        against="the same looks in process, as JSON",
        ratio=slow.p50 / home.looks.p50,
        bar=f"≤ {MOST_LOOK:g} ms",
        met=slow.p50 * 1e3 <= MOST_LOOK,
        note=f"{slow}; {rate:,.0f} looks/s",
    )


def payloads(server: Server, found: Sequence[Script]) -> list[tuple[int, int]]:
    """Of each game its version, and how many bytes somebody is sent who joins now: a look, the stream from there on."""

    async def joined(game: UUID, player: str) -> tuple[int, int]:
        async with connected(server) as connection:
            look = await connection.ask(get(f"/api/v1/games/{game}", player))
            version = int(json.loads(look)["version"])
            connection.writer.write(get(f"/api/v1/games/{game}/stream?after={version}", player))
            await connection.reader.readuntil(b"\r\n\r\n")
            message = await connection.reader.readuntil(b"\n\n")
            return version, len(look) + len(message)

    return [asyncio.run(joined(script.moves[0].game_id, script.moves[0].player)) for script in found]


def join_payload(early: list[tuple[int, int]], late: list[tuple[int, int]]) -> Figure:
    """The same games right after the deal and much later."""
    before, small = (median(column) for column in zip(*early, strict=True))
    after, large = (median(column) for column in zip(*late, strict=True))
    return Figure(
        what="join payload, a long game beside a short one",
        game=KIND,
        value=large,
        unit="bytes",
        baseline=small,
        against="the same games after the deal",
        ratio=large / small,
        bar="independent of the game's length",
        met=large / small <= MOST_LARGER,
        note=f"version {after:g} beside {before:g}; what differs are the cards in hand and the legal moves",
    )


async def streams(server: Server, script: Script, sizes: HttpSizes) -> list[Figure]:
    game = script.moves[0].game_id
    async with connected(server) as first:
        version = json.loads(await first.ask(get(f"/api/v1/games/{game}")))["version"]
    ask = get(f"/api/v1/games/{game}/stream?after={version}")
    before = server.memory()
    opened: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []
    for at in range(sizes.streams):
        reader, writer = await asyncio.open_connection(
            "127.0.0.1", server.port, local_addr=(f"127.0.1.{at // 45 + 1}", 0)
        )
        writer.write(ask)
        await reader.readuntil(b"\r\n\r\n")
        await reader.readuntil(b"\n\n")
        opened.append((reader, writer))
    each = (server.memory() - before) / sizes.streams / 1e3
    figures = [
        Figure(
            what="memory of an idle stream",
            game=f"{sizes.streams:,} streams",
            value=each,
            unit="kB",
            bar=f"≤ {MOST_STREAM:g} kB",
            met=each <= MOST_STREAM,
            note="private memory of the server process",
        )
    ]
    delays: list[float] = []

    async def heard(reader: asyncio.StreamReader) -> None:
        await reader.readuntil(b"\n\n")
        delays.append(time.perf_counter() - sent)

    async with connected(server) as mover:
        for move in script.moves[: sizes.delivered]:
            waiting = [asyncio.create_task(heard(reader)) for reader, _ in opened]
            await asyncio.sleep(0.05)
            sent = time.perf_counter()
            await mover.ask(request_of(move))
            await asyncio.gather(*waiting)
    slow = latencies(delays)
    figures.append(
        Figure(
            what="a move until spectators have it",
            game=f"{sizes.streams:,} spectators",
            value=slow.p99 * 1e3,
            unit="ms (p99)",
            note=f"{slow}; from the first byte of the request, all of them read by one process",
        )
    )
    for _, writer in opened:
        writer.close()
    return figures


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.http", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="some seconds, more noise")
    parser.add_argument("--tiny", action="store_true", help="a few calls of each, to see that it runs")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures to a file as well")
    options = parser.parse_args(arguments)
    report = FigureReport()
    with tempfile.TemporaryDirectory(prefix="fairdeal-bench-") as folder:
        for figure in measure(TINY if options.tiny else QUICK if options.quick else FULL, Path(folder)):
            report.add(figure)
    report.show()
    if options.json is not None:
        options.json.write_text(json.dumps([asdict(figure) for figure in report.figures], indent=1) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
