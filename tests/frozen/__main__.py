"""Write the frozen files anew, or compare them: `python -m tests.frozen [--write]`."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from frozen.interfaces import collect_interfaces

FOLDER = Path(__file__).parent

if __name__ == "__main__":
    differing = []
    for name, content in collect_interfaces().items():
        path = FOLDER / name
        if not path.exists() or path.read_text(encoding="utf-8") != f"{content}\n":
            differing.append(name)
            if "--write" in sys.argv:
                path.write_text(f"{content}\n", encoding="utf-8")
    print("\n".join(differing) or "nothing differs")
    sys.exit(bool(differing) and "--write" not in sys.argv)
