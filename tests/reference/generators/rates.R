# Reference values for error rates and paired tables, by R's own functions or by direct definition.
# Run:  Rscript tests/reference/generators/rates.R > tests/reference/rates.csv
# Columns: case, arguments joined by ';', value. No package besides base R is needed.

cat(sprintf("# %s; written by tests/reference/generators/rates.R\n", R.version.string))
cat("case,arguments,value\n")
emit <- function(case, arguments, value)
  cat(sprintf("%s,%s,%.17g\n", case, paste(sapply(arguments, format, digits = 15, scientific = FALSE), collapse = ";"), value))
exactly <- function(f, low, high) uniroot(f, c(low, high), tol = 1e-15)$root
z95 <- qnorm(0.975)

## paired tables -------------------------------------------------------------------------------------------------
tables <- list(c(5, 10, 25, 60), c(59, 6, 16, 80), c(1, 1, 7, 12), c(0, 0, 0, 25), c(0, 30, 0, 0), c(3, 0, 9, 40),
               c(120, 131, 90, 1659), c(0, 1, 0, 9), c(40, 0, 20, 40), c(0, 40, 60, 0))

# Tango's statistic with the nuisance parameter found by maximising the likelihood numerically
tango <- function(b, c, n, delta) {
  rest <- n - b - c
  slope <- function(q) (if (b > 0) b / (q + delta) else 0) + (if (c > 0) c / q else 0) -
    (if (rest > 0) 2 * rest / (1 - 2 * q - delta) else 0)
  least <- max(0, -delta); most <- (1 - delta) / 2
  eps <- 1e-13 * (most - least)
  q <- if (slope(least + eps) <= 0) least else if (slope(most - eps) >= 0) most else exactly(slope, least + eps, most - eps)
  (b - c - n * delta) / sqrt(n * (2 * q + delta * (1 - delta)))
}
tango_limit <- function(b, c, n, sign) {
  estimate <- (b - c) / n
  if (estimate == -sign) return(-sign)
  edge <- -sign * (1 - 1e-12)
  inner <- estimate - sign * 1e-12
  exactly(function(d) tango(b, c, n, d) - sign * z95, min(edge, inner), max(edge, inner))
}
wilson <- function(m, n) suppressWarnings(prop.test(m, n, correct = FALSE)$conf.int)
newcombe <- function(t) {
  n <- sum(t); pa <- (t[1] + t[2]) / n; pb <- (t[1] + t[3]) / n
  a <- wilson(t[1] + t[2], n); b <- wilson(t[1] + t[3], n)
  product <- t[1] * t[4] - t[2] * t[3]
  if (product > 0) product <- max(product - n / 2, 0)
  margins <- sqrt(prod(c(t[1] + t[2], t[3] + t[4], t[1] + t[3], t[2] + t[4])))
  phi <- if (margins == 0) 0 else product / margins
  c(pa - pb - sqrt(max(0, (pa - a[1])^2 - 2 * phi * (pa - a[1]) * (b[2] - pb) + (b[2] - pb)^2)),
    pa - pb + sqrt(max(0, (a[2] - pa)^2 - 2 * phi * (a[2] - pa) * (pb - b[1]) + (pb - b[1])^2)))
}
posterior_tail <- function(t, rope) {
  inner <- function(d) dbeta(d, t[2] + t[3] + 1, t[1] + t[4] + 1) *
    pbeta((1 + rope / d) / 2, t[2] + 0.5, t[3] + 0.5, lower.tail = FALSE)
  cuts <- c(rope, rope + (1 - rope) * c(1e-4, 1e-3, 0.01, 0.03, 0.1, 0.2, 0.3, 0.5, 0.7, 1))
  sum(sapply(seq_len(length(cuts) - 1), function(i)
    integrate(inner, cuts[i], cuts[i + 1], rel.tol = 1e-11, subdivisions = 5000, stop.on.error = FALSE)$value))
}
for (t in tables) {
  n <- sum(t); b <- t[2]; c <- t[3]
  emit("tango_low", t, tango_limit(b, c, n, 1)); emit("tango_high", t, tango_limit(b, c, n, -1))
  limits <- newcombe(t)
  emit("newcombe_low", t, limits[1]); emit("newcombe_high", t, limits[2])
  emit("posterior_above", t, posterior_tail(t, 0.01)); emit("posterior_below", t, posterior_tail(t[c(1, 3, 2, 4)], 0.01))
  rates <- suppressWarnings(prop.test(c(t[1] + t[2], t[1] + t[3]), c(n, n), correct = FALSE))
  if (!is.nan(rates$p.value)) emit("difference_of_proportions", t, rates$p.value)
  if (b + c > 0) {
    emit("mcnemar_corrected", t, mcnemar.test(matrix(t, 2), correct = TRUE)$p.value)
    emit("mcnemar_uncorrected", t, mcnemar.test(matrix(t, 2), correct = FALSE)$p.value)
    emit("mcnemar_exact", t, binom.test(b, b + c)$p.value)
  }
}

## power of McNemar's test, every outcome enumerated ----------------------------------------------------------------
midp <- function(k, d) { s <- min(k, d - k); p <- min(1, 2 * pbinom(s, d, 0.5)); at <- dbinom(s, d, 0.5)
  if (d == 0) 1 else if (2 * k == d) 1 - at / 2 else p - at }
