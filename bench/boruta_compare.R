# SPDX-License-Identifier: GPL-3.0-or-later
# The selector boruta beside the R package Boruta (CRAN, around ranger of Debian's r-cran-ranger), on gene sets of data/: which features each
# confirms, over some seeds, with as many trees and runs and the same level.
# Usage: Rscript bench/boruta_compare.R [HSEL [SEEDS [SET ...]]]     (build/release/hsel, 5 seeds, rpv/DM-CC rpv/DM-MF)
if (!requireNamespace("Boruta", quietly = TRUE)) stop("Boruta is not installed")
given <- commandArgs(TRUE)
hsel <- if (length(given) > 0) given[1] else "build/release/hsel"
seeds <- if (length(given) > 1) as.integer(given[2]) else 5
sets <- if (length(given) > 2) given[-(1:2)] else c("rpv/DM-CC", "rpv/DM-MF")
trees <- 500; runs <- 100; alpha <- 0.01
agree <- function(a, b) if (length(union(a, b))) length(intersect(a, b)) / length(union(a, b)) else 1
mean_over <- function(a, b, same) {
  pairs <- expand.grid(i = seq_along(a), j = seq_along(b))
  if (same) pairs <- pairs[pairs$i < pairs$j, ]
  mean(mapply(function(i, j) agree(a[[i]], b[[j]]), pairs$i, pairs$j))
}
cat(sprintf("%d trees, %d runs, level %g, %d seeds; agreement is the mean Jaccard index of two sets of confirmed features\n\n", trees, runs, alpha, seeds))
cat("| set | features | hsel confirms | Boruta confirms | hsel with itself | Boruta with itself | hsel with Boruta | in most runs of both, one, none |\n|---|--:|--:|--:|--:|--:|--:|---|\n")
for (set in sets) {
  path <- file.path("data", set)
  csv <- tempfile(fileext = ".csv")
  if (system2(hsel, c("convert", "-q", path, "--drop-roots", "-o", csv)) != 0) stop("hsel failed")
  table <- read.csv(csv, check.names = FALSE)
  y <- factor(table[[ncol(table)]])
  x <- table[-ncol(table)]
  x <- x[vapply(x, function(v) is.numeric(v) && all(v %in% 0:1), NA)]
  names(x) <- make.names(features <- names(x))
  ours <- theirs <- list()
  for (seed in seq_len(seeds)) {
    out <- system2(hsel, c("select", "-q", path, "--drop-roots", "--seed", seed, "--select", sprintf("boruta:trees=%d,runs=%d,alpha=%g", trees, runs, alpha)), stdout = TRUE)
    ours[[seed]] <- intersect(features, sub("\t.*", "", out))
    set.seed(seed)
    found <- Boruta::Boruta(x, y, maxRuns = runs + 1, pValue = alpha, num.trees = trees, num.threads = 1)$finalDecision
    theirs[[seed]] <- features[found == "Confirmed"]
  }
  often <- function(sets) names(which(table(unlist(sets)) > seeds / 2))
  a <- often(ours); b <- often(theirs)
  cat(sprintf("| %s | %d | %.1f | %.1f | %.2f | %.2f | %.2f | %d, %d, %d |\n", set, length(features), mean(lengths(ours)), mean(lengths(theirs)),
              mean_over(ours, ours, TRUE), mean_over(theirs, theirs, TRUE), mean_over(ours, theirs, FALSE), length(intersect(a, b)),
              length(a) + length(b) - 2 * length(intersect(a, b)), length(features) - length(union(a, b))))
}
