# Values of R's own tests for data sets x learners.
# Run from the repository's root:  Rscript tests/reference/generators/many.R > tests/reference/many.tsv
# Each line: name <tab> value, 17 significant digits.
say <- function(name, value) for (i in seq_along(value))
  cat(if (length(value) > 1) paste0(name, "[", i - 1, "]") else name, "\t", sprintf("%.17g", value[i]), "\n", sep = "")
cat("# ", R.version.string, "\n", sep = "")

# Demsar (2006), table 6: AUC of C4.5, C4.5+m, C4.5+cf, C4.5+m+cf on 14 data sets
demsar <- matrix(c(
  .763,.768,.771,.798, .599,.591,.590,.569, .954,.971,.968,.967, .628,.661,.654,.657, .882,.888,.886,.898,
  .936,.931,.916,.931, .661,.668,.609,.685, .583,.583,.563,.625, .775,.838,.866,.875, 1,1,1,1,
  .940,.962,.965,.962, .619,.666,.614,.669, .972,.981,.975,.975, .957,.978,.946,.970), ncol = 4, byrow = TRUE)
# many ties, five learners, 12 data sets
tied <- matrix(c(
  7,6,6,5,9, 8,8,7,6,9, 5,5,5,4,6, 9,7,8,8,8, 6,6,7,5,7, 4,3,4,2,6, 8,9,7,7,9, 3,3,3,3,3, 7,5,6,4,8, 6,7,5,6,8,
  9,8,8,7,9, 5,4,6,5,7), ncol = 5, byrow = TRUE)

for (name in c("demsar", "tied")) {
  table <- get(name)
  f <- friedman.test(table)
  say(paste0(name, ".friedman.statistic"), f$statistic)
  say(paste0(name, ".friedman.pvalue"), f$p.value)
  # Iman-Davenport with tie correction is the F of an analysis of variance of the ranks
  ranks <- t(apply(-table, 1, rank))
  say(paste0(name, ".ranks"), colMeans(ranks))
  long <- data.frame(rank = c(ranks), learner = factor(c(col(ranks))), set = factor(c(row(ranks))))
  a <- anova(lm(rank ~ learner + set, long))
  say(paste0(name, ".iman_davenport.statistic"), a["learner", "F value"])
  say(paste0(name, ".iman_davenport.pvalue"), a["learner", "Pr(>F)"])
}
# subtraction leaves noise in decimals, and R ranks it: thousandths are whole numbers instead
thousandths <- round(1000 * demsar)
for (name in c("thousandths", "tied")) {
  table <- get(name)
  q <- quade.test(table)
  say(paste0(name, ".quade.statistic"), q$statistic)
  say(paste0(name, ".quade.pvalue"), q$p.value)
  # aligned ranks, by the formula of Garcia et al. (2010); k times the deviation is whole, so that ties are ties
  k <- ncol(table); n <- nrow(table)
  aligned <- matrix(rank(k * table - rowSums(table)), nrow = n)
  top <- (k - 1) * (sum(colSums(aligned)^2) - k * n^2 / 4 * (k * n + 1)^2)
  say(paste0(name, ".friedman_aligned.statistic"), top / (sum(aligned^2) - sum(rowSums(aligned)^2) / k))
  for (i in 1:(k - 1)) for (j in (i + 1):k) {
    pair <- paste0(name, ".wilcoxon[", i - 1, ",", j - 1, "]")
    d <- table[, i] - table[, j]
    w <- suppressWarnings(wilcox.test(d, exact = FALSE, correct = TRUE))
    say(paste0(pair, ".statistic"), w$statistic)
    say(paste0(pair, ".corrected"), w$p.value)
    say(paste0(pair, ".uncorrected"), suppressWarnings(wilcox.test(d, exact = FALSE, correct = FALSE))$p.value)
    say(paste0(pair, ".sign"), if (sum(d != 0)) binom.test(sum(d > 0), sum(d != 0))$p.value else 1)
  }
}
# exact, without ties and zeros, with interval
x <- c(0.83, 1.41, -0.52, 2.20, 0.27, 1.75, -1.13, 3.04, 0.61, 1.96, 2.51, -0.08)
for (side in c("two.sided", "less", "greater")) {
  w <- wilcox.test(x, exact = TRUE, conf.int = TRUE, conf.level = 0.9, alternative = side)
  say(paste0("exact.", side, ".statistic"), w$statistic)
  say(paste0("exact.", side, ".pvalue"), w$p.value)
  say(paste0("exact.", side, ".low"), w$conf.int[1])
  say(paste0("exact.", side, ".high"), w$conf.int[2])
  if (side == "two.sided") say("exact.estimate", w$estimate)
}
p <- c(0.01, 0.02, 0.03, 0.04, 0.05, 0.0001, 0.8, 0.5, 0.03, 0.0004, 0.26, 1)
say("adjust.raw", p)
for (method in c("holm", "hochberg", "hommel", "bonferroni", "BH", "BY"))
  say(paste0("adjust.", tolower(method)), p.adjust(p, method))
say("nemenyi.q[k=4]", qtukey(0.95, 4, Inf) / sqrt(2))
say("nemenyi.q[k=10]", qtukey(0.90, 10, Inf) / sqrt(2))
say("nemenyi.p[k=4,q=2.9]", ptukey(2.9, 4, Inf, lower.tail = FALSE))
