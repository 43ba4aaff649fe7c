# SPDX-License-Identifier: GPL-3.0-or-later
# Cross-validation and comparison by the library; reports and explorer pages by the command.

hsel_eval <- function(x, y = NULL, hierarchy = NULL, select = "none", classify = "nb", folds = 10, repeats = 1, scheme = "own",
                      rank_by = c("score", "probability"), seed = 1, threads = 1, intervals = FALSE, respect = c("all", "groups", "none")) {
  data <- given_data(x, y, hierarchy)
  rank_by <- match.arg(rank_by)
  selector <- method_text(select, "selector")
  classifier <- method_text(classify, "classifier")
  n <- nrow(data$x)
  asked <- request(selector = selector, classifier = classifier, scheme = one_text(scheme, "scheme"), rank_by = rank_by,
                   repeats = as.integer(whole(repeats, "repeats", 1, 1e5)), seed = seed, threads = threads,
                   intervals = isTRUE(intervals), respect = match.arg(respect))
  if (length(folds) > 1) {
    if (length(folds) != n || !is.numeric(folds) || anyNA(folds) || any(folds != trunc(folds)) || min(folds) < 1 || max(folds) > n)
      refuse("folds must be a number of folds, or the fold of each of the ", n, " instances, from 1")
    if (repeats != 1 || scheme != "own") refuse("repeats and scheme are for a number of folds, but folds gives the folds themselves")
    asked$fold_of <- as.integer(folds)
    folds <- max(folds)
  }
  asked$folds <- as.integer(whole(folds, "folds", 2, 1e6))
  found <- .Call(C_crossval, attr(data, "pointer")$pointer, asked)
  repeats <- found$repeats
  ids <- if (is.null(rownames(data$x))) as.character(seq_len(n)) else rownames(data$x)
  predictions <- data.frame(id = rep(ids, repeats), `repeat` = rep(seq_len(repeats), each = n), fold = found$fold_of, check.names = FALSE)
  classes <- levels(data$y)
  k <- length(classes)
  if (k) {
    by_class <- function(values) matrix(values, ncol = k, byrow = TRUE, dimnames = list(NULL, classes))
    scores <- by_class(found$score)
    predictions <- data.frame(predictions, class = rep(data$y, repeats), predicted = predicted(scores, classes), selected = found$selected,
                              P = by_class(found$probability), score = scores, check.names = FALSE)
  } else  # a number
    predictions <- data.frame(predictions, target = rep(data$y, repeats), predicted = found$score, selected = found$selected,
                              check.names = FALSE)
  predictions$predicted[is.na(predictions$fold)] <- NA
  frequency <- data.frame(feature = colnames(data$x), label = feature_labels(data),
                          times = as.integer(rowSums(matrix(found$frequency, ncol = repeats))))
  frequency <- frequency[order(-frequency$times), ]
  rownames(frequency) <- NULL
  metrics <- as.data.frame(found$metrics)
  metrics <- cbind(metric = rownames(metrics), metrics[c("fold_mean", "fold_mean_sd", "pooled", "pooled_sd")])
  rownames(metrics) <- NULL
  per_class <- confusion <- NULL
  if (k) {
    per_class <- data.frame(class = classes, t(apply(array(found$by_class, c(7, k, repeats)), 1:2, mean)))
    names(per_class)[-1] <- c("precision", "recall", "f1", "specificity", "auroc", "auprc", "brier")
    confusion <- apply(array(found$confusion, c(k, k, repeats)), 2:1, sum)
    dimnames(confusion) <- list(class = classes, predicted = classes)
  }
  each <- t(matrix(found$fold_mean_each, ncol = repeats))
  colnames(each) <- metrics$metric
  structure(list(selector = selector, classifier = classifier, name = data$name, metrics = metrics, predictions = predictions,
                 frequency = frequency, classes = per_class, confusion = confusion, repeats = as.data.frame(each),
                 share = found$share, stability = found$stability, folds = found$folds, hierarchy = data$hierarchy, pointer = found$pointer,
                 seconds = matrix(found$seconds, ncol = 2, byrow = TRUE, dimnames = list(NULL, c("selecting", "classifying")))),
            class = "hsel_evaluation")
}

