"""The questions the supervisor asks, and the failed starts it reports."""

import http.server
import sys
import threading

import pytest

from prawko.embedded.log_files import LARGEST, end_of_log, open_log
from prawko.embedded.supervisor import Service, answers, supervise


@pytest.fixture
def server():
    """Answers 200 under /good and 503 elsewhere."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200 if self.path == "/good" else 503)
            self.end_headers()

        def log_message(self, *_):
            pass

    with http.server.HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def test_an_address_answers_only_with_200(server):
    assert answers(f"{server}/good")()
    assert not answers(f"{server}/bad")()
    assert not answers("http://127.0.0.1:1/good")()


def python(code):
    return [sys.executable, "-c", code]


def never():
    raise AssertionError("announced as ready")


def test_a_service_that_ends_before_it_is_ready_fails_the_start_with_its_last_words(
    tmp_path, capsys
):
    services = [
        Service("steady", python("import time; time.sleep(60)")),
        Service("broken", python("print('DATABASE_URL is missing'); exit(3)"), ready=lambda: False),
    ]
    assert supervise(services, logs=tmp_path, on_ready=never) == 1
    told = capsys.readouterr().err
    assert "broken ended (exit code 3)" in told
    assert "DATABASE_URL is missing" in told


def test_a_service_that_is_never_ready_fails_the_start(tmp_path, capsys):
    idle = python("import time; time.sleep(60)")
    services = [Service("slow", idle, ready=lambda: False, ready_within=0.2)]

    assert supervise(services, logs=tmp_path, on_ready=never) == 1
    assert "slow is not ready after 0.2 s" in capsys.readouterr().err


def test_a_program_that_does_not_exist_fails_the_start_with_its_name(tmp_path, capsys):
    services = [Service("absent", ["/no/such/program"], ready=lambda: False)]

    assert supervise(services, logs=tmp_path, on_ready=never) == 1
    assert "/no/such/program: No such file" in capsys.readouterr().err


def test_a_large_log_makes_room_and_the_one_before_is_kept(tmp_path):
    (tmp_path / "panel.log").write_bytes(b"old\n" + b"." * LARGEST)
    with open_log(tmp_path, "panel") as log:
        log.write(b"new\n")

    assert (tmp_path / "panel.log").read_bytes() == b"new\n"
    assert (tmp_path / "panel.log.1").read_bytes().startswith(b"old\n")
    assert end_of_log(tmp_path, "panel").endswith("panel.log:\n  new")
