"""The supervisor's HTTP probe, failed starts, and log files."""

import http.server
import sys
import threading

import pytest

from prawko_embedded.log_files import MAX_LOG_BYTES, open_log, read_log_tail
from prawko_embedded.supervisor import ServiceSpec, make_http_probe, supervise_services


@pytest.fixture
def server():
    """An HTTP server with 200 for /good and 503 elsewhere."""

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


def test_the_http_probe_accepts_only_status_200(server):
    assert make_http_probe(f"{server}/good")()
    assert not make_http_probe(f"{server}/bad")()
    assert not make_http_probe("http://127.0.0.1:1/good")()


def python_command(code):
    return [sys.executable, "-c", code]


def fail_if_ready():
    raise AssertionError("announced as ready")


def test_a_service_that_exits_before_it_is_ready_fails_the_start_with_its_log(tmp_path, capsys):
    services = [
        ServiceSpec("steady", python_command("import time; time.sleep(60)")),
        ServiceSpec(
            "broken",
            python_command("print('DATABASE_URL is missing'); exit(3)"),
            is_ready=lambda: False,
        ),
    ]
    assert supervise_services(services, logs=tmp_path, on_ready=fail_if_ready) == 1
    stderr = capsys.readouterr().err
    assert "broken ended (exit code 3)" in stderr
    assert "DATABASE_URL is missing" in stderr


def test_a_service_that_is_never_ready_fails_the_start(tmp_path, capsys):
    idle = python_command("import time; time.sleep(60)")
    services = [ServiceSpec("slow", idle, is_ready=lambda: False, ready_timeout=0.2)]

    assert supervise_services(services, logs=tmp_path, on_ready=fail_if_ready) == 1
    assert "slow is not ready after 0.2 s" in capsys.readouterr().err


def test_a_program_that_does_not_exist_fails_the_start_with_its_name(tmp_path, capsys):
    services = [ServiceSpec("absent", ["/no/such/program"], is_ready=lambda: False)]

    assert supervise_services(services, logs=tmp_path, on_ready=fail_if_ready) == 1
    assert "/no/such/program: No such file" in capsys.readouterr().err


def test_a_large_log_is_rotated(tmp_path):
    (tmp_path / "panel.log").write_bytes(b"old\n" + b"." * MAX_LOG_BYTES)
    with open_log(tmp_path, "panel") as log:
        log.write(b"new\n")

    assert (tmp_path / "panel.log").read_bytes() == b"new\n"
    assert (tmp_path / "panel.log.1").read_bytes().startswith(b"old\n")
    assert read_log_tail(tmp_path, "panel").endswith("panel.log:\n  new")
