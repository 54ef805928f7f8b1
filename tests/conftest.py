"""Test modules beside each other may import their folder's own modules by name."""

import sys
from pathlib import Path

for folder in ("expansion", "samples"):
    sys.path.insert(0, str(Path(__file__).parent / folder))
