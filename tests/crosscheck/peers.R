# SPDX-License-Identifier: GPL-3.0-or-later
# Rscript peers.R FOLDER: what base R makes of the tables of run.py. FOLDER/plan.tsv has a case per line, number, kind and file; a line of the
# answer, on standard output, is number, item and value. Values that R has no definition for are NA.
folder <- commandArgs(TRUE)
plan <- read.delim(file.path(folder, "plan.tsv"), header = FALSE, col.names = c("case", "kind", "file"), colClasses = "character")
sides <- c(both = "two.sided", more = "greater", less = "less")
quiet <- suppressWarnings

# 2 x classes; the first row has the feature, the first column is the positive class
cells <- function(x, class) table(factor(x, c(1, 0)), factor(class))
strata_of <- function(d, x) {
  tables <- lapply(split(seq_along(x), d$s), function(i) table(factor(x[i], c(1, 0)), factor(d$class[i], levels(factor(d$class)))))
  tables <- Filter(function(m) all(rowSums(m) > 0) && all(colSums(m) > 0), tables) # R refuses others, which say nothing
  if (length(tables) > 1) array(unlist(tables), c(2, 2, length(tables))) # nor does it take one alone
}
g <- function(m) {
  e <- outer(rowSums(m), colSums(m)) / sum(m)
  pchisq(2 * sum(ifelse(m > 0, m * log(m / e), 0)), ncol(m) - 1, lower.tail = FALSE)
}
mid <- function(m) {
  of <- function(f, at) f(at, sum(m[, 1]), sum(m[, 2]), sum(m[1, ]))
  of(function(...) phyper(..., lower.tail = FALSE), m[1, 1]) + of(dhyper, m[1, 1]) / 2
}
mantel <- function(d, x, ...) {
  tables <- strata_of(d, x)
  if (is.null(tables)) NA else mantelhaen.test(tables, ...)$p.value
}
# van Elteren's test by all ways of choosing the class within strata
elteren <- function(x, class, s) {
  sums <- lapply(split(seq_along(x), s), function(i) {
    r <- rank(x[i])
    a <- sum(class[i] == "no")
    all <- if (a %in% c(0, length(i))) sum(r[seq_len(a)]) else combn(length(i), a, function(j) sum(r[j]))
    (c(sum(r[class[i] == "no"]), all) - a * (length(i) + 1) / 2) / (length(i) + 1)
  })
  seen <- sum(sapply(sums, `[`, 1))
  all <- Reduce(function(a, b) c(outer(a, b, `+`)), lapply(sums, `[`, -1))
  mean(abs(all) >= abs(seen) - 1e-9)
}
features <- function(f, d) sapply(d[!names(d) %in% c("id", "s", "class")], f)
answer <- function(kind, d) {
  word <- strsplit(kind, " ")[[1]]
  class <- d$class
  switch(word[1],
    fisher = features(function(x) fisher.test(cells(x, class), alternative = sides[[word[2]]], workspace = 2e6)$p.value, d),
    mid = features(function(x) mid(cells(x, class)), d),
    chi2 = features(function(x) quiet(chisq.test(cells(x, class), correct = FALSE)$p.value), d),
    g = features(function(x) g(cells(x, class)), d),
    exact = features(function(x) mantel(d, x, exact = TRUE, alternative = sides[[word[2]]]), d),
    cmh = features(function(x) mantel(d, x, exact = FALSE, correct = FALSE), d),
    wilcox = features(function(x) wilcox.test(x[class == "no"], x[class == "yes"], exact = word[2] == "exact")$p.value, d),
    kruskal = features(function(x) kruskal.test(x, factor(class))$p.value, d),
    welch = features(function(x) oneway.test(x ~ factor(class))$p.value, d),
    ways = features(function(x) elteren(x, class, if (word[2] == "strata") d$s else rep(1, length(x))), d),
    adjust = setNames(p.adjust(d$p, word[2]), d$id),
    friedman = c(chi2 = friedman.test(as.matrix(d[-1]))$statistic[[1]]),
    pairs = quiet(c(v = wilcox.test(d$m1, d$m2, paired = TRUE)$statistic[[1]], p = wilcox.test(d$m1, d$m2, paired = TRUE)$p.value)))
}
for (i in seq_len(nrow(plan))) {
  read <- if (grepl("tsv$", plan$file[i])) read.delim else read.csv
  a <- answer(plan$kind[i], read(file.path(folder, plan$file[i])))
  cat(sprintf("%s\t%s\t%.17g\n", plan$case[i], names(a), a), sep = "")
}
