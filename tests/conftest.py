from __future__ import annotations

from hypothesis import settings

# deterministic: a failure seen once is seen by everybody; no deadline: CI machines stall
settings.register_profile("suite", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("suite")
