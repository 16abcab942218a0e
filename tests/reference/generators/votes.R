# Strengths of four models from votes: by BradleyTerry2 without ties, and as Davidson's model by a log-linear glm.
# Run from the repository's root:  Rscript tests/reference/generators/votes.R > tests/reference/votes.tsv
# Each line: name <tab> value, 17 significant digits; strengths are differences from those of model 0.
suppressPackageStartupMessages(library(BradleyTerry2))
say <- function(name, value) for (i in seq_along(value))
  cat(paste0(name, "[", i - 1, "]"), "\t", sprintf("%.17g", value[i]), "\n", sep = "")
cat("# ", R.version.string, ", BradleyTerry2 ", as.character(packageVersion("BradleyTerry2")), "\n", sep = "")

# 240 votes: formulas, so that nobody has to copy numbers
r <- 0:239
a <- r %% 4
b <- (a + 1 + (r %/% 4) %% 3) %% 4
score <- (r^2 + 5 * r) %% 19 + 2 * (b - a)
first <- ifelse(r %% 5 < 3, 1, -1)  # of a
outcome <- ifelse(score > 10, "a", ifelse(score > 7, "tie", "b"))
levels <- as.character(0:3)

say("counts", c(table(factor(outcome, c("a", "tie", "b")))))

# wins and losses alone, with an advantage of the model shown first
kept <- outcome != "tie"
player <- function(model, shown) data.frame(model = factor(model, levels), first = (shown + 1) / 2)
won <- outcome[kept] == "a"
found <- BTm(cbind(won * 1, 1 - won), player(a[kept], first[kept]), player(b[kept], -first[kept]), ~ model + first,
             id = "model", refcat = "0", control = glm.control(epsilon = 1e-14))
say("decided.strengths", unname(coef(found)[1:3]))
say("decided.first", unname(coef(found)["first"]))

# with ties: Davidson's model is log-linear in the counts of each cell
cells <- aggregate(list(n = rep(1, 240)), list(a = a, b = b, first = first, outcome = outcome), sum)
all <- merge(unique(cells[c("a", "b", "first")]), data.frame(outcome = c("a", "b", "tie")))
all <- merge(all, cells, all.x = TRUE)
all$n[is.na(all$n)] <- 0
sign <- ifelse(all$outcome == "a", 0.5, ifelse(all$outcome == "b", -0.5, 0))
for (k in 1:3) all[[paste0("s", k)]] <- sign * ((all$a == k) - (all$b == k))
all$ahead <- sign * all$first
all$tie <- (all$outcome == "tie") * 1
all$cell <- factor(paste(all$a, all$b, all$first))
fit <- glm(n ~ cell + s1 + s2 + s3 + ahead + tie, family = poisson, data = all,
           control = glm.control(epsilon = 1e-14, maxit = 100))
say("davidson.strengths", unname(coef(fit)[c("s1", "s2", "s3")]))
say("davidson.first", unname(coef(fit)["ahead"]))
say("davidson.tie", unname(coef(fit)["tie"]))
