"""Where the tests come from, as people cite it."""

from __future__ import annotations

__all__ = [
    "ALPAYDIN",
    "BATES",
    "BAYLE",
    "BENAVOLI",
    "BOUCKAERT",
    "BOUCKAERT_FRANK",
    "CORANI",
    "DEMSAR",
    "DIETTERICH",
    "FOLDWISE",
    "FOLDWISE_INFLUENCE",
    "GARCIA",
    "LUO_BARBER",
    "NADEAU_BENGIO",
    "QUADE",
    "SKILLINGS_MACK",
    "YANG",
]

DIETTERICH = "Dietterich (1998), Neural Computation 10"
ALPAYDIN = "Alpaydın (1999), Neural Computation 11"
BOUCKAERT = "Bouckaert (2003), ICML"
BOUCKAERT_FRANK = "Bouckaert & Frank (2004), PAKDD"
NADEAU_BENGIO = "Nadeau & Bengio (2003), Machine Learning 52"
DEMSAR = "Demšar (2006), Journal of Machine Learning Research 7"
GARCIA = "García, Fernández, Luengo & Herrera (2010), Information Sciences 180"
QUADE = "Quade (1979), Journal of the American Statistical Association 74"
SKILLINGS_MACK = "Skillings & Mack (1981), Technometrics 23"
BENAVOLI = "Benavoli, Corani, Demšar & Zaffalon (2017), Journal of Machine Learning Research 18"
CORANI = "Corani, Benavoli, Demšar, Mangili & Zaffalon (2017), Machine Learning 106"
BATES = "Bates, Hastie & Tibshirani (2024), Journal of the American Statistical Association 119"
BAYLE = "Bayle, Bayle, Janson & Mackey (2020), NeurIPS 33"
LUO_BARBER = "Luo & Barber (2024), arXiv"
YANG = "Yang, Wang, Song & Li (2023), arXiv"
FOLDWISE = "foldwise (2026), the round-robin test"
FOLDWISE_INFLUENCE = "foldwise (2026), the influence-robust test"
