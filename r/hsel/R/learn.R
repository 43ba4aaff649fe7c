# SPDX-License-Identifier: GPL-3.0-or-later
# Selecting, ranking, learning, predicting, explaining.

is_lazy <- function(selector) {
  name <- sub(":.*", "", selector)
  known <- hsel_methods("selector")
  grepl("lazy", known$flags[match(name, known$name)], fixed = TRUE)
}

# Features of a data set as rows of a data frame: name, label, score. Best first.
feature_table <- function(data, at, scores = NULL) {
  features <- colnames(data$x)[at]
  table <- data.frame(feature = features, label = feature_labels(data, features))
  if (!is.null(scores)) table$score <- scores[at]
  if (!is.null(scores)) table <- table[order(-table$score, na.last = TRUE), ]
  rownames(table) <- NULL
  table
}

# Prints the first rows of such a table, names before identifiers; no column of names where there are none.
show_table <- function(table, n, ...) {
  class(table) <- "data.frame"
  named <- !all(is.na(table$label))
  print(head(table[c(if (named) "label", setdiff(names(table), "label"))], n), ...)
  if (nrow(table) > n) cat(sprintf("... and %d more; as.data.frame() has all\n", nrow(table) - n))
}

hsel_select <- function(x, y = NULL, hierarchy = NULL, method = "shsel", ..., seed = 1, threads = 1) {
  data <- given_data(x, y, hierarchy)
  text <- method_text(method, "selector", list(...))
  made <- list(method = text, lazy = isTRUE(is_lazy(text)), features = colnames(data$x), hierarchy = data$hierarchy, model = NULL)
  if (made$lazy) {
    made$model <- train(data, text, "nb", NULL, seed, threads)
    each <- chosen_each(made$model, attr(data, "pointer")$pointer, threads)
    made$times <- setNames(as.integer(Matrix::colSums(each)), made$features)
    made$support <- made$times > 0
    made$scores <- setNames(made$model$scores, if (!is.null(made$model$scores)) made$features)
    made$selected <- feature_table(data, made$support, made$scores)
    made$selected$times <- unname(made$times[made$selected$feature])
    made$selected <- made$selected[order(-made$selected$times), ]
    rownames(made$selected) <- NULL
  } else {
    found <- .Call(C_select, attr(data, "pointer")$pointer, request(selector = text, seed = seed, threads = threads))
    made$support <- setNames(found$keep, made$features)
    made$scores <- if (!all(is.nan(found$scores))) setNames(found$scores, made$features)
    made$selected <- feature_table(data, found$keep, if (!is.null(made$scores)) found$scores)
  }
  made$instances <- nrow(data$x)
  structure(made, class = "hsel_selection")
}

print.hsel_selection <- function(x, n = 10, ...) {
  if (x$lazy) cat(sprintf("%s selects for each instance separately: on average %.1f of %d features in the %d instances\n", x$method,
                          sum(x$times) / max(1, x$instances), length(x$features), x$instances))
  else cat(sprintf("%s selected %d of %d features\n", x$method, nrow(x$selected), length(x$features)))
  show_table(x$selected, n, ...)
  invisible(x)
}

summary.hsel_selection <- function(object, ...) {
  depth <- object$hierarchy$terms$depth[match(object$selected$feature, object$hierarchy$terms$term)]
  data.frame(method = object$method, features = length(object$features), selected = nrow(object$selected),
             share = nrow(object$selected) / length(object$features),
             mean_depth = if (length(depth)) mean(depth, na.rm = TRUE) else NA_real_)
}

as.data.frame.hsel_selection <- function(x, ...) x$selected

predict.hsel_selection <- function(object, newdata, threads = 1, ...) {
  x <- aligned(newdata, object$features)
  if (!object$lazy) return(x[, object$support, drop = FALSE])
  mask <- chosen_each(object$model, like_model(object$model, x), threads)
  rownames(mask) <- rownames(x)
  mask
}