print.hsel_evaluation <- function(x, ...) {
  cat(sprintf("%s with %s on %s, %d folds%s:\n", x$selector, x$classifier, x$name, x$folds,
              if (nrow(x$repeats) > 1) sprintf(", %d repeats", nrow(x$repeats)) else ""))
  shown <- x$metrics[x$metrics$metric %in% (if (is.null(x$classes)) c("rmse", "mae", "r2", "spearman") else c("gm", "auroc", "accuracy")), ]
  cat(sprintf("  %-9s %.3f\n", shown$metric, shown$fold_mean), sep = "")
  cat(sprintf("  %.1f %% of the features were used\n", 100 * x$share))
  invisible(x)
}

hsel_interval <- function(x, metrics = NULL, other = NULL, pooled = FALSE) {
  for (each in c(list(x), if (!is.null(other)) list(other)))
    if (!inherits(each, "hsel_evaluation") || !.Call(C_is_live, each$pointer))
      refuse("this is no evaluation with intervals: hsel_eval(..., intervals = TRUE) makes one, and a saved one does not keep them")
  if (is.null(metrics)) metrics <- summary(x)$metric
  found <- .Call(C_intervals, x$pointer, other$pointer, as.character(metrics), isTRUE(pooled))
  table <- data.frame(metric = as.character(metrics), t(found$values), method = found$method)
  names(table)[2:4] <- c("estimate", "low", "high")
  table
}

# Without the metrics that are not defined here, such as errors of numbers for classes.
summary.hsel_evaluation <- function(object, ...) object$metrics[!is.na(object$metrics$fold_mean) | !is.na(object$metrics$pooled), ]

as.data.frame.hsel_evaluation <- function(x, ...) x$predictions

hsel_compare <- function(results, control = NULL, lower = FALSE, alpha = 0.05, one_sided = FALSE, keep_zeros = FALSE, tolerance = 0) {
  if (is.data.frame(results)) {
    words <- !vapply(results, is.numeric, NA)
    if (sum(words) == 1 && which(words) == 1) {  # the names of the data sets
      rows <- as.character(results[[1]])
      results <- results[-1]
    } else rows <- if (.row_names_info(results) > 0) rownames(results)
    results <- as.matrix(results)
    rownames(results) <- rows
  }
  if (!is.matrix(results) || !is.numeric(results) || any(is.infinite(results)))
    refuse("results must be a table of finite numbers, with a row per data set and a column per method")
  storage.mode(results) <- "double"
  names_or <- function(names, word) if (is.null(names)) paste(rep(word, max(dim(results))), seq_len(max(dim(results)))) else names
  methods <- names_or(colnames(results), "method")[seq_len(ncol(results))]
  if (is.numeric(control)) control <- methods[whole(control, "control", 1, length(methods))]
  if (!is.null(control) && !one_text(control, "control") %in% methods)
    refuse("the control ", control, " is not one of the methods: ", paste(methods, collapse = ", "))
  found <- .Call(C_compare, results, list(datasets = names_or(rownames(results), "data set")[seq_len(nrow(results))], methods = methods,
                                          control = control, lower = lower, one_sided = one_sided, keep_zeros = keep_zeros,
                                          alpha = as.double(alpha), tolerance = as.double(tolerance)))
  structure(c(jsonlite::fromJSON(found[1]), list(text = found[2])), class = "hsel_comparison")
}

print.hsel_comparison <- function(x, ...) {
  cat(x$text)
  invisible(x)
}

# ---- rankings without negatives ----

hsel_pu_metrics <- function(scores, labelled, prior = NULL, groups = NULL, seed = 1) {
  if (!is.numeric(scores)) refuse("scores must be numbers")
  if (!is.logical(labelled) || length(labelled) != length(scores) || anyNA(labelled)) refuse("labelled must be TRUE or FALSE for each score")
  if (!is.null(groups) && length(groups) != length(scores)) refuse("groups must have one group for each score")
  if (!is.null(prior) && (!is.numeric(prior) || length(prior) != 1 || is.na(prior))) refuse("prior must be a number, or NULL to estimate it")
  groups <- if (!is.null(groups)) match(as.character(groups), unique(as.character(groups))) - 1L
  jsonlite::fromJSON(.Call(C_pu_metrics, as.double(scores), as.raw(labelled), groups, if (is.null(prior)) NaN else as.double(prior),
                           as.double(whole(seed, "seed", 0, 9e15))))
}

