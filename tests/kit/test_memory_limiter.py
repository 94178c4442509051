"""The memory that owners share: nobody takes all of it."""

from prawko.kit.http.body_limits import MemoryLimiter


def fill(memory: MemoryLimiter, owner: str, step: int = 1) -> int:
    """Reserve as much as the owner may have; return how much that is."""
    size = 0
    while memory.reserve(owner, step):
        size += step
    return size


def test_one_owner_gets_half_and_two_get_a_third_each() -> None:
    alone = MemoryLimiter(900)
    assert fill(alone, "anna") == 450

    shared = MemoryLimiter(900)
    for _ in range(300):
        assert shared.reserve("anna", 1)
        assert shared.reserve("celina", 1)
    assert not shared.reserve("anna", 1)
    assert not shared.reserve("celina", 1)


def test_after_a_hundred_owners_have_all_they_may_there_is_room_for_the_next() -> None:
    memory = MemoryLimiter(16 * 1024 * 1024)
    for _ in range(64):
        for owner in range(100):
            memory.reserve(owner, 4096)

    assert memory.reserve("next", 64 * 1024)


def test_what_is_released_may_be_reserved_again() -> None:
    memory = MemoryLimiter(100)
    assert memory.reserve("anna", 50)
    assert not memory.reserve("anna", 1)
    assert not memory.reserve("celina", 26)

    memory.release("anna", 50)

    assert fill(memory, "celina") == 50