hsel_rank <- function(x, y = NULL, hierarchy = NULL, by = "auc", ..., threads = 1) {
  data <- given_data(x, y, hierarchy)
  by <- if (is.list(by)) by else as.list(by)
  texts <- vapply(by, method_text, "", kind = c("ranker", "measure"), options = list(...))
  if (anyDuplicated(texts)) refuse(texts[duplicated(texts)][1], " is given twice")
  scores <- .Call(C_rank, attr(data, "pointer")$pointer, request(rankers = texts, threads = threads))
  colnames(scores) <- texts
  scores[is.infinite(scores) & scores < 0] <- NA  # constant features, which have none
  ranks <- apply(scores, 2, function(score) order(order(-score, na.last = TRUE, method = "radix")))
  dim(ranks) <- dim(scores)
  ranking <- data.frame(feature = colnames(data$x), label = feature_labels(data), scores, check.names = FALSE)
  if (ncol(scores) == 1) ranking$rank <- ranks[, 1]
  else ranking[paste0("rank(", texts, ")")] <- as.data.frame(ranks)
  ranking <- ranking[order(ranks[, 1]), ]
  rownames(ranking) <- NULL
  structure(ranking, by = texts, class = c("hsel_ranking", "data.frame"))
}

print.hsel_ranking <- print.hsel_features <- function(x, n = 10, ...) {
  show_table(x, n, ...)
  invisible(x)
}

# ---- models ----

train <- function(data, selector, classifier, weights, seed, threads) {
  if (!is.null(weights)) {
    if (!is.numeric(weights) || length(weights) != nrow(data$x) || anyNA(weights)) refuse("weights must be numbers, one for each of the ", nrow(data$x), " rows")
    weights <- as.double(weights)
  }
  pointer <- .Call(C_train, attr(data, "pointer")$pointer,
                   request(selector = selector, classifier = classifier, weights = weights, seed = seed, threads = threads))
  new_model(pointer, nrow(data$x))
}

# A model of the library with all that is to be known of it.
new_model <- function(pointer, instances = NULL) {
  about <- .Call(C_about, pointer)
  methods <- .Call(C_model_methods, pointer)
  features <- .Call(C_model_features, pointer, length(about$features))
  keep_pointer(structure(list(selector = methods[1], classifier = methods[2], classes = about$classes, features = about$features,
                              words = about$words,
                              hierarchy = hierarchy_of(about), support = features$keep, scores = features$scores, instances = instances,
                              bytes = .Call(C_model_to_raw, pointer)), class = "hsel_model"), pointer)
}

# The model of the library; after R has saved and loaded it, made again from its bytes.
model_pointer <- function(model) {
  known <- attr(model, "pointer")
  if (!.Call(C_is_live, known$pointer)) known$pointer <- .Call(C_model_from_raw, model$bytes)
  known$pointer
}

hsel_train <- function(x, y = NULL, hierarchy = NULL, select = "none", classify = "nb", weights = NULL, seed = 1, threads = 1)
  train(given_data(x, y, hierarchy), method_text(select, "selector"), method_text(classify, "classifier"), weights, seed, threads)

# New instances with the columns of the training data in their order; others are left out.
aligned <- function(newdata, features) {
  if (inherits(newdata, c("SummarizedExperiment", "phyloseq"))) newdata <- hsel_data(newdata)
  x <- if (inherits(newdata, "hsel_data")) newdata$x else newdata
  if (is.null(dim(x)) && length(x) == length(features)) x <- matrix(x, 1, dimnames = list(NULL, names(x)))
  if (is.null(dim(x))) refuse("newdata must be a matrix, a sparse matrix or a data frame with a row per instance")
  if (is.null(colnames(x))) {
    if (ncol(x) != length(features)) refuse("newdata has ", ncol(x), " columns without names, but the model has ", length(features), " features")
    return(with_names(x, features))
  }
  if (identical(colnames(x), features)) return(x)
  missing <- setdiff(features, colnames(x))
  if (length(missing)) refuse("newdata has no column ", missing[1], if (length(missing) > 1) paste0(", and ", length(missing) - 1, " more are missing"))
  x[, features, drop = FALSE]
}

like_model <- function(model, x) {
  given <- arrays_of(x, model$words)
  given$like <- model_pointer(model)
  given$ids <- if (is.null(rownames(x))) as.character(seq_len(nrow(x))) else enc2utf8(rownames(x))
  .Call(C_from_arrays, given)
}

