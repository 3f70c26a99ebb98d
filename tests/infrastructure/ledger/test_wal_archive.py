"""One server and an archive, as `docs/operating.md` advises: after its disk is lost, all that was answered is back."""

import shutil
import subprocess
import tempfile
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from fairdeal import Fairdeal
from fairdeal.application.checkpoints.proofs import NoProof
from kits.cluster import Node
from kits.failover import Load, Outcome, lost_and_doubled, show
from kits.waiting import until

pytestmark = pytest.mark.xdist_group("cluster")

RECEIVER = "archive"
RESTORE = "restore_command = 'cp {archive}/%f %p{partial}'\nrecovery_target_timeline = 'latest'\n"


class Server(Node):
    """One server that keeps complete segments of its log in one folder and streams to another."""

    def __init__(self, home: Path) -> None:
        super().__init__(home / "data")
        self.home, self.segments, self.stream = home, home / "segments", home / "stream"
        for folder in (self.folder, self.segments, self.stream):
            folder.mkdir(exist_ok=True)
            if self.system_user is not None:
                shutil.chown(folder, self.system_user)

    @contextmanager
    def receiving(self) -> Generator[None]:
        """`pg_receivewal --synchronous` writes down all that is committed, and commits wait for it."""
        where = f"host={self.host} port={self.port} user=postgres application_name={RECEIVER}"
        self.execute(f"SELECT pg_create_physical_replication_slot('{RECEIVER}', true)")
        words = [
            str(self.binary("pg_receivewal")),
            "--synchronous",
            "-S",
            RECEIVER,
            "-D",
            str(self.stream),
            "-d",
            where,
        ]
        with subprocess.Popen(words, user=self.system_user, stderr=subprocess.DEVNULL) as receiver:
            try:
                self.wait_for(RECEIVER)
                until(lambda: self.value("SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'"))
                yield
            finally:
                receiver.terminate()

    def restored(self, name: str, archive: Path, *, partial: bool) -> Node:
        """A new server from the base backup and an archive."""
        node = Node(self.home / name)
        shutil.copytree(self.home / "base", node.folder, dirs_exist_ok=True)
        node.configure()
        # The segment that was being written has a name of its own.
        last = f" || cp {archive}/%f.partial %p" if partial else ""
        with (node.folder / "postgresql.auto.conf").open("a") as file:
            file.write(RESTORE.format(archive=archive, partial=last))
            file.write("synchronous_standby_names = ''\narchive_mode = off\n")
        (node.folder / "recovery.signal").touch()
        if self.system_user is not None:
            for path in (node.folder, *node.folder.rglob("*")):
                shutil.chown(path, self.system_user)
        node.start()
        until(lambda: node.value("SELECT NOT pg_is_in_recovery()"))
        return node


@pytest.fixture
def server() -> Iterator[Server]:
    home = Path(tempfile.mkdtemp(prefix="fairdeal-archive-"))
    home.chmod(0o755)
    one = Server(home)
    if one.system_user is not None:
        shutil.chown(home, one.system_user)
    one.make()
    with (one.folder / "postgresql.auto.conf").open("a") as file:
        file.write(f"archive_mode = on\narchive_command = 'cp %p {one.segments}/%f'\n")
    one.start()
    try:
        yield one
    finally:
        for folder in ("data", "streamed", "archived"):
            if (home / folder / "postmaster.pid").exists():
                Node(home / folder).stop()
        shutil.rmtree(home, ignore_errors=True)


def test_with_a_synchronous_receiver_nothing_is_lost_and_with_an_archive_alone_receipts_and_checkpoints_prove_the_loss(
    server: Server,
) -> None:
    with Fairdeal(server.address) as fairdeal:
        before = fairdeal.start_game("kings_corners", ["ann", "bob"])
    with server.receiving():
        server.copy_to("base")
        load = Load(server.address)
        with load.running():
            load.wait_for_more()
            with Fairdeal(server.address, read_only=True) as fairdeal:
                checkpoint = fairdeal.checkpoints.make()
            load.wait_for_more()
            server.kill()
            shutil.rmtree(server.folder)  # its disk is gone
            load.give_up()
    receipts = [receipt for _, receipt in load.answers]

    streamed = server.restored("streamed", server.stream, partial=True)
    with Fairdeal(streamed.address) as fairdeal:
        lost, doubled = lost_and_doubled(fairdeal, receipts)
        show(Outcome("disk lost, base backup and receiver", len(receipts), lost, doubled, 0.0))
        assert (lost, doubled) == (0, 0)
        fairdeal.checkpoints.must_still_hold(checkpoint)
        assert all(report.good for report in fairdeal.audit_all())
    streamed.stop()

    archived = server.restored("archived", server.segments, partial=False)
    with Fairdeal(archived.address) as fairdeal:
        lost, doubled = lost_and_doubled(fairdeal, receipts)
        show(Outcome("disk lost, base backup and archive alone", len(receipts), lost, doubled, 0.0))
        assert lost > 0
        assert fairdeal.audit(before.game_id, [before.receipt]).good
        with pytest.raises(NoProof):
            fairdeal.checkpoints.must_still_hold(checkpoint)
    archived.stop()
