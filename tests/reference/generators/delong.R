# Reference values for areas under ROC curves and DeLong's test:
#   Rscript tests/reference/generators/delong.R > tests/reference/delong.txt
# Two classes by package pROC; clusters by Obuchowski's (1997) formulas, pair by pair; several classes by pROC's
# multiclass.roc (Hand & Till) and the mean of its areas of each class against the rest, with the variance of the
# jackknife within classes.
# Each line is a key followed by numbers; matrices are written row by row.

suppressMessages(library(pROC))
out <- function(key, ...) cat(key, sprintf("%.17g", c(...)), "\n")
cat("#", R.version.string, "pROC", as.character(packageVersion("pROC")), "\n")
set.seed(41)

## two classes ---------------------------------------------------------------------------------------------------
data <- function(n, share, digits, gain) {
  y <- as.integer(runif(n) < share)
  common <- rnorm(n)
  list(y = y, a = round(y * gain[1] + common + rnorm(n), digits), b = round(y * gain[2] + common + rnorm(n), digits))
}
cases <- list(plain = data(60, .4, 4, c(1.5, 1)), ties = data(60, .5, 0, c(1.5, 1)), rare = data(80, .1, 2, c(2, 1)),
              reversed = data(40, .5, 2, c(-1, 1)))
cases$separated <- with(cases$plain, list(y = y, a = a + 20 * y, b = b))
for (name in names(cases)) {
  x <- cases[[name]]
  a <- roc(x$y, x$a, direction = "<", levels = 0:1); b <- roc(x$y, x$b, direction = "<", levels = 0:1)
  test <- roc.test(a, b, method = "delong", paired = TRUE)
  se <- sqrt(var(a, method = "delong") + var(b, method = "delong") - 2 * cov(a, b, method = "delong"))
  out(paste0(name, ".y"), x$y); out(paste0(name, ".a"), x$a); out(paste0(name, ".b"), x$b)
  out(paste0(name, ".areas"), auc(a), auc(b))
  out(paste0(name, ".test"), test$statistic, test$p.value, test$conf.int, se)
}

## clusters ------------------------------------------------------------------------------------------------------
above <- function(x, y) (x > y) + (x == y) / 2
components <- function(y, score, group) {
  x0 <- score[y == 0]; x1 <- score[y == 1]
  theta <- mean(outer(x1, x0, above))
  v10 <- sapply(x1, function(x) mean(above(x, x0))); v01 <- sapply(x0, function(x) mean(above(x1, x)))
  sums <- function(v, g, groups) sapply(groups, function(i) sum((v - theta)[g == i]))
  groups <- unique(group)
  list(theta = theta, up = sums(v10, group[y == 1], groups), down = sums(v01, group[y == 0], groups))
}
obuchowski <- function(y, a, b, group) {
  I <- length(unique(group)); I10 <- length(unique(group[y == 1])); I01 <- length(unique(group[y == 0]))
  M <- sum(y == 1); N <- sum(y == 0)
  one <- components(y, a, group); two <- components(y, b, group)
  cover <- function(p, q) {
    s10 <- I10 / ((I10 - 1) * M) * sum(p$up * q$up); s01 <- I01 / ((I01 - 1) * N) * sum(p$down * q$down)
    s11 <- I / (I - 1) * sum(p$up * q$down); s11t <- I / (I - 1) * sum(q$up * p$down)
    s10 / M + s01 / N + s11 / (M * N) + s11t / (M * N)
  }
  c(one$theta, two$theta, cover(one, one), cover(two, two), cover(one, two))
}
for (name in c("plain", "ties")) {
  x <- cases[[name]]
  group <- sample(0:11, length(x$y), replace = TRUE)
  out(paste0(name, ".group"), group)
  out(paste0(name, ".clustered"), obuchowski(x$y, x$a, x$b, group))
}

## several classes -----------------------------------------------------------------------------------------------
n <- 90; y <- sample(rep(0:2, c(40, 30, 20)))
scores <- function() round(sapply(0:2, function(k) 1.2 * (y == k) + rnorm(n)), 1)
a <- scores(); b <- scores()
pair <- function(i, j, s, y) as.numeric(auc(roc((y == i)[y %in% c(i, j)], s[y %in% c(i, j), i + 1], direction = "<", levels = c(FALSE, TRUE))))
ovo <- function(s, y) mean(sapply(0:2, function(i) mean(sapply(setdiff(0:2, i), function(j) pair(i, j, s, y)))))
ovr <- function(s, y) mean(sapply(0:2, function(k) as.numeric(auc(roc(y == k, s[, k + 1], direction = "<", levels = c(FALSE, TRUE))))))
weighted <- function(s, y) sum(sapply(0:2, function(k) mean(y == k) * as.numeric(auc(roc(y == k, s[, k + 1], direction = "<", levels = c(FALSE, TRUE))))))
# items are left out within their class; a class adds (size - 1) / size times the squares of what is left
jackknife <- function(f) {
  left <- sapply(1:n, function(i) f(a[-i, ], y[-i]) - f(b[-i, ], y[-i]))
  sqrt(sum(sapply(0:2, function(k) { x <- left[y == k]; (length(x) - 1) / length(x) * sum((x - mean(x))^2) })))
}
hand_till <- function(s) { colnames(s) <- 0:2; as.numeric(multiclass.roc(factor(y), s, direction = ">")$auc) }
out("classes.y", y); out("classes.a", t(a)); out("classes.b", t(b))
out("classes.handtill", hand_till(a), hand_till(b))
out("classes.ovo", ovo(a, y), ovo(b, y), jackknife(ovo))
out("classes.ovr", ovr(a, y), ovr(b, y), jackknife(ovr))
out("classes.weighted", weighted(a, y), weighted(b, y))