chosen_each <- function(model, pointer, threads) {
  found <- .Call(C_select_each, model_pointer(model), pointer, request(threads = threads))
  rows <- length(found$p) - 1L
  mask <- methods::new("lgRMatrix", Dim = c(rows, length(model$features)), p = found$p, j = found$j, x = rep(TRUE, length(found$j)))
  mask <- methods::as(mask, "CsparseMatrix")
  colnames(mask) <- model$features
  mask
}

predict.hsel_model <- function(object, newdata, type = c("class", "prob", "score", "features", "all"), threads = 1, ...) {
  type <- match.arg(type)
  x <- aligned(newdata, object$features)
  pointer <- like_model(object, x)
  if (type == "features") {
    mask <- chosen_each(object, pointer, threads)
    rownames(mask) <- rownames(x)
    return(mask)
  }
  found <- .Call(C_predict, model_pointer(object), pointer, request(threads = threads))
  if (!length(object$classes)) {  # a model that predicts a number
    if (type == "prob") refuse("the model predicts a number, which has no probabilities")
    number <- setNames(found$score[, 1], rownames(x))
    return(if (type == "all") data.frame(predicted = unname(number), selected = found$selected, row.names = if (!anyDuplicated(rownames(x))) rownames(x))
           else number)
  }
  colnames(found$probability) <- colnames(found$score) <- object$classes
  rownames(found$probability) <- rownames(found$score) <- rownames(x)
  class <- predicted(found$score, object$classes)
  switch(type, class = setNames(class, rownames(x)), prob = found$probability, score = found$score,
         all = data.frame(predicted = class, P = found$probability, score = found$score, selected = found$selected,
                          row.names = if (!anyDuplicated(rownames(x))) rownames(x), check.names = FALSE))
}

# The class of the highest score, of equal ones the first.
predicted <- function(score, classes)
  factor(classes[if (nrow(score)) max.col(replace(score, is.na(score), -Inf), ties.method = "first") else integer()], levels = classes)

print.hsel_model <- function(x, ...) {
  cat(sprintf("A model of %s on %s, learned from %s%d features\n", x$classifier,
              if (x$selector == "none") "all features" else paste("what", x$selector, "selects"),
              if (is.null(x$instances)) "" else paste(x$instances, "instances with "), length(x$features)))
  cat(if (length(x$classes)) paste("  classes:", paste(x$classes, collapse = ", ")) else "  predicts a number", "\n")
  if (!is.null(x$support) && x$selector != "none") cat("  selected:", sum(x$support), "features\n")
  invisible(x)
}

summary.hsel_model <- function(object, ...) {
  labels <- object$hierarchy$terms$label[match(object$features, object$hierarchy$terms$term)]
  table <- data.frame(feature = object$features, label = if (length(labels)) labels else NA_character_)
  if (!is.null(object$support)) table$selected <- object$support
  if (!is.null(object$scores)) table$score <- object$scores
  if (!is.null(object$scores)) table <- table[order(-table$score), ]
  rownames(table) <- NULL
  structure(table, class = c("hsel_features", "data.frame"))
}

hsel_read_model <- function(path) new_model(.Call(C_model_read, one_text(path, "path")))

# ---- explanations ----

hsel_explain <- function(model, newdata, instance = 1, top = 0) {
  if (!inherits(model, "hsel_model")) refuse("expected a model of hsel_train(), not ", class(model)[1])
  x <- aligned(newdata, model$features)
  if (is.character(instance) && length(instance) == 1) {
    named <- match(instance, rownames(x))
    if (is.na(named)) refuse("newdata has no row ", instance)
    instance <- named
  }
  whole(instance, "instance", 1, nrow(x))
  x <- x[instance, , drop = FALSE]
  if (is.null(rownames(x))) rownames(x) <- instance
  pointer <- like_model(model, x)
  explain <- function(form) .Call(C_explain, model_pointer(model), pointer, 1L, as.integer(whole(top, "top", 0, 2^31 - 1)), form)
  facts <- jsonlite::fromJSON(explain("json"))
  structure(c(facts, list(text = explain("text"), terms = model$hierarchy)), class = "hsel_explanation")
}

print.hsel_explanation <- function(x, ...) {
  cat(x$text, "\n", sep = "")
  invisible(x)
}

summary.hsel_explanation <- function(object, ...) structure(object$features, class = c("hsel_features", "data.frame"))

as.data.frame.hsel_explanation <- function(x, ...) x$features