hsel_discover_sets <- function(x, path, select = "none", classify = "nb", min_set = 10, max_set = 500, folds = 5, repeats = 1, seed = 1, threads = 1) {
  asked <- request(selector = method_text(select, "selector"), classifier = method_text(classify, "classifier"),
                   folds = as.integer(whole(folds, "folds", 2, 1000)), repeats = as.integer(whole(repeats, "repeats", 1, 1000)), seed = seed,
                   threads = threads)
  found <- .Call(C_discover_sets, attr(given_data(x), "pointer")$pointer, asked, one_text(path, "path"),
                 as.integer(whole(min_set, "min_set", 1, 1e9)), as.integer(whole(max_set, "max_set", 1, 1e9)))
  jsonlite::fromJSON(found)$sets
}

# ---- choosing, and p-values from elsewhere ----

hsel_auto <- function(x, y = NULL, hierarchy = NULL, select = NULL, classify = NULL, metric = "auroc", folds = 5, repeats = 1, inner_folds = 5,
                      inner_repeats = 1, race = 0.05, permutations = 0, budget = NULL, seed = 1, threads = 1, scheme = "own") {
  data <- given_data(x, y, hierarchy)
  several <- function(methods, kind)
    if (!is.null(methods)) vapply(if (inherits(methods, "hsel_method")) list(methods) else as.list(methods), method_text, "", kind = kind)
  number <- function(value, name, none, high)
    if (is.null(value)) none else if (is.numeric(value) && length(value) == 1 && !is.na(value) && value > 0 && value <= high) as.double(value)
    else refuse(name, " must be a number above 0", if (is.finite(high)) paste(" and up to", high), ", or NULL")
  asked <- request(selectors = several(select, "selector"), classifiers = several(classify, "classifier"), metric = one_text(metric, "metric"),
                   folds = as.integer(whole(folds, "folds", 2, 1000)), repeats = as.integer(whole(repeats, "repeats", 1, 1000)),
                   inner_folds = as.integer(whole(inner_folds, "inner_folds", 2, 1000)),
                   inner_repeats = as.integer(whole(inner_repeats, "inner_repeats", 1, 1000)),
                   permutations = as.integer(whole(permutations, "permutations", 0, 1e5)), race = number(race, "race", -1, 0.5),
                   budget = number(budget, "budget", 0, Inf), scheme = one_text(scheme, "scheme"), seed = seed, threads = threads)
  found <- .Call(C_auto, attr(data, "pointer")$pointer, asked)
  structure(c(jsonlite::fromJSON(found$json), list(model = new_model(found$model, nrow(data$x)), text = found$text)), class = "hsel_choice")
}

print.hsel_choice <- function(x, ...) {
  cat(x$text)
  invisible(x)
}

summary.hsel_choice <- function(object, ...) object$candidates

predict.hsel_choice <- function(object, newdata, ...) predict(object$model, newdata, ...)

# ---- candidates ----

