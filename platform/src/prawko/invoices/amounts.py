"""Amounts as people read them on paper. Pure."""

NO_BREAK = "\N{NO-BREAK SPACE}"


def zloty(grosze: int) -> str:
    """Grosze as Polish paper writes zloty: `1 234,56`, held together by blanks that do not break.

    Raises ValueError below zero: what is taken back stands on a correction.
    """
    if grosze < 0:
        raise ValueError(f"{grosze} is below zero")
    whole, rest = divmod(grosze, 100)
    return f"{whole:,}".replace(",", NO_BREAK) + f",{rest:02}"
