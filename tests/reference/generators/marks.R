# Marks of two models: paired t tests by R itself, cluster-robust ones by clubSandwich (CR2, Satterthwaite), seeds x items by lme4.
# Run from the repository's root:  Rscript tests/reference/generators/marks.R > tests/reference/marks.tsv
# Each line: name <tab> values joined by ';', 17 significant digits.
suppressMessages(library(clubSandwich))
say <- function(name, value) cat(name, "\t", paste(sprintf("%.17g", value), collapse = ";"), "\n", sep = "")
cat("# ", R.version.string, ", clubSandwich ", as.character(packageVersion("clubSandwich")), ", lme4 ", as.character(packageVersion("lme4")), "\n", sep = "")

# marks that any program can make again: no random numbers, three decimals
wave <- function(n, a, b) round(0.5 + 0.3 * sin(a * seq_len(n)) + 0.2 * cos(b * seq_len(n)^2), 3)
clusters <- list(equal = rep(1:8, each = 5), unequal = rep(1:6, times = c(14, 2, 7, 1, 9, 3)), large = rep(1:4, times = c(30, 5, 5, 4)))

for (name in names(clusters)) {
  groups <- clusters[[name]]; n <- length(groups)
  a <- wave(n, 1.7, 0.31) + 0.05 * groups; b <- wave(n, 2.9, 0.77)
  for (part in c("a", "b", "groups")) say(paste(name, part, sep = "."), get(part))
  plain <- t.test(a, b, paired = TRUE)
  say(paste0(name, ".paired"), c(plain$estimate, plain$statistic, plain$parameter, plain$p.value, plain$conf.int))
  d <- a - b
  fit <- lm(d ~ 1)
  for (type in c("CR0", "CR2"))
    say(paste(name, type, sep = "."), sqrt(c(vcovCR(fit, cluster = groups, type = type))))
  robust <- coef_test(fit, vcov = "CR2", cluster = groups, test = "Satterthwaite")
  say(paste0(name, ".clustered"), c(robust$beta, robust$SE, robust$df_Satt, robust$p_Satt))
}

# seeds x items: mean squares by aov, components and standard error by lme4
suppressMessages(library(lme4))
seeds <- 4; items <- 9
cell <- expand.grid(item = seq_len(items), seed = seq_len(seeds))
y <- round(0.1 + 0.2 * sin(2.3 * cell$seed) + 0.3 * cos(1.9 * cell$item) + 0.1 * sin(5.1 * cell$seed * cell$item), 3)
say("crossed.x", y)  # row by row: the items of the first seed come first
table <- data.frame(y = y, seed = factor(cell$seed), item = factor(cell$item))
squares <- summary(aov(y ~ seed + item, table))[[1]][["Mean Sq"]]
say("crossed.squares", squares)
fit <- lmer(y ~ 1 + (1 | seed) + (1 | item), table, REML = TRUE,
            control = lmerControl(optimizer = "bobyqa", optCtrl = list(rhoend = 1e-10)))
parts <- as.data.frame(VarCorr(fit)); rownames(parts) <- parts$grp
say("crossed.lme4", c(fixef(fit), sqrt(vcov(fit)[1, 1]), parts["seed", "vcov"], parts["item", "vcov"], parts["Residual", "vcov"]))