hsel_discover <- function(x, positives = NULL, hierarchy = NULL, negatives = NULL, top = 20, fdr = NULL, correct_bias = FALSE, select = "none",
                          classify = NULL, folds = 5, repeats = 1, seed = 1, threads = 1) {
  data <- given_data(x, NULL, hierarchy)
  named <- function(given, name) {
    if (is.null(given)) return(NULL)
    if (is.logical(given)) {
      if (length(given) != nrow(data$x) || anyNA(given)) refuse(name, " must be names, or TRUE or FALSE for each of the ", nrow(data$x), " rows")
      given <- paste0("#", which(given))
    }
    if (!length(given)) refuse(name, " is empty")
    enc2utf8(as.character(given))
  }
  if (!is.null(fdr) && !(is.numeric(fdr) && length(fdr) == 1 && !is.na(fdr) && fdr > 0 && fdr < 1))
    refuse("fdr must be a number above 0 and below 1, or NULL")
  asked <- request(selector = method_text(select, "selector"), classifier = if (!is.null(classify)) method_text(classify, "classifier"),
                   positives = named(positives, "positives"), negatives = named(negatives, "negatives"),
                   top = as.integer(if (is.null(top)) 0 else whole(top, "top", 1, 1e9)), correct_bias = isTRUE(correct_bias),
                   fdr = if (is.null(fdr)) 0 else as.double(fdr), folds = as.integer(whole(folds, "folds", 2, 1000)),
                   repeats = as.integer(whole(repeats, "repeats", 1, 1000)), seed = seed, threads = threads)
  found <- .Call(C_discover, attr(data, "pointer")$pointer, asked)
  facts <- jsonlite::fromJSON(found$json)
  table <- facts$candidates
  facts$candidates <- NULL
  structure(table, facts = facts, text = found$text, report = found$report, class = c("hsel_candidates", "data.frame"))
}

print.hsel_candidates <- function(x, ...) {
  cat(attr(x, "text"))
  invisible(x)
}

summary.hsel_candidates <- function(object, ...) attr(object, "facts")

hsel_p_values <- function(x, y = NULL, hierarchy = NULL, adjust = "bh", ..., seed = 1, threads = 1) {
  data <- given_data(x, y, hierarchy)
  found <- .Call(C_p_values, attr(data, "pointer")$pointer, request(seed = seed, threads = threads), option_text(list(adjust = adjust, ...)))
  status <- c("tested", "rough", "drawn", "constant", "rare", "nominal", "covariate")[found$status %% 16L + 1L]
  known <- function(value) ifelse(is.nan(value), NA, value)
  data.frame(feature = colnames(data$x), label = feature_labels(data), p = known(found$p), adjusted = known(found$adjusted), status = status,
             inherited = found$status >= 16L)
}

hsel_terms <- function(x, y = NULL, hierarchy = NULL, adjust = "bh", ..., alpha = 0.05, top = 0, significant = FALSE, form = NULL, seed = 1, threads = 1) {
  data <- given_data(x, y, hierarchy)
  options <- option_text(list(adjust = adjust, alpha = alpha, top = top, significant = significant, ...))
  text <- .Call(C_terms, attr(data, "pointer")$pointer, request(seed = seed, threads = threads), options, if (is.null(form)) "csv" else form)
  if (!is.null(form)) return(text)
  utils::read.csv(text = text, check.names = FALSE, na.strings = "", encoding = "UTF-8")
}

hsel_test <- function(p, hierarchy = NULL, method = c("focused-bh", "bh", "by", "holm", "dagger", "dagger-dependent", "structured-holm", "yekutieli"),
                      alpha = 0.05) {
  method <- match.arg(method)
  if (is.data.frame(p) && ncol(p) == 2 && is.numeric(p[[2]])) p <- stats::setNames(p[[2]], as.character(p[[1]]))
  if (!is.numeric(p) || is.null(names(p)) || anyDuplicated(names(p)))
    refuse("p must be numbers with the names of their features, each once, or a data frame of names and numbers")
  if (!is.numeric(alpha) || length(alpha) != 1 || is.na(alpha)) refuse("alpha must be a number")
  data <- given_data(matrix(0, 0, length(p), dimnames = list(NULL, names(p))), hierarchy = hierarchy)
  found <- .Call(C_reject, attr(data, "pointer")$pointer, as.double(p), method, as.double(alpha))
  table <- data.frame(feature = names(p), label = feature_labels(data), p = unname(p), rejected = found$rejected,
                      adjusted = ifelse(is.nan(found$adjusted), NA, found$adjusted), inherited = found$inherited)
  table <- table[order(!table$rejected, table$p), ]
  rownames(table) <- NULL
  structure(table, method = method, alpha = alpha, class = c("hsel_test", "data.frame"))
}

print.hsel_test <- function(x, n = 10, ...) {
  cat(sprintf("%s at %g: %d of %d features rejected\n", attr(x, "method"), attr(x, "alpha"), sum(x$rejected), nrow(x)))
  print(head(structure(x, method = NULL, alpha = NULL, class = "data.frame"), n), ...)
  if (nrow(x) > n) cat(sprintf("... and %d more\n", nrow(x) - n))
  invisible(x)
}

