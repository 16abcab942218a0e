# Reference values of the tests from resampled scores, written with base R alone:
#   Rscript tests/reference/generators/scores.R > tests/reference/scores.txt
# Each line of the transcript is a key followed by numbers; matrices are written row by row (one row per run).

out <- function(key, ...) cat(key, sprintf("%.17g", c(...)), "\n")
cat("#", R.version.string, "\n")

set.seed(19)
matrix_of <- function(runs, folds, mean) matrix(round(rnorm(runs * folds, mean, 0.04), 3), runs, byrow = TRUE)
designs <- list(tenten = matrix_of(10, 10, 0.012), threefive = matrix_of(3, 5, 0.03), fivetwo = matrix_of(5, 2, 0.02),
                sixfour = matrix_of(6, 4, -0.02))

corrected <- function(x, ratio) {
  n <- length(x)
  t <- mean(x) / sqrt((1 / n + ratio) * var(as.vector(x)))
  c(t, n - 1, 2 * pt(-abs(t), n - 1), mean(x) + c(-1, 1) * qt(0.975, n - 1) * mean(x) / t)
}

# bouckaert2003 Table 1, test by test as it is printed there; rows are runs, columns folds
repeated <- function(x, df = NULL) {
  r <- nrow(x); k <- ncol(x); m <- mean(x)
  s <- t(apply(x, 1, sort))
  avg_t <- function(means, vars, df) mean(means / sqrt(vars / (df + 1)))
  z <- function(v, df) m / (sqrt(v) / sqrt(df + 1))
  row <- function(v, nominal) { d <- if (is.null(df)) nominal else df; Z <- z(v, d); c(Z, d, 2 * pt(-abs(Z), d)) }
  row_t <- function(means, vars, nominal) {
    d <- if (is.null(df)) nominal else df; Z <- avg_t(means, vars, d); c(Z, d, 2 * pt(-abs(Z), d)) }
  by_run <- apply(x, 1, var); by_fold <- apply(x, 2, var); by_rank <- apply(s, 2, var)
  list(use_all_data = row(var(as.vector(x)), k * r - 1),
       folds = row(var(rowMeans(x)), r - 1),
       folds_averaged_var = row(mean(by_run), r - 1),
       runs = row(var(colMeans(x)), k - 1),
       runs_averaged_var = row(mean(by_fold), k - 1),
       sorted_runs = row(var(colMeans(s)), k - 1),
       sorted_runs_averaged_var = row(mean(by_rank), k - 1),
       folds_averaged_t = row_t(rowMeans(x), by_run, k - 1),
       runs_averaged_t = row_t(colMeans(x), by_fold, r - 1),
       sorted_runs_averaged_t = row_t(colMeans(s), by_rank, r - 1))
}

for (name in names(designs)) {
  x <- designs[[name]]; v <- as.vector(t(x))
  out(paste0(name, ".shape"), dim(x))
  out(paste0(name, ".x"), v)
  for (side in c("two.sided", "less", "greater")) {
    test <- t.test(v, alternative = side)
    out(paste0(name, ".t.test.", side), test$statistic, test$parameter, test$p.value, test$conf.int)
  }
  out(paste0(name, ".corrected_repeated_cv_t"), corrected(x, 1 / (ncol(x) - 1)))
  out(paste0(name, ".corrected_resampled_t"), corrected(x, 0.25))
  for (df in list(NULL, 7.5)) {
    all <- repeated(x, df)
    for (variant in names(all)) out(paste0(name, ".", if (is.null(df)) "nominal" else "given", ".", variant), all[[variant]])
  }
  # bouckaert2003 section 2.2 with the degrees of freedom explicit, as METHODS reads it
  for (df in c(4, 12)) {
    t <- mean(v) / sqrt((1 / length(v) + 0.25) * sum((v - mean(v))^2) / (df + 1))
    out(paste0(name, ".corrected_explicit.", df), t, df, 2 * pt(-abs(t), df))
    t <- mean(v) * sqrt(df + 1) / sd(v)
    out(paste0(name, ".explicit.", df), t, df, 2 * pt(-abs(t), df))
  }
}

x <- designs$fivetwo
s2 <- apply(x, 1, function(pair) sum((pair - mean(pair))^2))
ten <- as.vector(t(x)) / sqrt(mean(s2))
f <- sum(x^2) / (2 * sum(s2))
out("five_by_two_t", ten)
out("five_by_two_t.p", 2 * pt(-abs(ten), 5))
out("five_by_two_t.interval", x[1, 1] + c(-1, 1) * qt(0.975, 5) * sqrt(mean(s2)))
out("five_by_two_f", f, pf(f, 10, 5, lower.tail = FALSE))
root <- function(lo, hi) uniroot(function(d) sum((x - d)^2) / (2 * sum(s2)) - qf(0.95, 10, 5), c(lo, hi), tol = 1e-14)$root
out("five_by_two_f.interval", root(mean(x) - 1, mean(x)), root(mean(x), mean(x) + 1))

# power.t.test(strict = TRUE) counts both tails; n pairs with sd 1 have standard error 1/sqrt(n) and n - 1 df
for (n in c(3, 10, 31, 100)) for (alpha in c(0.01, 0.05)) {
  for (effect in c(0.2, 0.9)) {
    p <- power.t.test(n = n, delta = effect, sd = 1, sig.level = alpha, type = "paired", strict = TRUE)$power
    out(paste("power", n, alpha, effect, sep = "|"), p)
  }
  for (power in c(0.5, 0.8, 0.95)) {
    d <- power.t.test(n = n, power = power, sd = 1, sig.level = alpha, type = "paired", strict = TRUE, tol = 1e-13)$delta
    out(paste("detectable", n, alpha, power, sep = "|"), d)
  }
}

# two one-sided tests: t.test against each limit of the margin
v <- as.vector(t(designs$threefive))
for (margin in c(0.02, 0.05)) {
  lower <- t.test(v, mu = -margin, alternative = "greater"); upper <- t.test(v, mu = margin, alternative = "less")
  out(paste("tost", margin, sep = "|"), lower$p.value, upper$p.value)
}
