# SPDX-License-Identifier: GPL-3.0-or-later
# hsel in R beside plain R code and the packages ranger, randomForest, e1071, class, rpart and glmnet where they are installed (Debian: r-cran-…), on the worm
# genes and the same ten folds, five times: mean and standard error of AUROC over all genes, seconds of processor time, and for naive Bayes the largest
# difference of a probability. Seed s shuffles the folds and seeds the forests; randomForest, which takes minutes, has the first seed only. Then the
# selections of the package praznik, which Debian does not have, as plain R code on all genes: the same features?
# Usage: Rscript bench/r_compare.R [--update] [SEEDS]      (--update: writes the table into bench/RESULTS.md of the folder at hand)
library(hsel)
words <- commandArgs(TRUE)
load <- if (file.exists("/proc/loadavg")) sprintf("; load when started %.1f", scan("/proc/loadavg", n = 1, quiet = TRUE)) else ""
update <- "--update" %in% words
seeds <- seq_len(as.numeric(c(setdiff(words, "--update"), 5)[1]))
has <- function(package) requireNamespace(package, quietly = TRUE)
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

for (seed in seeds) {
  folds <- hsel_eval(worm, seed = seed)$predictions$fold
  nb <- ours(classify = "nb:calibration=none")
  add("naive Bayes", "hsel", nb$value[[paste0("score.", positive)]], nb$seconds)
  lazy <- ours(select = "rpv", classify = "nb")
  add("naive Bayes on rpv", "hsel", lazy$value[[paste0("score.", positive)]], lazy$seconds)
  if (has("e1071")) {
    frame <- as.data.frame(lapply(as.data.frame(x), factor, levels = 0:1), check.names = FALSE)
    peer <- theirs(function(test) e1071::naiveBayes(frame[!test, ], worm$y[!test], laplace = 1),
                   function(model, test) predict(model, frame[test, ], type = "raw", threshold = 1e-300)[, positive])
    add("naive Bayes", "e1071", peer$value, peer$seconds)
    apart <- max(abs(peer$value - nb$value[[paste0("P.", positive)]]))
  }
  forest <- ours(classify = classify_forest(trees = 500))
  add("forest of 500", "hsel", forest$value[[paste0("P.", positive)]], forest$seconds)
  if (has("ranger")) {
    peer_forest <- theirs(function(test) ranger::ranger(x = x[!test, ], y = worm$y[!test], num.trees = 500, probability = TRUE, seed = seed, num.threads = 1),
                          function(model, test) predict(model, x[test, ], num.threads = 1)$predictions[, positive])
    add("forest of 500", "ranger", peer_forest$value, peer_forest$seconds)
  }
  if (has("randomForest") && seed == seeds[1]) {
    peer_forest <- theirs(function(test) {
      set.seed(seed)
      randomForest::randomForest(x[!test, ], worm$y[!test], ntree = 500)
    }, function(model, test) predict(model, x[test, ], type = "prob")[, positive])
    add("forest of 500", "randomForest", peer_forest$value, peer_forest$seconds)
  }

  # Naive Bayes as a few lines of plain R, the same formula.
  plain <- theirs(function(test) lapply(levels(worm$y), function(class) {
    part <- x[!test & worm$y == class, ]
    list(prior = (nrow(part) + 1) / (sum(!test) + nlevels(worm$y)), positive = (colSums(part) + 1) / (nrow(part) + 2))
  }), function(model, test) {
    logs <- sapply(model, function(m) log(m$prior) + x[test, ] %*% log(m$positive) + (1 - x[test, ]) %*% log(1 - m$positive))
    logs[, 2] - logs[, 1]
  })
  add("naive Bayes", "plain R", plain$value, plain$seconds)

  knn <- ours(classify = classify_knn(k = 15))
  add("15 nearest neighbours", "hsel", knn$value[[paste0("P.", positive)]], knn$seconds)
  if (has("class")) {
    peer_knn <- theirs(function(test) test, function(model, test) {
      found <- class::knn(x[!test, ], x[test, ], worm$y[!test], k = 15, prob = TRUE)
      ifelse(found == positive, attr(found, "prob"), 1 - attr(found, "prob"))
    })
    add("15 nearest neighbours", "class", peer_knn$value, peer_knn$seconds)
  }
  tree <- ours(classify = "tree")
  add("tree", "hsel", tree$value[[paste0("P.", positive)]], tree$seconds)
  if (has("rpart")) {
    frame <- data.frame(class = worm$y, x)
    peer_tree <- theirs(function(test) rpart::rpart(class ~ ., frame[!test, ]), function(model, test) predict(model, frame[test, ])[, positive])
    add("tree", "rpart", peer_tree$value, peer_tree$seconds)
  }
  svm <- ours(classify = "svm")
  add("linear support vector machine", "hsel", svm$value[[paste0("score.", positive)]], svm$seconds)
  if (has("e1071")) {
    peer_svm <- theirs(function(test) e1071::svm(x[!test, ], worm$y[!test], kernel = "linear", cost = 1, scale = FALSE), function(model, test) {
      found <- attr(predict(model, x[test, ], decision.values = TRUE), "decision.values")
      if (startsWith(colnames(found), positive)) found[, 1] else -found[, 1]
    })
    add("linear support vector machine", "e1071", peer_svm$value, peer_svm$seconds)
  }
  if (has("glmnet")) {
    lasso <- theirs(function(test) glmnet::glmnet(worm$x[!test, ], worm$y[!test], family = "binomial", lambda = 0.02),
                    function(model, test) predict(model, worm$x[test, ], type = "response")[, 1])
    add("logistic regression, lasso", "glmnet", lasso$value, lasso$seconds)
  }
}

