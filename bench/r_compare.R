# SPDX-License-Identifier: GPL-3.0-or-later
# hsel in R beside ranger and e1071 (Debian: r-cran-ranger, r-cran-e1071), on the worm genes and the same ten folds: AUROC over all genes,
# seconds of processor time, and for naive Bayes the largest difference of a probability.
# Usage: Rscript bench/r_compare.R [SEED]
library(hsel)
seed <- as.numeric(c(commandArgs(TRUE), 1)[1])
positive <- levels(worm$y)[2]
auroc <- function(score) {  # Mann-Whitney
  rank <- rank(score)
  n <- table(worm$y == positive)
  (sum(rank[worm$y == positive]) - n[["TRUE"]] * (n[["TRUE"]] + 1) / 2) / n[["TRUE"]] / n[["FALSE"]]
}
used <- function(code) {
  time <- system.time(value <- code)
  list(value = value, seconds = sum(time[c("user.self", "sys.self")]))
}
ours <- function(...) used(hsel_eval(worm, ..., seed = seed)$predictions)
folds <- hsel_eval(worm, seed = seed)$predictions$fold
theirs <- function(learn, predict) used({
  score <- numeric(nrow(worm))
  for (fold in unique(folds)) {
    test <- folds == fold
    score[test] <- predict(learn(test), test)
  }
  score
})
rows <- list()
add <- function(method, by, score, seconds) rows[[length(rows) + 1]] <<- data.frame(method, by, auroc = auroc(score), seconds)
x <- as.matrix(worm$x)

nb <- ours(classify = "nb")
add("naive Bayes", "hsel", nb$value[[paste0("score.", positive)]], nb$seconds)
lazy <- ours(select = "rpv", classify = "nb")
add("naive Bayes on rpv", "hsel", lazy$value[[paste0("score.", positive)]], lazy$seconds)
if (requireNamespace("e1071", quietly = TRUE)) {
  frame <- as.data.frame(lapply(as.data.frame(x), factor, levels = 0:1), check.names = FALSE)
  peer <- theirs(function(test) e1071::naiveBayes(frame[!test, ], worm$y[!test], laplace = 1),
                 function(model, test) predict(model, frame[test, ], type = "raw", threshold = 1e-300)[, positive])
  add("naive Bayes", "e1071", peer$value, peer$seconds)
}
forest <- ours(classify = classify_forest(trees = 500))
add("forest of 500", "hsel", forest$value[[paste0("P.", positive)]], forest$seconds)
if (requireNamespace("ranger", quietly = TRUE)) {
  peer_forest <- theirs(function(test) ranger::ranger(x = x[!test, ], y = worm$y[!test], num.trees = 500, probability = TRUE, seed = seed, num.threads = 1),
                        function(model, test) predict(model, x[test, ], num.threads = 1)$predictions[, positive])
  add("forest of 500", "ranger", peer_forest$value, peer_forest$seconds)
}
print(do.call(rbind, rows), digits = 4, row.names = FALSE)
if (requireNamespace("e1071", quietly = TRUE))
  cat(sprintf("naive Bayes: probabilities differ by %.3g at most\n", max(abs(peer$value - nb$value[[paste0("P.", positive)]]))))
