"""Where the tests are written, as a bibliography and BibTeX have it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

import foldwise
from foldwise.document.document import Block, Bullets, Text

_FULL = {
    "Dietterich (1998)": "Dietterich, T. G. (1998). Approximate statistical tests for comparing supervised "
    "classification learning algorithms. Neural Computation, 10(7), 1895–1923.",
    "Nadeau & Bengio (2003)": "Nadeau, C., & Bengio, Y. (2003). Inference for the generalization error. Machine "
    "Learning, 52(3), 239–281.",
    "Bouckaert & Frank (2004)": "Bouckaert, R. R., & Frank, E. (2004). Evaluating the replicability of significance "
    "tests for comparing learning algorithms. PAKDD 2004, LNCS 3056, 3–12.",
    "Bouckaert (2003)": "Bouckaert, R. R. (2003). Choosing between two learning algorithms based on calibrated tests. "
    "ICML 2003, 51–58.",
    "Alpaydın (1999)": "Alpaydın, E. (1999). Combined 5 × 2 cv F test for comparing supervised classification learning "
    "algorithms. Neural Computation, 11(8), 1885–1892.",
    "DeLong, DeLong & Clarke-Pearson (1988)": "DeLong, E. R., DeLong, D. M., & Clarke-Pearson, D. L. (1988). Comparing "
    "the areas under two or more correlated receiver operating characteristic curves: a nonparametric approach. "
    "Biometrics, 44(3), 837–845.",
    "Fagerland, Lydersen & Laake (2013)": "Fagerland, M. W., Lydersen, S., & Laake, P. (2013). The McNemar test for "
    "binary matched-pairs data: mid-p and asymptotic are better than exact conditional. BMC Medical Research "
    "Methodology, 13(1), 1–8.",
    "Tango (1998)": "Tango, T. (1998). Equivalence test and confidence interval for the difference in proportions for "
    "the paired-sample design. Statistics in Medicine, 17(8), 891–908.",
    "Bradley & Terry (1952)": "Bradley, R. A., & Terry, M. E. (1952). Rank analysis of incomplete block designs: I. "
    "The method of paired comparisons. Biometrika, 39(3/4), 324–345.",
    "Schuirmann (1987)": "Schuirmann, D. J. (1987). A comparison of the two one-sided tests procedure and the power "
    "approach for assessing the equivalence of average bioavailability. Journal of Pharmacokinetics and "
    "Biopharmaceutics, 15(6), 657–680.",
    "Chung & Romano (2013)": "Chung, E., & Romano, J. P. (2013). Exact and asymptotically robust permutation tests. "
    "Annals of Statistics, 41(2), 484–507.",
    "Koehn (2004)": "Koehn, P. (2004). Statistical significance tests for machine translation evaluation. Proceedings "
    "of EMNLP, 388–395.",
    "Obuchowski & Rockette (1995)": "Obuchowski, N. A., & Rockette, H. E. (1995). Hypothesis testing of diagnostic "
    "accuracy for multiple readers and multiple tests: an ANOVA approach with dependent observations. Communications "
    "in Statistics – Simulation and Computation, 24(2), 285–308.",
    "Dorfman, Berbaum & Metz (1992)": "Dorfman, D. D., Berbaum, K. S., & Metz, C. E. (1992). Receiver operating "
    "characteristic rating analysis: generalization to the population of readers and patients with the jackknife "
    "method. Investigative Radiology, 27(9), 723–731.",
    "Efron & Stein (1981)": "Efron, B., & Stein, C. (1981). The jackknife estimate of variance. Annals of Statistics, "
    "9(3), 586–596.",
    "Clark & West (2007)": "Clark, T. E., & West, K. D. (2007). Approximately normal tests for equal predictive "
    "accuracy in nested models. Journal of Econometrics, 138(1), 291–311.",
    "Cochran (1950)": "Cochran, W. G. (1950). The comparison of percentages in matched samples. Biometrika, 37(3/4), "
    "256–266.",
    "Holm (1979)": "Holm, S. (1979). A simple sequentially rejective multiple test procedure. Scandinavian Journal of "
    "Statistics, 6(2), 65–70.",
    "Hothorn, Bretz & Westfall (2008)": "Hothorn, T., Bretz, F., & Westfall, P. (2008). Simultaneous inference in "
    "general parametric models. Biometrical Journal, 50(3), 346–363.",
    "Westfall & Young (1993)": "Westfall, P. H., & Young, S. S. (1993). Resampling-based multiple testing: examples "
    "and methods for p-value adjustment. Wiley.",
    "Lei (2020)": "Lei, J. (2020). Cross-validation with confidence. Journal of the American Statistical Association, "
    "115(532), 1978–1997.",
    "Al Mohamad, Goeman & van Zwet (2022)": "Al Mohamad, D., Goeman, J. J., & van Zwet, E. W. (2022). Simultaneous "
    "confidence intervals for ranks with application to ranking institutions. Biometrics, 78(1), 238–247.",
    "foldwise (2026)": "foldwise (2026). The round-robin test; the influence-robust test. Documentation of foldwise, "
    "explanation/round_robin and explanation/influence; not peer-reviewed.",
    "Bates, Hastie & Tibshirani (2024)": "Bates, S., Hastie, T., & Tibshirani, R. (2024). Cross-validation: what does "
    "it estimate and how well does it do it? Journal of the American Statistical Association, 119(546), 1434–1445.",
    "Bayle, Bayle, Janson & Mackey (2020)": "Bayle, P., Bayle, A., Janson, L., & Mackey, L. (2020). Cross-validation "
    "confidence intervals for test error. Advances in Neural Information Processing Systems, 33, 16339–16350.",
    "Angelopoulos, Duchi & Zrnic (2023)": "Angelopoulos, A. N., Duchi, J. C., & Zrnic, T. (2023). PPI++: Efficient "
    "prediction-powered inference. arXiv:2311.01453.",
    "Rogan & Gladen (1978)": "Rogan, W. J., & Gladen, B. (1978). Estimating prevalence from the results of a screening "
    "test. American Journal of Epidemiology, 107(1), 71–76.",
    "Luo & Barber (2024)": "Luo, Y., & Barber, R. F. (2024). The limits of assumption-free tests for algorithm "
    "performance. arXiv:2402.07388.",
    "Yang, Wang, Song & Li (2023)": "Yang, J., Wang, R., Song, Y., & Li, J. (2023). Block-regularized 5×2 "
    "cross-validated McNemar's test for comparing two classification algorithms. arXiv:2304.03990.",
    "Diebold & Mariano (1995)": "Diebold, F. X., & Mariano, R. S. (1995). Comparing predictive accuracy. Journal of "
    "Business & Economic Statistics, 13(3), 253–263.",
    "Lazarus, Lewis, Stock & Watson (2018)": "Lazarus, E., Lewis, D. J., Stock, J. H., & Watson, M. W. (2018). HAR "
    "inference: recommendations for practice. Journal of Business & Economic Statistics, 36(4), 541–559.",
    "Kiefer & Vogelsang (2005)": "Kiefer, N. M., & Vogelsang, T. J. (2005). A new asymptotic theory for "
    "heteroskedasticity-autocorrelation robust tests. Econometric Theory, 21(6), 1130–1164.",
    "Harvey, Leybourne & Newbold (1997)": "Harvey, D., Leybourne, S., & Newbold, P. (1997). Testing the equality of "
    "prediction mean squared errors. International Journal of Forecasting, 13(2), 281–291.",
    "Bell & McCaffrey (2002)": "Bell, R. M., & McCaffrey, D. F. (2002). Bias reduction in standard errors for linear "
    "regression with multi-stage samples. Survey Methodology, 28(2), 169–181.",
    "Satterthwaite (1946)": "Satterthwaite, F. E. (1946). An approximate distribution of estimates of variance "
    "components. Biometrics Bulletin, 2(6), 110–114.",
    "Student (1908)": "Student (1908). The probable error of a mean. Biometrika, 6(1), 1–25.",
    "Demšar (2006)": "Demšar, J. (2006). Statistical comparisons of classifiers over multiple data sets. Journal of "
    "Machine Learning Research, 7, 1–30.",
    "Friedman (1937)": "Friedman, M. (1937). The use of ranks to avoid the assumption of normality implicit in the "
    "analysis of variance. Journal of the American Statistical Association, 32(200), 675–701.",
    "Iman & Davenport (1980)": "Iman, R. L., & Davenport, J. M. (1980). Approximations of the critical region of the "
    "Friedman statistic. Communications in Statistics – Theory and Methods, 9(6), 571–595.",
    "Hochberg (1988)": "Hochberg, Y. (1988). A sharper Bonferroni procedure for multiple tests of significance. "
    "Biometrika, 75(4), 800–802.",
    "Hommel (1988)": "Hommel, G. (1988). A stagewise rejective multiple test procedure based on a modified Bonferroni "
    "test. Biometrika, 75(2), 383–386.",
    "Dunn (1961)": "Dunn, O. J. (1961). Multiple comparisons among means. Journal of the American Statistical "
    "Association, 56(293), 52–64.",
    "Benjamini & Hochberg (1995)": "Benjamini, Y., & Hochberg, Y. (1995). Controlling the false discovery rate: a "
    "practical and powerful approach to multiple testing. Journal of the Royal Statistical Society B, 57(1), 289–300.",
    "Benjamini & Yekutieli (2001)": "Benjamini, Y., & Yekutieli, D. (2001). The control of the false discovery rate in "
    "multiple testing under dependency. Annals of Statistics, 29(4), 1165–1188.",
    "Shaffer (1986)": "Shaffer, J. P. (1986). Modified sequentially rejective multiple test procedures. Journal of the "
    "American Statistical Association, 81(395), 826–831.",
    "Bergmann & Hommel (1988)": "Bergmann, B., & Hommel, G. (1988). Improvements of general multiple test procedures "
    "for redundant systems of hypotheses. Multiple Hypotheses Testing, Springer, 100–115.",
    "García, Fernández, Luengo & Herrera (2010)": "García, S., Fernández, A., Luengo, J., & Herrera, F. (2010). "
    "Advanced nonparametric tests for multiple comparisons in the design of experiments in computational intelligence "
    "and data mining. Information Sciences, 180(10), 2044–2064.",
    "Davidson (1970)": "Davidson, R. R. (1970). On extending the Bradley–Terry model to accommodate ties in paired "
    "comparison experiments. Journal of the American Statistical Association, 65(329), 317–328.",
    "Quade (1979)": "Quade, D. (1979). Using weighted rankings in the analysis of complete blocks with additive block "
    "effects. Journal of the American Statistical Association, 74(367), 680–683.",
    "Skillings & Mack (1981)": "Skillings, J. H., & Mack, G. A. (1981). On the use of a Friedman-type statistic in "
    "balanced and unbalanced block designs. Technometrics, 23(2), 171–177.",
    "Benavoli, Corani, Demšar & Zaffalon (2017)": "Benavoli, A., Corani, G., Demšar, J., & Zaffalon, M. (2017). Time "
    "for a change: a tutorial for comparing multiple classifiers through Bayesian analysis. Journal of Machine "
    "Learning Research, 18(77), 1–36.",
    "Brown, Cai & DasGupta (2001)": "Brown, L. D., Cai, T. T., & DasGupta, A. (2001). Interval estimation for a "
    "binomial proportion. Statistical Science, 16(2), 101–133.",
    "Clopper & Pearson (1934)": "Clopper, C. J., & Pearson, E. S. (1934). The use of confidence or fiducial limits "
    "illustrated in the case of the binomial. Biometrika, 26(4), 404–413.",
    "Wilson (1927)": "Wilson, E. B. (1927). Probable inference, the law of succession, and statistical inference. "
    "Journal of the American Statistical Association, 22(158), 209–212.",
    "Agresti & Coull (1998)": "Agresti, A., & Coull, B. A. (1998). Approximate is better than “exact” for interval "
    "estimation of binomial proportions. The American Statistician, 52(2), 119–126.",
    "Martin & Hirschberg (1996)": "Martin, J. K., & Hirschberg, D. S. (1996). Small sample statistics for "
    "classification error rates II: confidence intervals and significance tests. Technical report 96-22, Department of "
    "Information and Computer Science, University of California, Irvine.",
    "Efron (1983)": "Efron, B. (1983). Estimating the error rate of a prediction rule: improvement on "
    "cross-validation. Journal of the American Statistical Association, 78(382), 316–331.",
    "Efron & Tibshirani (1997)": "Efron, B., & Tibshirani, R. (1997). Improvements on cross-validation: the .632+ "
    "bootstrap method. Journal of the American Statistical Association, 92(438), 548–560.",
    "Waudby-Smith & Ramdas (2024)": "Waudby-Smith, I., & Ramdas, A. (2024). Estimating means of bounded random "
    "variables by betting. Journal of the Royal Statistical Society B, 86(1), 1–27.",
    "Berger (1982)": "Berger, R. L. (1982). Multiparameter hypothesis testing and acceptance sampling. Technometrics, "
    "24(4), 295–300.",
    "Corani, Benavoli, Demšar, Mangili & Zaffalon (2017)": "Corani, G., Benavoli, A., Demšar, J., Mangili, F., & "
    "Zaffalon, M. (2017). Statistical comparison of classifiers through Bayesian hierarchical modelling. Machine "
    "Learning, 106(11), 1817–1837.",
}


def bibliography() -> dict[str, str]:
    return dict(_FULL)


def full_reference(short: str) -> str:
    """The entry of a bibliography for a short reference such as "Nadeau & Bengio (2003), Machine Learning 52".

    Examples
    --------
    >>> full_reference("Bouckaert (2003), ICML, section 3")[:24]
    'Bouckaert, R. R. (2003).'
    """
    return next((full for start, full in _FULL.items() if short.startswith(start)), short)


def listed(references: Sequence[str]) -> Block | None:
    """The entries of references, each once; None where there are none."""
    full = tuple(dict.fromkeys(map(full_reference, references)))
    return Bullets(items=full) if len(full) > 1 else Text(text=full[0]) if full else None


def citation(short: str) -> str:
    """Authors and year, as text cites them: what stands before the first comma after the year.

    Examples
    --------
    >>> citation("Nadeau & Bengio (2003), Machine Learning 52")
    'Nadeau & Bengio, 2003'
    """
    return short.split("),")[0].replace(" (", ", ") if ")," in short else short


def cited(references: Sequence[str]) -> str:
    """References as they stand in a text, in brackets with a space before them; nothing where there are none.

    Examples
    --------
    >>> cited(["Westfall & Young (1993), Wiley", "Holm (1979), Scandinavian Journal of Statistics 6"])
    ' (Westfall & Young, 1993; Holm, 1979)'
    """
    return f" ({'; '.join(map(citation, references))})" if references else ""


# ---- BibTeX of what an answer cites.


SOFTWARE = "foldwise"  # Key of the entry of this package.

_ENTRY = re.compile(r"(?P<authors>.+?) \((?P<year>\d{4})\)\. (?P<title>.+?)(?P<end>[.?]) (?P<venue>.+)\.")
_JOURNAL = re.compile(r"(?P<journal>[^\d]+?), (?P<volume>\d+)(\((?P<number>[^)]+)\))?, (?P<pages>[\d–]+)")
_PROCEEDINGS = re.compile(r"(?P<booktitle>[A-Z]+ \d{4})(, (?P<series>LNCS \d+))?, (?P<pages>[\d–]+)")
_SMALL = frozenset({"a", "an", "and", "for", "in", "of", "on", "the", "time", "better", "exact", "some"})
_ACCENTS = {"ı": r"{\i}", "×": r"$\times$", "–": "--", "“": "``", "”": "''", "&": r"\&"}
_COMBINING = {"\u0301": "'", "\u0300": "`", "\u0308": '"', "\u030c": "v ", "\u0327": "c ", "\u0303": "~", "\u0302": "^"}


def cited_in(*texts: str) -> list[str]:
    """The entries of the bibliography that texts cite, by authors and year or in full, in the bibliography's order.

    Examples
    --------
    >>> [entry[:11] for entry in cited_in("by the test (Bouckaert & Frank, 2004), Holm (1979)")]
    ['Bouckaert, ', 'Holm, S. (1']
    """
    together = " ".join(texts)
    return [
        full
        for short, full in bibliography().items()
        if full in together or _named(short, together) or _named(citation(f"{short},"), together)
    ]


def entry_key(full: str) -> str:
    """First author, year and first telling word of the title.

    Examples
    --------
    >>> entry_key("Holm, S. (1979). A simple sequentially rejective multiple test procedure. X, 6(2), 65–70.")
    'holm1979simple'
    """
    found = _parsed(full)
    words = re.findall(r"[a-z]+", _ascii(found["title"]).lower())
    author = "".join(re.findall(r"[a-z]+", _ascii(found["authors"].split(",")[0]).lower()))
    return f"{author}{found['year']}{next((word for word in words if word not in _SMALL), '')}"


def bibtex_entry(full: str) -> str:
    r"""One entry.

    Examples
    --------
    >>> print(bibtex_entry("Holm, S. (1979). A simple procedure. Scandinavian Journal of Statistics, 6(2), 65–70."))
    @article{holm1979simple,
      author = {Holm, S.},
      title = {A simple procedure},
      journal = {Scandinavian Journal of Statistics},
      volume = {6},
      number = {2},
      pages = {65--70},
      year = {1979},
    }
    """
    found = _parsed(full)
    kind, where = _venue(found["venue"])
    title = found["title"] + ("?" if found["end"] == "?" else "")
    fields = {"author": _authors(found["authors"]), "title": title, **where, "year": found["year"]}
    lines = [f"  {name} = {{{_tex(value)}}}," for name, value in fields.items() if value]
    return "\n".join([f"@{kind}{{{entry_key(full)},", *lines, "}"])


def software_entry() -> str:
    return "\n".join([
        f"@misc{{{SOFTWARE},",
        "  author = {{The foldwise developers}},",
        "  title = {foldwise: is one learner better than another?},",
        f"  version = {{{foldwise.__version__}}},",
        "  year = {2026},",
        "}",
    ])  # fmt: skip


def bibtex(*texts: str) -> str:
    """BibTeX of all that the texts cite, and of this package."""
    return "\n\n".join([*map(bibtex_entry, cited_in(*texts)), software_entry()]) + "\n"


def with_cites(latex_text: str) -> str:
    r"""Text for LaTeX in which citations have become ``\cite`` commands.

    Examples
    --------
    >>> with_cites(r"the test (Bouckaert \& Frank, 2004)")
    'the test~\\cite{bouckaert2004evaluating}'
    >>> with_cites("max-T (Westfall & Young, 1993; Holm, 1979)".replace("&", r"\&"))
    'max-T~\\cite{westfall1993resampling,holm1979simple}'
    """
    keys = {citation(f"{short},").replace("&", r"\&"): entry_key(full) for short, full in bibliography().items()}

    def cite(found: re.Match[str]) -> str:
        named = found[1].split("; ")
        return rf"~\cite{{{','.join(keys[one] for one in named)}}}" if set(named) <= set(keys) else found[0]

    latex_text = re.sub(r" \(([^()]+)\)", cite, latex_text)
    return latex_text.replace(
        f"foldwise {foldwise.__version__}", rf"foldwise {foldwise.__version__}~\cite{{{SOFTWARE}}}"
    )


def _named(short: str, text: str) -> bool:
    """Whether the short form stands in the text, and not as the end of a longer list of authors."""
    return re.search(rf"(?<!& )(?<!\w, )(?<!\w){re.escape(short)}", text) is not None


def _parsed(full: str) -> re.Match[str]:
    found = _ENTRY.fullmatch(full)
    assert found is not None, full  # tests hold every entry of the bibliography to this form
    return found


def _venue(venue: str) -> tuple[str, dict[str, str]]:
    if found := _JOURNAL.fullmatch(venue):
        return "article", {name: found[name] or "" for name in ("journal", "volume", "number", "pages")}
    if found := _PROCEEDINGS.fullmatch(venue):
        return "inproceedings", {name: found[name] or "" for name in ("booktitle", "series", "pages")}
    if venue.startswith("arXiv:"):
        return "misc", {"eprint": venue.removeprefix("arXiv:"), "archiveprefix": "arXiv"}
    return ("book", {"publisher": venue}) if venue.isalpha() else ("misc", {"howpublished": venue})


def _authors(authors: str) -> str:
    """``Last, F., & Last, F.`` as BibTeX joins them; one name without initials stays one name."""
    if "," not in authors:
        return f"{{{authors}}}"
    return " and ".join(re.findall(r"[^,&]+, (?:[^,&]+\.)", authors.replace(", & ", ", "))).replace(" and  ", " and ")


def _ascii(text: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFKD", text.replace("ı", "i")) if c.isascii())


def _tex(text: str) -> str:
    """Accents as TeX writes them, so that any BibTeX takes them."""
    out: list[str] = []
    for character in text:
        base, *marks = list(unicodedata.normalize("NFD", character))
        if marks and marks[0] in _COMBINING:
            out.append(f"{{\\{_COMBINING[marks[0]]}{base}}}")
        else:
            out.append(_ACCENTS.get(character, character))
    return "".join(out)
