"""The façade: evidence → recommended procedure → `Comparison`."""

from __future__ import annotations
