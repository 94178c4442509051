"""Reads variables from files, so that secrets need not be in the environment of a process.

systemd (LoadCredential=) and container engines mount one file for each secret. The folder is named
by CREDENTIALS_DIRECTORY, which systemd sets itself; a file has the name of its variable.
"""

import re
from collections.abc import Mapping
from pathlib import Path

from prawko.hooks.environment import SettingsError

FOLDER_VARIABLE = "CREDENTIALS_DIRECTORY"
_VARIABLE_NAME = re.compile(r"[A-Z][A-Z0-9_]*")


def read_secret_files(variables: Mapping[str, str]) -> dict[str, str]:
    """Return the variables that have a file and no value. Raises SettingsError."""
    folder = variables.get(FOLDER_VARIABLE)
    if not folder:
        return {}
    try:
        files = list(Path(folder).iterdir())
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except OSError as error:
        text = f"names a folder that cannot be read: {folder} ({error.strerror})"
        raise SettingsError(FOLDER_VARIABLE, text) from None
    secrets = {}
    for file in files:
        if _VARIABLE_NAME.fullmatch(file.name) and not variables.get(file.name):
            try:
                secrets[file.name] = file.read_text(encoding="utf-8").rstrip("\n")
            except (OSError, UnicodeDecodeError) as error:
                reason = getattr(error, "strerror", None) or "it is no text"
                raise SettingsError(file.name, f"cannot be read from {file} ({reason})") from None
    return secrets
