# SPDX-License-Identifier: GPL-3.0-or-later
# The numbers of the command, bit for bit.

evaluated <- function(...) {
  file <- tempfile(fileext = ".csv")
  found <- jsonlite::fromJSON(paste(command("eval", "-q", pack, "--json", "--predictions", file, ...), collapse = "\n"), simplifyVector = FALSE)[[1]]
  rows <- utils::read.csv(file, check.names = FALSE, colClasses = "character")
  list(found = found, rows = rows[order(as.integer(rows$instance)), ])
}

same_evaluation <- function(ours, theirs) {
  classes <- ours$classes$class
  for (word in c("P", "score")) for (class in classes)
    expect_identical(ours$predictions[[paste0(word, ".", class)]], exact(theirs$rows[[paste0(word, "(", class, ")")]]))
  expect_identical(as.character(ours$predictions$predicted), theirs$rows$predicted)
  expect_identical(ours$predictions$fold, as.integer(theirs$rows$fold))
  for (part in c("pooled", "fold_mean")) {
    shown <- vapply(theirs$found$metrics[ours$metrics$metric], function(metric) if (is.null(metric[[part]])) NaN else as.numeric(metric[[part]]), 0)
    expect_identical(ours$metrics[[part]], unname(shown))
  }
}

test_that("cross-validation is the command's with every method", {
  skip_without_command()
  classifiers <- hsel_methods("classifier")
  pairs <- rbind(data.frame(select = sub("^boruta$", "boruta:trees=20", hsel_methods("selector")$name), classify = "nb"),
                 data.frame(select = "shsel", classify = setdiff(classifiers$name, "nb")))
  for (i in seq_len(nrow(pairs))) {
    ours <- suppressWarnings(hsel_eval(small, select = pairs$select[i], classify = pairs$classify[i], folds = 3, seed = 11, threads = 2))
    same_evaluation(ours, evaluated("--select", pairs$select[i], "--classify", pairs$classify[i], "--folds", "3", "--seed", "11"))
  }
})

test_that("fold schemes and repeats are the command's, and folds can be given", {
  skip_without_command()
  for (scheme in c("own", "weka", "wan", "loo")) {
    ours <- hsel_eval(small, select = "hip", scheme = scheme, seed = 2)
    same_evaluation(ours, evaluated("--select", "hip", "--fold-scheme", scheme, "--seed", "2"))
  }
  once <- hsel_eval(small, select = "hip", seed = 2)
  expect_identical(hsel_eval(small, select = "hip", folds = once$predictions$fold, seed = 2)$predictions, once$predictions)
  twice <- hsel_eval(small, repeats = 2, seed = 2, folds = 4)
  shown <- evaluated("--repeats", "2", "--seed", "2", "--folds", "4")$found
  expect_identical(twice$metrics$fold_mean[1], shown$metrics$gm$fold_mean)
  expect_identical(twice$predictions[twice$predictions$`repeat` == 2, "fold"], hsel_eval(small, seed = 3, folds = 4)$predictions$fold)
})

test_that("selections are the command's, eager and lazy", {
  skip_without_command()
  for (method in setdiff(hsel_methods("selector")$name, lazy))
    expect_identical(names(which(suppressWarnings(hsel_select(small, method = method))$support)), command("select", "-q", pack, "--select", method))
  for (method in lazy) {
    shown <- lapply(command("select", "-q", pack, "--select", method, "--json"), function(line) jsonlite::fromJSON(line)$features)
    mask <- predict(hsel_select(small, method = method), small)
    ours <- lapply(seq_len(nrow(mask)), function(i) colnames(mask)[mask[i, ]])
    expect_identical(lapply(ours, sort), lapply(shown, function(names) sort(as.character(names(names)))))
  }
})

test_that("rankings are the command's", {
  skip_without_command()
  rankers <- unique(hsel_methods(c("ranker", "measure"))$name)
  shown <- utils::read.csv(text = command("rank", "-q", pack, "--by", paste(rankers, collapse = ","), "--csv", "--top", "0"), check.names = FALSE,
                           colClasses = "character")
  ours <- hsel_rank(small, by = rankers)
  expect_identical(ours$feature, shown$feature)
  for (ranker in rankers) {
    expect_identical(is.na(ours[[ranker]]), shown[[ranker]] == "")
    has <- !is.na(ours[[ranker]])
    expect_identical(abs(ours[[ranker]][has]), abs(exact(shown[[ranker]][has])))  # where less is better, the package has the negative
  }
})

