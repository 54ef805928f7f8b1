"""`python -m visualizer`: the command `unfold`, where scripts are not on the PATH."""

import sys

from visualizer.cli import main

if __name__ == "__main__":
    sys.exit(main())
