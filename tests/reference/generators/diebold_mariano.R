# The test of Diebold and Mariano in the form of Harvey, Leybourne and Newbold, by forecast::dm.test.
# Run from the repository's root:  Rscript tests/reference/generators/diebold_mariano.R > tests/reference/diebold_mariano.tsv
# Each line: name <tab> values joined by ';', 17 significant digits.
suppressMessages(library(forecast))
say <- function(name, value) cat(name, "\t", paste(sprintf("%.17g", value), collapse = ";"), "\n", sep = "")
cat("# ", R.version.string, ", forecast ", as.character(packageVersion("forecast")), "\n", sep = "")

# errors that any program can make again: no random numbers, three decimals
wave <- function(n, a, b) round(sin(a * seq_len(n)) + 0.4 * cos(b * seq_len(n)^2), 3)
for (n in c(12, 40, 150)) {
  a <- wave(n, 0.31, 0.77); b <- wave(n, 0.23, 1.31) + 0.2
  say(paste0(n, ".a"), a)
  say(paste0(n, ".b"), b)
  for (h in c(1, 2, 4)) for (power in c(1, 2)) {
    found <- dm.test(a, b, h = h, power = power)
    less <- dm.test(a, b, h = h, power = power, alternative = "less")
    say(paste(n, "dm", h, power, sep = "."), c(found$statistic, found$p.value, less$p.value))
  }
}