test_that("a model predicts and explains as the command's does, and files go both ways", {
  skip_without_command()
  theirs <- tempfile(fileext = ".model")
  command("train", "-q", pack, "--select", "rpv", "--classify", "nb", "--seed", "4", "-o", theirs)
  ours <- hsel_train(small, select = "rpv", classify = "nb", seed = 4)
  mine <- tempfile(fileext = ".model")
  hsel_write(ours, mine)
  expect_identical(readBin(mine, "raw", 1e6), readBin(theirs, "raw", 1e6))
  read <- hsel_read_model(theirs)
  expect_identical(predict(read, small, "all"), predict(ours, small, "all"))
  for (part in c("selector", "classifier", "classes", "features", "hierarchy")) expect_identical(read[[part]], ours[[part]])
  shown <- lapply(command("predict", "-q", mine, pack, "--json"), function(line) jsonlite::fromJSON(line))
  expect_identical(vapply(shown, `[[`, "", "predicted"), as.character(predict(ours, small)))
  expect_identical(unname(predict(ours, small, "prob")[, 1]), vapply(shown, function(one) one$probabilities[[1]], 0))
  why <- hsel_explain(ours, small, 3)
  facts <- jsonlite::fromJSON(paste(command("explain", "-q", pack, "--model", mine, "--instance", "#3", "--json"), collapse = "\n"))
  expect_identical(why$features, facts$features)
  expect_identical(why$prior, facts$prior)
})

test_that("the data set of the package is that of the repository", {
  skip_if(!nzchar(Sys.getenv("HSEL_SOURCE")), "the sources are not there")
  read <- hsel_read(file.path(Sys.getenv("HSEL_SOURCE"), "data/rpv/CE-BP"), drop_roots = TRUE)
  attr(read, "pointer") <- NULL
  expect_identical(worm, read)
})

test_that("strata are the command's", {
  skip_without_command()
  stratified <- small
  stratified$strata <- rep(c("north", "south", NA, "west"), length.out = nrow(small$x))
  rownames(stratified$x) <- paste0("i", seq_len(nrow(small$x)))
  bare <- stratified
  bare$strata <- NULL
  pack <- tempfile(fileext = ".hsel")
  hsel_write(bare, pack)
  table <- tempfile(fileext = ".tsv")
  utils::write.table(data.frame(id = rownames(stratified$x), stratum = stratified$strata)[!is.na(stratified$strata), ], table, sep = "\t", quote = FALSE, row.names = FALSE)
  text <- "fdr:method=bh,alpha=0.3"
  expect_warning(ours <- hsel_select(stratified, method = text), "leave out instances without stratum")
  expect_identical(names(which(ours$support)), command("select", "-q", pack, "--strata", table, "--select", text))
  shown <- utils::read.csv(text = command("rank", "-q", pack, "--strata", table, "--by", "chi2", "--p-values", "--top", "0", "--csv"))
  shown$p[is.na(shown$p)] <- 1  # of constant features, which the command does not test
  expect_equal(10^-unname(ours$scores), shown$p[match(names(ours$scores), shown$feature)], tolerance = 1e-12)
  again <- hsel_read(pack, strata = table)
  expect_identical(again$strata, stratified$strata)
  again$y <- small$y  # a change does not lose them
  expect_identical(suppressWarnings(hsel_select(again, method = text))$scores, ours$scores)
  expect_identical(stratified[c(3, 1), ]$strata, c(NA, "north"))
  expect_error(hsel_data(animals$x, animals$y, strata = 1:2), "one for each of the 6 rows")
  expect_error(hsel_data(animals$x, animals$y, strata = rep(NA, 6)), "no stratum for any row")
  for (part in c("y", "strata")) {
    longer <- stratified
    longer[[setdiff(c("y", "strata"), part)]] <- NULL
    longer$x <- rbind(longer$x, longer$x)
    expect_error(hsel_select(longer), paste(part, "has 120 values, but x has 240 rows"))
  }
})

