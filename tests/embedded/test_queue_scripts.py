"""The embedded Redis runs the scripts of the queue and no other Lua."""

import pytest
from redis import Redis
from redis.exceptions import NoPermissionError

from prawko.kit.context import AppContext
from prawko.kit.work.jobs import job
from prawko.kit.work.queue import SaqQueue, list_queue_scripts
from prawko_embedded import start_servers

pytestmark = pytest.mark.anyio

SCRIPT = "return redis.call('PING')"


@job(timeout=5)
async def waiting_job(context: AppContext) -> None:
    """Does nothing."""


@pytest.fixture(scope="module")
def running(tmp_path_factory):
    home = tmp_path_factory.mktemp("queue") / "home"
    with start_servers(home, durable=False, scripts=list_queue_scripts()) as servers:
        yield servers


@pytest.mark.parametrize(
    "command",
    [
        ("EVAL", SCRIPT, 0),
        ("SCRIPT", "LOAD", SCRIPT),
        ("SCRIPT", "FLUSH"),
        ("ACL", "SETUSER", "default", "+eval"),
        ("ACL", "SETUSER", "me", "on", "nopass", "+@all"),
        ("CONFIG", "SET", "dir", "/tmp"),
        ("MODULE", "LOAD", "/tmp/module.so"),
        ("DEBUG", "SLEEP", "0"),
        ("REPLICAOF", "127.0.0.1", "6379"),
        ("RESTORE", "key", "0", "x"),
        ("MIGRATE", "127.0.0.1", "6379", "key", "0", "100"),
        ("SHUTDOWN",),
    ],
    ids=lambda command: command[0].lower(),
)
def test_no_other_script_runs_and_nothing_changes_the_server(running, command):
    with Redis.from_url(running.urls.redis_url) as redis, pytest.raises(NoPermissionError):
        redis.execute_command(*command)


async def test_a_job_is_queued_and_taken_also_after_a_restart(running):
    assert len(list_queue_scripts()) == 3
    for restarts in (False, True):
        if restarts:
            running.restart_redis()
        queue = SaqQueue(running.urls.redis_url)
        await queue.enqueue(waiting_job)
        assert await queue.saq.count("queued") == 1
        assert await queue.saq.schedule(lock=1) == []
        assert await queue.saq.sweep(lock=1) == []
        taken = await queue.saq.dequeue(timeout=5)
        assert taken.function == waiting_job.name
        await queue.saq.finish(taken, "complete")
        await queue.close()