# Entropy of each feature together with the groups z of the instances.
with_groups <- function(z) {
  ones <- rowsum(x, z)
  p <- rbind(ones, as.vector(table(z)) - ones) / nrow(x)
  -colSums(ifelse(p > 0, p * log(p), 0))
}
entropy <- function(z) -sum(prop.table(table(z)) * log(prop.table(table(z))))
# Feature after feature, the one of the highest `value` of what is summed (or the least) over those chosen before; `step` is what one of these adds.
one_by_one <- function(k, step, value, join = `+`) {
  relevance <- with_groups(rep(1, nrow(x))) + entropy(worm$y) - with_groups(worm$y)
  chosen <- which.max(relevance)
  sum <- NULL
  while (length(chosen) < k) {
    s <- x[, chosen[length(chosen)]]
    sum <- if (is.null(sum)) step(s) else join(sum, step(s))
    chosen <- c(chosen, which.max(replace(value(relevance, sum, length(chosen)), chosen, -Inf)))
  }
  colnames(x)[chosen]
}
both <- function(s) interaction(s, worm$y, drop = TRUE)
plain_selections <- list(
  mrmr = function(k) one_by_one(k, function(s) with_groups(rep(1, nrow(x))) + entropy(s) - with_groups(s), function(relevance, sum, n) relevance - sum / n),
  jmi = function(k) one_by_one(k, function(s) with_groups(s) + entropy(worm$y) - with_groups(both(s)), function(relevance, sum, n) sum),
  cmim = function(k) one_by_one(k, function(s) with_groups(s) + entropy(both(s)) - entropy(s) - with_groups(both(s)),
                                function(relevance, least, n) pmin(relevance, least), pmin))
selections <- do.call(rbind, lapply(names(plain_selections), function(method) {
  found <- used(hsel_select(worm, method = method, k = 20)$selected$feature)
  peer <- used(plain_selections[[method]](20))
  data.frame(method, hsel = found$seconds, plain = peer$seconds, same = length(intersect(found$value, peer$value)))
}))

rows <- do.call(rbind, rows)
rows <- do.call(rbind, lapply(split(rows, factor(paste(rows$method, rows$by), unique(paste(rows$method, rows$by)))), function(of)
  data.frame(of[1, c("method", "by")], auroc = mean(of$auroc), se = sd(of$auroc) / sqrt(nrow(of)), seconds = mean(of$seconds))))
rows <- rows[order(match(rows$method, unique(rows$method)), rows$by != "hsel"), ]
first <- rows$seconds[match(rows$method, rows$method)]
versions <- vapply(unique(setdiff(rows$by, c("hsel", "plain R"))), function(package) paste(package, utils::packageVersion(package)), "")
missing <- setdiff(c("ranger", "randomForest", "e1071", "class", "rpart", "glmnet"), rows$by)
lines <- c("## The R package beside others", "",
           paste0("Written by `Rscript bench/r_compare.R --update`. hsel ", hsel_version()[["library"]], ", ", R.version.string, ", ", paste(versions, collapse = ", "),
                  if (length(missing)) paste("; not installed:", paste(missing, collapse = ", ")), load, ". Worm genes, ", nrow(worm), " x ", ncol(x),
                  ", the same ten folds, one thread: mean and standard error of AUROC over ", length(seeds), " seeds, which shuffle folds, and mean processor time of ",
                  "all folds; randomForest has the first seed only. Every package has its own defaults, which differ but for what the method names."), "",
           "| method | by | AUROC | ± se | time | times hsel |", "|---|---|---:|---:|---:|---:|",
           sprintf("| %s | %s | %.4f | %s | %.3f s | %s |", rows$method, rows$by, rows$auroc, ifelse(is.na(rows$se), "", sprintf("%.4f", rows$se)), rows$seconds,
                   ifelse(duplicated(rows$method), sprintf("%.1f", rows$seconds / pmax(first, 0.001)), "")), "",
           if (has("e1071")) sprintf("Naive Bayes: probabilities of hsel and e1071 differ by %.3g at most.", apart), "",
           "The first 20 features by the methods of praznik, which Debian does not have, on all genes, and by plain R code of the same formulas:", "",
           "| method | hsel | plain R | times hsel | the same features |", "|---|---:|---:|---:|---:|",
           sprintf("| %s | %.3f s | %.3f s | %.1f | %d of 20 |", selections$method, selections$hsel, selections$plain,
                   selections$plain / pmax(selections$hsel, 0.001), selections$same))
if (!update) {
  writeLines(lines)
} else {
  path <- "bench/RESULTS.md"
  old <- readLines(path)
  at <- match(lines[1], old)
  if (!is.na(at)) {
    next_part <- which(startsWith(old, "## ") & seq_along(old) > at)
    old <- old[-(at:(if (length(next_part)) next_part[1] - 1 else length(old)))]
  }
  while (!nzchar(old[length(old)])) old <- old[-length(old)]
  writeLines(c(old, "", lines), path)
}
