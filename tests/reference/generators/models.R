# Adjusted p-values and critical values of several models on the same items, by multcomp (single-step, normal).
# Run from the repository's root:  Rscript tests/reference/generators/models.R > tests/reference/models.tsv
# Each line: name <tab> value, 17 significant digits.
suppressPackageStartupMessages(library(multcomp))
set.seed(1)  # mvtnorm integrates by quasi-Monte-Carlo; abseps below is its error
say <- function(name, value) for (i in seq_along(value))
  cat(paste0(name, "[", i - 1, "]"), "\t", sprintf("%.17g", value[i]), "\n", sep = "")
cat("# ", R.version.string, ", multcomp ", as.character(packageVersion("multcomp")), ", mvtnorm ",
    as.character(packageVersion("mvtnorm")), "\n", sep = "")

# marks of four models on 40 items: formulas, so that nobody has to copy numbers
i <- 1:40
marks <- rbind((i^2 %% 17) / 16 + 0.15, ((i^2 + 3 * i) %% 17) / 16, (i^2 %% 17 + i %% 3) / 18, (i %% 11) / 20)
# three classifiers on 60 items, the first two much alike
i <- 1:60
right <- rbind(i %% 5 != 0, i %% 5 != 0 & i %% 7 != 0, i %% 2 == 0 | i %% 9 == 0) * 1

for (name in c("marks", "right")) {
  values <- get(name)
  k <- nrow(values)
  means <- rowMeans(values)
  names(means) <- paste0("m", 1:k)
  covariance <- cov(t(values)) / ncol(values)
  dimnames(covariance) <- list(names(means), names(means))
  for (family in c("Tukey", "Dunnett")) {
    sizes <- setNames(rep(ncol(values), k), names(means))
    test <- glht(parm(means, covariance), linfct = contrMat(sizes, type = family))
    found <- summary(test, test = adjusted("single-step", abseps = 1e-7, maxpts = 5e6))$test
    # multcomp subtracts the first from the second
    say(paste(name, family, "statistic", sep = "."), -unname(found$tstat))
    say(paste(name, family, "adjusted", sep = "."), as.numeric(found$pvalues))
    level <- adjusted_calpha(abseps = 1e-6, maxpts = 5e6)
    say(paste(name, family, "critical", sep = "."), attr(confint(test, calpha = level)$confint, "calpha"))
  }
}