exact <- function(k, d) if (d == 0) 1 else binom.test(k, d)$p.value
corrected <- function(k, d) if (d == 0) 1 else pchisq(max(abs(2 * k - d) - 1, 0)^2 / d, 1, lower.tail = FALSE)
power_of <- function(n, rate, delta, alpha, pvalue) {
  total <- 0
  for (d in 0:n) for (k in 0:d)
    if (pvalue(k, d) < alpha) total <- total + dbinom(d, n, rate) * dbinom(k, d, (1 + delta / rate) / 2)
  total
}
for (case in list(c(20, 0.5, 0.3, 0.05), c(40, 0.2, 0.1, 0.05), c(60, 0.1, 0, 0.05), c(60, 0.3, -0.2, 0.01), c(15, 0.4, 0.4, 0.1))) {
  emit("power_midp", case, power_of(case[1], case[2], case[3], case[4], midp))
  emit("power_exact", case, power_of(case[1], case[2], case[3], case[4], exact))
  emit("power_corrected", case, power_of(case[1], case[2], case[3], case[4], corrected))
}

## cluster-robust variance of a mean, by the general matrix formulas of Bell and McCaffrey -------------------------------
clustered <- function(e, groups) {
  n <- length(e); X <- matrix(1, n, 1); bread <- solve(t(X) %*% X); H <- X %*% bread %*% t(X)
  residuals <- (diag(n) - H) %*% e
  members <- split(seq_len(n), groups)
  root <- function(i) { s <- eigen(diag(length(i)) - H[i, i, drop = FALSE], symmetric = TRUE)
    s$vectors %*% diag(1 / sqrt(s$values), length(i)) %*% t(s$vectors) }
  A <- lapply(members, root)
  meat <- function(A) sum(mapply(function(i, a) (t(X[i, , drop = FALSE]) %*% a %*% residuals[i])^2, members, A))
  plain <- lapply(members, function(i) diag(length(i)))
  G <- mapply(function(i, a) (diag(n) - H)[, i, drop = FALSE] %*% a %*% X[i, , drop = FALSE] %*% bread, members, A)
  gram <- t(G) %*% G
  list(cr0 = sqrt(bread * meat(plain) * bread), cr2 = sqrt(bread * meat(A) * bread), df = sum(diag(gram))^2 / sum(gram^2))
}
clusters <- list(list(c(1, 1, 0, 0, -1, 0), c(1, 1, 2, 2, 3, 3)),
                 list(c(1, 0, 0, -1, 1, 1, 1, 0, 0, 0, -1, 1), c(1, 1, 1, 1, 1, 2, 2, 3, 4, 4, 4, 4)),
                 list(c(0, 1, -1, 1, 1, 0, 0, 1), 1:8))
for (case in clusters) {
  result <- clustered(case[[1]], case[[2]])
  emit("clustered_cr0", c(case[[1]], case[[2]]), result$cr0)
  emit("clustered_cr2", c(case[[1]], case[[2]]), result$cr2)
  emit("clustered_df", c(case[[1]], case[[2]]), result$df)
}

## one error rate ------------------------------------------------------------------------------------------------------
for (case in list(c(0, 10), c(1, 10), c(2, 20), c(10, 10), c(9, 100), c(37, 250), c(600, 1000), c(3, 100000))) {
  m <- case[1]; M <- case[2]
  for (level in c(0.9, 0.95, 0.99)) {
    tail <- (1 - level) / 2; arguments <- c(case, level)
    for (prior in list(c(0.5, 0.5), c(1, 1), c(1, 3.67))) {
      name <- paste0("beta_", prior[1], "_", prior[2])
      if (m > 0) emit(paste0(name, "_low"), arguments, qbeta(tail, m + prior[1], M - m + prior[2]))
      if (m < M) emit(paste0(name, "_high"), arguments, qbeta(tail, m + prior[1], M - m + prior[2], lower.tail = FALSE))
    }
    exact <- binom.test(m, M, conf.level = level)$conf.int
    emit("clopper_pearson_low", arguments, exact[1]); emit("clopper_pearson_high", arguments, exact[2])
    score <- suppressWarnings(prop.test(m, M, conf.level = level, correct = FALSE)$conf.int)
    emit("wilson_low", arguments, score[1]); emit("wilson_high", arguments, score[2])
  }
}

## two independent error rates ----------------------------------------------------------------------------------------
exact_level <- function(m1, M1, m2, M2) {
  rate <- (m1 + m2) / (M1 + M2)
  joint <- outer(dbinom(0:M1, M1, rate), dbinom(0:M2, M2, rate))
  distance <- abs(outer((0:M1) * M2, (0:M2) * M1, "-"))
  sum(joint[distance >= abs(m1 * M2 - m2 * M1)])
}
for (t in list(c(1, 10, 6, 10), c(0, 10, 0, 10), c(0, 20, 4, 20), c(3, 7, 5, 31), c(40, 100, 25, 90), c(10, 10, 0, 40))) {
  emit("two_rates_exact", t, exact_level(t[1], t[2], t[3], t[4]))
  p <- suppressWarnings(prop.test(t[c(1, 3)], t[c(2, 4)], correct = FALSE)$p.value)
  if (!is.nan(p)) emit("two_rates_textbook", t, p)
}
