# Reference values for C-indices and partial areas under ROC curves:
#   Rscript tests/reference/generators/survival.R > tests/reference/survival.txt
# Harrell's C-index, its infinitesimal jackknife (dfbeta) and the standard error of a difference by package survival;
# Uno's C-index by its weights n/G2, also up to a time; partial areas and their McClish correction by pROC.
# Each line is a key followed by numbers; the data of every case come first.

suppressMessages({library(survival); library(pROC)})
out <- function(key, ...) cat(key, sprintf("%.17g", c(...)), "\n")
cat("#", R.version.string, "survival", as.character(packageVersion("survival")), "pROC",
    as.character(packageVersion("pROC")), "\n")
set.seed(29)

data <- function(n, digits, censoring, scores = 6) {
  x <- rnorm(n)
  t <- rexp(n, exp(x)); c <- rexp(n, censoring)
  list(time = round(pmin(t, c), digits) + 10^-digits, event = as.integer(t <= c),
       a = round(x + rnorm(n) / 2, scores), b = round(x + 1.5 * rnorm(n), scores))
}
cases <- list(plain = data(80, 6, .5), ties = data(90, 1, .5, 0), heavy = data(100, 6, 3), none = data(40, 6, 1e-9))
for (name in names(cases)) {
  d <- cases[[name]]
  for (part in names(d)) out(paste0(name, ".", part), d[[part]])
  y <- Surv(d$time, d$event)
  fit <- lapply(d[c("a", "b")], function(x) concordance(y ~ x, reverse = TRUE, influence = 1))
  out(paste0(name, ".harrell"), fit$a$concordance, fit$b$concordance)
  out(paste0(name, ".dfbeta_a"), fit$a$dfbeta)
  out(paste0(name, ".error"), sqrt(sum((fit$a$dfbeta - fit$b$dfbeta)^2)))
  uno <- function(x, ...) concordance(y ~ x, reverse = TRUE, timewt = "n/G2", ...)$concordance
  out(paste0(name, ".uno"), uno(d$a), uno(d$b))
  until <- median(d$time) + .03  # no time is as long: survival takes events of that very time, too
  out(paste0(name, ".until"), until, uno(d$a, ymax = until), uno(d$b, ymax = until))
}

roc_data <- function(n, digits) { y <- rep(0:1, c(n, n / 2)); list(y = y, a = round(y + rnorm(length(y)), digits)) }
for (name in c("smooth", "tied")) {
  d <- roc_data(60, if (name == "smooth") 6 else 0)
  out(paste0(name, ".y"), d$y); out(paste0(name, ".score"), d$a)
  r <- roc(d$y, d$a, direction = "<", levels = 0:1)
  out(paste0(name, ".partial"), sapply(c(.05, .1, .3, .8), function(f)
    auc(r, partial.auc = c(1, 1 - f), partial.auc.correct = TRUE)))
}
