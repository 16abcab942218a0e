"""One door for results that already exist, whatever wrote them."""

from __future__ import annotations

from foldwise.judging.judge import explain, judge
from foldwise.judging.judgement import Judgement
from foldwise.judging.understanding import Understanding

__all__ = ["Judgement", "Understanding", "explain", "judge"]
