"""Where the tests come from, as people cite it."""

from __future__ import annotations

__all__ = ["ALPAYDIN", "BOUCKAERT", "BOUCKAERT_FRANK", "DIETTERICH", "NADEAU_BENGIO"]

DIETTERICH = "Dietterich (1998), Neural Computation 10"
ALPAYDIN = "Alpaydın (1999), Neural Computation 11"
BOUCKAERT = "Bouckaert (2003), ICML"
BOUCKAERT_FRANK = "Bouckaert & Frank (2004), PAKDD"
NADEAU_BENGIO = "Nadeau & Bengio (2003), Machine Learning 52"
