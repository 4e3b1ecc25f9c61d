"""What ``--cluster`` names, and what is said of names that name nothing."""

import json
import shutil
import socket
import ssl
import subprocess
from contextlib import suppress
from threading import Thread

import pytest

from topoctl.engine import worker
from topoctl.engine.cluster_names import Cluster
from topoctl.engine.protocol import Task
from topoctl.engine.worker import Refused, answer_of, task_bytes, work
from topoctl.errors import Damaged, FormatError, InvalidParameters, TopoctlError

pytestmark = pytest.mark.once


@pytest.mark.parametrize(
    "name",
    [
        *("local", "local:", "local:0", "local:x", "local:2000", "local:-1", "local:" + "9" * 5000),
        *("tcp://", "tcp://host", "tcp://host:0", "tcp://host:70000", "tcp://a b:1", "udp://host:1", "://"),
    ],
)
def test_a_name_of_no_cluster_is_refused(name):
    with pytest.raises(InvalidParameters, match=r"^--cluster .*: expected local:"):
        Cluster.named(name)


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("lcoal:2", "local:2"),
        ("node7:8786", "tcp://node7:8786"),
        ("tcp:/node7:8786", "tcp://node7:8786"),
        ("tpc://node7:8786", "tcp://node7:8786"),
        ("tls:/[::1]:8786", "tls://[::1]:8786"),
        ("http://node7:8786", "tcp://node7:8786"),
        ("tcp://node7", "tcp://node7:8786"),
    ],
)
def test_of_a_misspelled_name_the_right_one_is_suggested(name, meant):
    with pytest.raises(InvalidParameters) as error:
        Cluster.named(name)
    assert str(error.value).startswith(f"--cluster '{name}': expected local:WORKERS, tcp://HOST:PORT")
    assert str(error.value).endswith(f"; did you mean {meant}?")


def test_what_is_neither_a_file_nor_like_a_name_is_refused():
    with pytest.raises(InvalidParameters, match=r"^--cluster '': expected local:WORKERS"):
        Cluster.named("")
    with pytest.raises(FormatError, match=r"^jobs\.json: no such scheduler file; expected local:WORKERS"):
        Cluster.named("jobs.json")


def test_schedulers_are_named_by_address_or_by_file(tmp_path):
    assert Cluster.named("tls://[::1]:8786/").address == "tls://[::1]:8786"
    path = tmp_path / "scheduler.json"
    path.write_text(json.dumps({"address": "tcp://10.0.0.7:8786", "workers": {}}))
    assert Cluster.named(str(path)).address == "tcp://10.0.0.7:8786"
    for text in ("", "[]", "{}", '{"address": 7}'):
        path.write_text(text)
        with pytest.raises(FormatError, match="no scheduler file"):
            Cluster.named(str(path))
    with pytest.raises(FormatError, match="no such scheduler file"):
        Cluster.named(str(tmp_path))


def test_without_dask_it_is_said_how_to_install_it(monkeypatch):
    monkeypatch.setattr("topoctl.engine.cluster_names.find_spec", lambda name: None)
    with pytest.raises(InvalidParameters, match="pip install distributed"):
        Cluster.named("local:2").engine()


def test_what_is_no_scheduler_is_said_at_once(monkeypatch):
    from topoctl.engine import dask as engine

    monkeypatch.setattr(engine, "CONNECT_SECONDS", 0.5)
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{unused.getsockname()[1]}"
    refused = f"no connection to the scheduler {address}: .*refused; expected the address"
    with pytest.raises(TopoctlError, match=refused):
        engine.connect(address)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"//127.0.0.1:{silent.getsockname()[1]}"
        with pytest.raises(TopoctlError, match="no Dask scheduler answers there"):
            engine.connect(f"tcp:{address}")
        with pytest.raises(TopoctlError, match="no certificates; name them in"):
            engine.connect(f"tls:{address}")


@pytest.mark.parametrize("greeting", [b"SSH-2.0-OpenSSH_9.6\r\n", b"\0", bytes([16, *[0] * 7]), b"\1" * 24])
def test_another_server_is_no_scheduler(monkeypatch, greeting):
    from topoctl.engine import dask as engine

    monkeypatch.setattr(engine, "CONNECT_SECONDS", 0.5)

    def serve(listener, links):
        with suppress(OSError):
            while True:
                links.append(listener.accept()[0])
                links[-1].sendall(greeting)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        links = []
        serving = Thread(target=serve, args=(listener, links), daemon=True)
        serving.start()
        with pytest.raises(TopoctlError, match="no Dask scheduler answers there"):
            engine.connect(f"tcp://127.0.0.1:{listener.getsockname()[1]}")
        listener.shutdown(socket.SHUT_RDWR)
    serving.join()
    for link in links:
        link.close()


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl makes the certificates")
def test_a_certificate_of_nobody_is_said(tmp_path):
    import dask

    from topoctl.engine import dask as engine

    for name in ("ours", "theirs"):
        made = (
            f"req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN={name} -keyout {name}.key -out {name}.crt"
        )
        subprocess.run(["openssl", *made.split()], cwd=tmp_path, check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "theirs.crt", tmp_path / "theirs.key")

    def serve(listener):
        with pytest.raises(ssl.SSLError):
            context.wrap_socket(listener.accept()[0], server_side=True)

    files = {"ca-file": "ours.crt", "client.cert": "ours.crt", "client.key": "ours.key"}
    tls = {f"distributed.comm.tls.{name}": str(tmp_path / file) for name, file in files.items()}
    with socket.create_server(("127.0.0.1", 0)) as listener, dask.config.set(tls):
        serving = Thread(target=serve, args=(listener,))
        serving.start()
        with pytest.raises(TopoctlError, match="certificate verify failed"):
            engine.connect(f"tls://127.0.0.1:{listener.getsockname()[1]}")
        serving.join()


def test_a_worker_answers_with_values_errors_or_a_refusal(monkeypatch):
    odd = Task("epochs", {"command": "juggle", "parameters": {}, "seconds": 0, "memory": None, "state": None})
    with pytest.raises(Damaged, match="command 'juggle' has no search"):
        answer_of(work(task_bytes(odd)), odd)
    sent = task_bytes(odd)
    monkeypatch.setattr(worker, "__version__", "0.0.1")
    monkeypatch.setattr("distributed.get_worker", lambda: type("Worker", (), {"address": "tcp://a:1"}))
    with pytest.raises(Refused) as refusal:
        answer_of(work(sent), odd)
    assert refusal.value.args[0] == "tcp://a:1"
    assert refusal.value.args[1]["topoctl"] == "0.0.1"