# ---- what the command does ----

# The program hsel: option hsel.command, or the one on the path; "" where there is none.
hsel_command <- function() {
  named <- getOption("hsel.command", Sys.getenv("HSEL_COMMAND", ""))
  unname(if (nzchar(named)) named else Sys.which("hsel"))
}

run_command <- function(arguments) {
  command <- hsel_command()
  if (!nzchar(command)) raise(-6L, "this needs the program hsel, which is not on the path; options(hsel.command = ) names it", "", 0)
  said <- suppressWarnings(system2(command, shQuote(arguments), stdout = TRUE, stderr = TRUE))
  status <- attr(said, "status")
  if (!is.null(status) && status != 0) raise(-4L, paste(c(sub("^hsel: ", "", said), ""), collapse = "\n"), "", 0)
  invisible(as.character(said))
}

hsel_build <- function(..., output = NULL) {
  options <- list(...)
  if (length(options) && (is.null(names(options)) || any(names(options) == ""))) refuse("every option needs a name, such as hierarchy = \"go.obo\"")
  arguments <- character()
  for (name in names(options)) {
    option <- paste0("--", gsub("_", "-", sub("_+$", "", name)))
    value <- options[[name]]
    if (option %in% c("--output", "--json", "--help", "--quiet", "--progress")) refuse(name, " is not an option of hsel_build()")
    if (isTRUE(value)) arguments <- c(arguments, option)
    else if (option %in% c("--annotations", "--labels")) for (each in value) arguments <- c(arguments, option, path.expand(as.character(each)))
    else if (length(value) && !isFALSE(value)) arguments <- c(arguments, option, paste(if (is.character(value)) path.expand(value) else value, collapse = ","))
  }
  path <- if (is.null(output)) tempfile(fileext = ".hsel") else path.expand(one_text(output, "output"))
  if (is.null(output)) on.exit(unlink(path))
  said <- run_command(c("build", arguments, "--json", "--output", path))
  data <- hsel_read(path)
  notes <- grep("^note: ", said, value = TRUE)
  for (note in notes) warning(sub("^note: ", "", note), call. = FALSE)
  attr(data, "report") <- jsonlite::fromJSON(paste(said[!startsWith(said, "note: ")], collapse = "\n"))
  data
}

hsel_report <- function(store, path = "report.html", format = c("auto", "html", "text", "csv", "latex", "curves"), study = NULL,
                        charts = NULL) {
  format <- match.arg(format)
  run_command(c("report", "-q", path.expand(one_text(store, "store")), "-o", path.expand(one_text(path, "path")), "--format", format,
                if (!is.null(study)) c("--study", study), if (!is.null(charts)) c("--charts", path.expand(charts))))
  invisible(path)
}

hsel_explore <- function(x, y = NULL, hierarchy = NULL, path = "explore.html", select = "none", classify = "nb", folds = 10, seed = 1,
                         details = 20, terms = 500, threads = 1) {
  data <- given_data(x, y, hierarchy)
  one_text(path, "path")
  folder <- tempfile("hsel")
  on.exit(unlink(folder, recursive = TRUE))
  dir.create(folder)
  place <- file.path(folder, paste0(gsub("[^A-Za-z0-9._-]", "_", data$name), ".hsel"))
  .Call(C_write, attr(data, "pointer")$pointer, place)
  each <- function(option, kind, methods)
    unlist(lapply(if (inherits(methods, "hsel_method")) list(methods) else as.list(methods),
                  function(method) c(option, method_text(method, kind))))
  run_command(c("explore", "-q", place, "-o", path.expand(path), each("--select", "selector", select),
                each("--classify", "classifier", classify), "--folds", whole(folds, "folds", 2, 1e6),
                "--seed", format(whole(seed, "seed", 0, 2^53), scientific = FALSE), "--details", whole(details, "details", 0, 1e5),
                "--terms", whole(terms, "terms", 0, 1e9), "--threads", whole(threads, "threads", 0, 4096)))
  invisible(path)
}
