"""What the paper prints: Tables 1 to 5 and the counts of section 4.3."""

from __future__ import annotations

__all__ = ["DRAWS", "PAIRS", "SECTION_4_3", "TABLE_1", "TABLE_2", "TABLE_3", "TABLE_4", "TABLE_5"]

PAIRS = (("nb", "c45"), ("nb", "1nn"), ("c45", "1nn"))
"""The three comparisons, in the order of the columns of Table 1."""

# Table 1: how often of ten times the 5×2cv test finds no difference, by our name of the data set
DRAWS: dict[str, tuple[int, int, int]] = {
    "anneal": (4, 4, 10),
    "arrhythmia": (9, 9, 2),
    "audiology": (5, 10, 8),
    "autos": (10, 7, 10),
    "balance-scale": (1, 4, 7),
    "breast-cancer": (10, 9, 8),
    "credit-a": (6, 8, 10),
    "ecoli": (7, 10, 10),
    "credit-g": (9, 6, 10),
    "glass": (6, 6, 9),
    "heart-statlog": (4, 5, 9),
    "hepatitis": (9, 10, 10),
    "colic": (8, 10, 7),
    "heart-h": (10, 10, 10),
    "ionosphere": (10, 10, 8),
    "iris": (10, 10, 10),
    "labor": (8, 10, 10),
    "lymph": (9, 10, 10),
    "diabetes": (10, 6, 7),
    "primary-tumor": (7, 3, 10),
    "sonar": (10, 9, 6),
    "soybean": (8, 8, 9),
    "vehicle": (0, 0, 9),
    "vote": (4, 9, 7),
    "vowel": (4, 0, 0),
    "breast-w": (8, 9, 10),
    "zoo-noanimal": (10, 10, 8),
}

Summary = dict[tuple[str, str], tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]]
"""Per pair the rows "consistent", "almost consistent" and "replicability (R)"."""

TABLE_1: Summary = {
    ("nb", "c45"): (("9",), ("14",), ("0.737",)),
    ("nb", "1nn"): (("12",), ("17",), ("0.783",)),
    ("c45", "1nn"): (("13",), ("17",), ("0.816",)),
}

# columns: 10, 20, 50, 100 runs
TABLE_2: Summary = {
    ("nb", "c45"): (("15", "14", "19", "21"), ("16", "19", "22", "23"), ("0.801", "0.843", "0.892", "0.922")),
    ("nb", "1nn"): (("12", "15", "18", "20"), ("20", "21", "22", "23"), ("0.835", "0.865", "0.882", "0.899")),
    ("c45", "1nn"): (("12", "14", "18", "23"), ("18", "17", "22", "24"), ("0.819", "0.825", "0.878", "0.935")),
}

# columns: 1, 2, 5, 10 runs
TABLE_3: Summary = {
    ("nb", "c45"): (("16", "20", "21", "24"), ("18", "21", "23", "25"), ("0.821", "0.889", "0.928", "0.962")),
    ("nb", "1nn"): (("18", "20", "23", "23"), ("19", "21", "23", "24"), ("0.858", "0.890", "0.939", "0.942")),
    ("c45", "1nn"): (("13", "19", "22", "22"), ("18", "23", "24", "24"), ("0.814", "0.904", "0.928", "0.928")),
}

# columns: significance levels 1, 2.5, 5 and 10 %
TABLE_4: Summary = {
    ("nb", "c45"): (("22", "23", "24", "21"), ("23", "24", "25", "22"), ("0.927", "0.936", "0.962", "0.915")),
    ("nb", "1nn"): (("23", "24", "23", "23"), ("24", "27", "24", "23"), ("0.939", "0.978", "0.942", "0.939")),
    ("c45", "1nn"): (("23", "24", "22", "20"), ("23", "24", "24", "24"), ("0.943", "0.953", "0.928", "0.919")),
}

# consistent data sets of 27, by test, in the order of PAIRS
SECTION_4_3: dict[str, tuple[str, str, str]] = {
    "kfold_cv_t": ("15", "16", "14"),
    "use_all_data": ("25", "24", "18"),
}

# per cent of 1000 data sets on which ten repetitions agree, by source 1 to 4
TABLE_5: dict[str, tuple[str, str, str, str]] = {
    "5×2 cv": ("72.3", "71.2", "63.5", "16.9"),
    "10 × resampling": ("65.5", "44.0", "26.0", "48.8"),
    "100 × resampling": ("90.9", "73.2", "66.8", "97.2"),
    "10-fold cv": ("49.7", "47.6", "33.2", "90.8"),
    "corrected 10×10-fold cv": ("91.9", "80.3", "76.7", "98.9"),
}