test_that("folds respect groups and times", {
  set.seed(1)
  patient <- rep(1:60, each = 4)
  x <- matrix(rbinom(60 * 30, 1, 0.4), 60)[patient, ]
  colnames(x) <- paste0("f", 1:30)
  y <- factor(rbinom(60, 1, 0.5)[patient])
  apart <- hsel_eval(hsel_data(x, y), classify = "knn", folds = 5)
  together <- hsel_eval(hsel_data(x, y, groups = patient), classify = "knn", folds = 5)
  auroc <- function(done) with(done$metrics, fold_mean[metric == "auroc"])
  expect_gt(auroc(apart), 0.9)
  expect_lt(auroc(together), 0.75)
  data <- hsel_data(x, y, groups = patient, time = as.Date("2026-01-01") + seq_along(patient))
  expect_identical(data[2:3, ]$groups, c("1", "1"))
  file <- tempfile(fileext = ".hsel")
  hsel_write(data, file)
  again <- hsel_read(file)
  expect_identical(again$groups, data$groups)
  expect_error(hsel_data(x, y, groups = 1:3), "one for each of the 240 rows")
  expect_error(hsel_data(x, y, time = "soon"), "number or date for each")
  split <- hsel_eval(hsel_data(x, y, groups = patient), classify = "knn", folds = 5, respect = "none", intervals = TRUE)
  kept <- hsel_eval(hsel_data(x, y, groups = patient), classify = "knn", folds = 5, intervals = TRUE)
  expect_identical(split$predictions, apart$predictions)
  found <- hsel_interval(kept, c("auroc", "gm"))
  expect_identical(names(found), c("metric", "estimate", "low", "high", "method"))
  expect_identical(found$method, rep(sprintf("bootstrap over %d groups", length(unique(patient))), 2))
  expect_identical(found$estimate, with(kept$metrics, pooled[match(c("auroc", "gm"), metric)]))
  leak <- hsel_interval(split, "auroc", other = kept)
  expect_gt(leak$low, 0)
  expect_equal(leak$estimate, hsel_interval(split, "auroc")$estimate - found$estimate[1])
  expect_error(hsel_interval(together), "no evaluation with intervals")
  expect_error(hsel_interval(kept, "aurok"), "no metric 'aurok'")
})

test_that("weights and test sets of arrays are those of the command", {
  set.seed(4)
  x <- matrix(rbinom(400, 1, 0.5), 80, dimnames = list(NULL, letters[1:5]))
  y <- factor(rbinom(80, 1, 0.5))
  weights <- sample(1:4, 80, replace = TRUE)
  probabilities <- function(...) hsel_eval(hsel_data(x, y, ...), classify = "nb", folds = 4)$predictions
  expect_false(identical(probabilities(weights = weights), probabilities()))
  expect_identical(probabilities(weights = rep(2, 80))$score, probabilities(weights = rep(2, 80))$score)
  data <- hsel_data(x, y, weights = weights, test_set = rep(c(TRUE, FALSE), 40))
  file <- tempfile(fileext = ".hsel")
  hsel_write(data, file)
  again <- hsel_read(file)
  expect_identical(again$weights, data$weights)
  expect_identical(again$test_set, data$test_set)
  expect_identical(data[3:2, ]$weights, as.double(weights[3:2]))
  expect_identical(hsel_eval(again, classify = "nb")$metrics, hsel_eval(data, classify = "nb")$metrics)
  expect_error(hsel_eval(data, classify = "aode"), "aode cannot learn from weighted instances")
  expect_error(hsel_data(x, y, weights = c(0, weights[-1])), "finite numbers above 0")
  expect_error(hsel_data(x, y, test_set = rep("maybe", 80)), "TRUE or FALSE")
})

test_that("roles may name columns of the metadata", {
  set.seed(3)
  x <- matrix(rbinom(200, 1, 0.5), 40, dimnames = list(paste0("s", 1:40), letters[1:5]))
  about <- data.frame(patient = paste0("p", (0:39) %/% 4), ill = rep(c("yes", "no"), 20), age = rnorm(40), row.names = rownames(x))
  data <- hsel_data(x, "ill", groups = "patient", metadata = about[40:1, ])
  expect_identical(as.character(data$groups), about$patient)
  expect_identical(as.character(data$y), about$ill)
  expect_identical(hsel_data(x, target = "age", metadata = about)$y, about$age)
  expect_error(hsel_data(x, "ill", groups = "pateint", metadata = about), "metadata has no column pateint; did you mean patient")
  expect_error(hsel_data(x, "ill", metadata = about[-1, ]), "metadata lacks 1 of 40 rows of x, such as s1")
  expect_error(hsel_data(x, "ill", metadata = "about.tsv"), "metadata must be a data frame")
})
