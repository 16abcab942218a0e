# Error estimates of MASS's discriminant analyses on Fisher's iris data, by direct definition.
# Run:  Rscript tests/reference/generators/estimators.R > tests/reference/estimators.tsv
# Columns: case, figure, value; the bootstrap samples stand as rows "sample" (0-based indices joined by ';').
library(MASS)

cat(sprintf("# %s, MASS %s; written by tests/reference/generators/estimators.R\n", R.version.string, packageVersion("MASS")))
cat("case\tfigure\tvalue\n")
emit <- function(case, figure, value) cat(sprintf("%s\t%s\t%s\n", case, figure, value))
number <- function(value) sprintf("%.17g", value)

estimate <- function(case, rows, fit, samples) {
  x <- as.matrix(iris[rows, 1:4]); y <- droplevels(iris$Species[rows]); n <- length(y)
  classify <- function(train, test) as.character(predict(fit(x[train, , drop = FALSE], y[train]), x[test, , drop = FALSE])$class)
  everything <- classify(1:n, 1:n)
  apparent <- mean(everything != y)
  loo <- mean(sapply(1:n, function(i) classify(setdiff(1:n, i), i) != y[i]))
  wrong <- rep(0, n); times <- rep(0, n)
  for (b in 1:samples) {
    drawn <- sort(sample.int(n, n, replace = TRUE))
    emit(case, "sample", paste(drawn - 1, collapse = ";"))
    out <- setdiff(1:n, drawn)
    wrong[out] <- wrong[out] + (classify(drawn, out) != y[out])
    times[out] <- times[out] + 1
  }
  bag <- mean((wrong / times)[times > 0])
  gamma <- 0
  for (i in 1:n) for (j in 1:n) gamma <- gamma + (as.character(y[i]) != everything[j]) / n^2
  weight <- function(r) 0.632 / (1 - 0.368 * r)
  rate <- if (bag > apparent) (min(bag, gamma) - apparent) / (gamma - apparent) else 0
  emit(case, "apparent", number(apparent)); emit(case, "loo", number(loo)); emit(case, "out_of_bag", number(bag))
  emit(case, "no_information", number(gamma)); emit(case, "overfitting", number(rate))
  emit(case, "point632", number(0.368 * apparent + 0.632 * bag))
  # with bag below gamma, the published formula is a weighted mean of the two errors
  stopifnot(bag <= gamma)
  emit(case, "point632plus", number((1 - weight(rate)) * apparent + weight(rate) * bag))
}

set.seed(1)
estimate("lda", 1:150, lda, 20)
estimate("qda", c(51:70, 101:120), qda, 20)
