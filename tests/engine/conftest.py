from __future__ import annotations

import sys
from pathlib import Path

# worker processes import the learners of studies.py by name
sys.path.insert(0, str(Path(__file__).parent))
