"""Hosts with wires that can be cut: network namespaces on a bridge, where root may make them."""

import os
import shutil
import subprocess
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from random import Random

REASON = "wires are cut between network namespaces, which needs root and iproute2"
IN_NAMESPACES = ("a", "b", "c")


def ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True)


@cache
def can_be_made() -> bool:
    """Whether this user may make network namespaces here."""
    if os.geteuid() != 0 or shutil.which("ip") is None or shutil.which("setpriv") is None:
        return False
    name = f"fairdeal-try-{os.getpid()}"
    try:
        ip("netns", "add", name)
    except subprocess.CalledProcessError:
        return False
    ip("netns", "del", name)
    return True


class Host:
    """A machine of its own as far as the network is concerned."""

    def __init__(self, network: str, letter: str, number: int, subnet: str) -> None:
        self.namespace = f"{network}{letter}"
        self.address = f"{subnet}.{number}"
        self._wire = f"{network}{letter}0"

    def plug_in(self, bridge: str) -> None:
        ip("netns", "add", self.namespace)
        ip("link", "add", self._wire, "type", "veth", "peer", "name", "eth0", "netns", self.namespace)
        ip("link", "set", self._wire, "master", bridge, "up")
        for words in (("link", "set", "lo", "up"), ("addr", "add", f"{self.address}/24", "dev", "eth0")):
            ip("-n", self.namespace, *words)
        ip("-n", self.namespace, "link", "set", "eth0", "up")
        # Known for ever: where a wire is cut, packets vanish, and nobody says that the host is not there.
        card = subprocess.run(
            ["ip", "netns", "exec", self.namespace, "cat", "/sys/class/net/eth0/address"],
            check=True,
            capture_output=True,
            text=True,
        )
        ip("neigh", "replace", self.address, "lladdr", card.stdout.strip(), "dev", bridge, "nud", "permanent")

    def cut(self) -> None:
        """Nothing comes through any more, in either direction, and nobody is told."""
        ip("-n", self.namespace, "link", "set", "eth0", "down")

    def mend(self) -> None:
        ip("-n", self.namespace, "link", "set", "eth0", "up")

    def unplug(self) -> None:
        for words in (("link", "del", self._wire), ("netns", "del", self.namespace)):
            with suppress(subprocess.CalledProcessError):
                ip(*words)


@contextmanager
def network(hosts: int) -> Generator[Sequence[Host]]:
    """So many hosts that can reach one another, and can be reached from here."""
    rng = Random(os.getpid())
    name, subnet = f"fd{os.getpid() % 100_000}", f"10.{rng.randint(64, 127)}.{rng.randint(0, 255)}"
    bridge = f"{name}br"
    plugged: list[Host] = []
    try:
        ip("link", "add", bridge, "type", "bridge")
        ip("addr", "add", f"{subnet}.1/24", "dev", bridge)
        ip("link", "set", bridge, "up")
        for number, letter in enumerate(IN_NAMESPACES[:hosts], 2):
            plugged.append(Host(name, letter, number, subnet))
            plugged[-1].plug_in(bridge)
        yield plugged
    finally:
        for host in plugged:
            host.unplug()
        with suppress(subprocess.CalledProcessError):
            ip("link", "del", bridge)
