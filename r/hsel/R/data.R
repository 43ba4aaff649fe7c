# SPDX-License-Identifier: GPL-3.0-or-later
# Data sets: x, y and a hierarchy together. An object of the library is made when it is needed and kept with them; it is dropped when
# one of them is changed, or when R has saved and loaded them.

hsel_data <- function(x, ...) UseMethod("hsel_data")

hsel_data.default <- function(x, y = NULL, hierarchy = NULL, covariates = NULL, name = "data", target = NULL, strata = NULL, positive = NULL,
                              groups = NULL, time = NULL, metadata = NULL, test_set = NULL, weights = NULL, ...) {
  if (length(list(...))) refuse("hsel_data() has no argument ", names(list(...))[1])
  if (!is.null(metadata)) {
    column <- from_metadata(metadata, x)
    y <- column(y, "y"); target <- column(target, "target"); strata <- column(strata, "strata")
    groups <- column(groups, "groups"); time <- column(time, "time")
    test_set <- column(test_set, "test_set"); weights <- column(weights, "weights")
  }
  if (inherits(x, "hsel_data")) {
    if (!is.null(y) || !is.null(hierarchy) || !is.null(covariates) || !is.null(target) || !is.null(strata) || !is.null(positive) || !is.null(groups) || !is.null(time) || !is.null(test_set) || !is.null(weights))
      refuse("x has its own classes and hierarchy: change them by x$y <- and x$hierarchy <-")
    return(x)
  }
  if (is.null(dim(x)) || length(dim(x)) != 2) refuse("x must be a matrix, a sparse matrix or a data frame with a row per instance")
  if (!is.null(target)) {
    if (!is.null(y)) refuse("y are classes and target are numbers to predict: give only one")
    if (!is.numeric(target) || length(target) != nrow(x)) refuse("target must be numbers, one for each of the ", nrow(x), " rows")
    y <- as.double(target)
  } else if (!is.null(y)) {
    y <- as_classes(y, nrow(x))
  }
  if (!is.null(hierarchy)) hierarchy <- hsel_hierarchy(hierarchy)
  if (is.null(colnames(x))) {
    if (!is.null(hierarchy)) refuse("the columns of x have no names to find in the hierarchy: give colnames(x)")
    x <- with_names(x, paste0("x", seq_len(ncol(x))))
  }
  checked <- structure(list(x = x, y = y, hierarchy = hierarchy, covariates = covariates, name = one_text(name, "name"), instances = NULL),
                       class = "hsel_data")
  if (!is.null(strata)) checked$strata <- strata
  if (!is.null(groups)) checked$groups <- groups
  if (!is.null(time)) checked$time <- time
  if (!is.null(test_set)) checked$test_set <- test_set
  if (!is.null(weights)) checked$weights <- weights
  if (!is.null(positive)) attr(checked, "positive") <- one_text(as.character(positive), "positive")
  pointer_of(checked)  # which checks all of it
  checked
}

# Gives the values of a role, which is a column of the metadata if it is one text.
from_metadata <- function(metadata, x) {
  if (!is.data.frame(metadata)) refuse("metadata must be a data frame with the names of the rows of x as its row names")
  numbered <- is.null(rownames(x)) || .row_names_info(metadata) < 0
  if (numbered && nrow(metadata) != nrow(x)) refuse("metadata has ", nrow(metadata), " rows, but x has ", nrow(x))
  unknown <- if (!numbered) setdiff(rownames(x), rownames(metadata))
  if (length(unknown)) refuse("metadata lacks ", length(unknown), " of ", nrow(x), " rows of x, such as ", unknown[1])
  if (!numbered) metadata <- metadata[rownames(x), , drop = FALSE]
  function(value, role) {
    if (!is.character(value) || length(value) != 1) return(value)
    if (!value %in% names(metadata)) {
      near <- names(metadata)[utils::adist(value, names(metadata))[1, ] <= 2]
      refuse(role, ": metadata has no column ", value, if (length(near)) paste0("; did you mean ", near[1], "?"))
    }
    metadata[[value]]
  }
}

with_names <- function(x, names) {
  colnames(x) <- names
  x
}

# The classes of instances as a factor, levels in their own order, not that of a language; or numbers to predict, if they are not whole.
as_classes <- function(y, rows) {
  if (!is.null(dim(y)) && ncol(as.data.frame(y)) == 1) y <- y[, 1, drop = TRUE]
  if (!is.atomic(y) || length(y) != rows) refuse("y has ", length(y), " values, but x has ", rows, " rows")
  if (is.factor(y)) return(droplevels(y))
  if (is.numeric(y) && any(y != trunc(y), na.rm = TRUE)) return(as.double(y))
  factor(y, levels = sort(unique(y[!is.na(y)]), method = "radix"))
}

# The names of the strata (or groups) of instances; NA: not known.
as_strata <- function(strata, rows, what = "strata", one = "stratum") {
  if (is.null(strata)) return(NULL)
  if (!is.atomic(strata) || length(strata) != rows || (is.numeric(strata) && any(strata != trunc(strata), na.rm = TRUE)))
    refuse(what, " must be names or whole numbers, one for each of the ", rows, " rows")
  names <- as.character(strata)
  names[!is.na(names) & names == ""] <- NA
  if (all(is.na(names))) refuse(what, " has no ", one, " for any row")
  names
}

# Times as numbers: those of dates are seconds since 1970.
as_time <- function(time, rows) {
  if (is.null(time)) return(NULL)
  if (is.character(time) || is.factor(time)) {
    numbers <- suppressWarnings(as.numeric(as.character(time)))
    time <- if (anyNA(numbers)) tryCatch(as.POSIXct(as.character(time), tz = "UTC"), error = function(unused) NA) else numbers
  }
  if (inherits(time, "Date")) time <- as.POSIXct(time)
  if (!is.atomic(time) || length(time) != rows || anyNA(as.numeric(time))) refuse("time must have one number or date for each of the ", rows, " rows")
  as.numeric(time)
}

test_words <- c("true", "t", "1", "1.0", "test", "testing", "yes")

# TRUE for the instances of the test set, which TRUE, 1, "test" or "yes" name beside FALSE, 0, "train" or "no".
as_test_set <- function(test_set, rows) {
  if (is.null(test_set)) return(NULL)
  words <- tolower(as.character(test_set))
  tests <- words %in% test_words
  if (!is.atomic(test_set) || length(test_set) != rows || !all(tests | words %in% c("false", "f", "0", "0.0", "train", "training", "no")))
    refuse("test_set must be TRUE or FALSE, 1 or 0, or test or train, for each of the ", rows, " rows")
  tests
}

as_weights <- function(weights, rows) {
  if (is.null(weights)) return(NULL)
  if (is.character(weights)) weights <- suppressWarnings(as.numeric(weights))
  if (!is.numeric(weights) || length(weights) != rows || !all(is.finite(weights) & weights > 0))
    refuse("weights must be finite numbers above 0, one for each of the ", rows, " rows")
  as.double(weights)
}

# The values of a matrix or data frame as the library takes them. Factors and texts are numbers of their words, from 0; with `known` words, those of a model
# by the positions of their columns, words that it does not have are missing.
arrays_of <- function(x, known = NULL) {
  if (is.data.frame(x)) {
    nominal <- if (is.null(known)) vapply(x, function(column) is.factor(column) || is.character(column), NA) else lengths(known) > 0
    odd <- names(x)[!nominal & !vapply(x, function(column) is.numeric(column) || is.logical(column), NA)]
    if (length(odd)) refuse("column ", odd[1], " of x is neither numbers, TRUE and FALSE, a factor nor texts", if (!is.null(known)) ", or it had none in the training data")
    words <- known
    if (is.null(words)) words <- lapply(x, function(column) if (is.factor(column)) levels(column) else if (is.character(column)) sort(unique(column), method = "radix"))
    for (i in which(nominal)) x[[i]] <- match(as.character(x[[i]]), words[[i]]) - 1
    values <- if (length(x)) as.matrix(x) else matrix(0, nrow(x), 0)
    given <- arrays_of(values)
    if (any(nominal)) {
      given$types <- ifelse(nominal, 2L, 3L)
      given$word_counts <- ifelse(nominal, lengths(words), 0L)
      given$words <- enc2utf8(as.character(unlist(words[nominal], use.names = FALSE)))
    }
    return(given)
  }
  if (any(lengths(known) > 0)) refuse("the training data had columns of words: give a data frame")
  if (methods::is(x, "Matrix") || methods::is(x, "sparseVector")) {
    if (!methods::is(x, "dgCMatrix")) x <- methods::as(methods::as(methods::as(x, "dMatrix"), "generalMatrix"), "CsparseMatrix")
    return(list(dim = dim(x), p = x@p, i = x@i, values = x@x))
  }
  if (!is.matrix(x) || !(is.numeric(x) || is.logical(x))) refuse("x must be a matrix of numbers, a sparse matrix or a data frame, not ", class(x)[1])
  if (!is.double(x) && anyNA(x)) storage.mode(x) <- "double"
  list(dim = dim(x), values = if (is.double(x)) as.double(x) else as.integer(x))
}

pointer_of <- function(data) {
  known <- attr(data, "pointer")
  if (.Call(C_is_live, known$pointer)) return(known$pointer)
  for (each in c("y", "strata", "groups", "time", "test_set", "weights"))
    if (!is.null(data[[each]]) && length(data[[each]]) != nrow(data$x)) refuse(each, " has ", length(data[[each]]), " values, but x has ", nrow(data$x), " rows")
  given <- arrays_of(data$x)
  given$features <- enc2utf8(colnames(data$x))
  given$name <- data$name
  ids <- rownames(data$x)
  if (!is.null(ids) && !identical(ids, as.character(seq_len(nrow(data$x))))) given$ids <- enc2utf8(ids)
  if (!is.null(data$strata)) given$strata <- enc2utf8(ifelse(is.na(data$strata), "", data$strata))
  if (!is.null(data$groups)) given$groups <- enc2utf8(ifelse(is.na(data$groups), "", data$groups))
  given$time <- data$time
  given$test_set <- data$test_set
  given$weights <- data$weights
  if (is.double(data$y)) given$target <- data$y
  if (!is.null(data$covariates)) {
    unknown <- setdiff(data$covariates, colnames(data$x))
    if (length(unknown)) refuse("the covariate ", unknown[1], " is not a column of x")
    given$covariates <- colnames(data$x) %in% data$covariates
  }
  if (is.factor(data$y)) {
    given$labels <- as.integer(data$y)
    given$classes <- levels(data$y)
    given$positive <- attr(data, "positive")
  }
  pointer <- .Call(C_from_arrays, given)
  if (!is.null(data$hierarchy) && bind(pointer, data$hierarchy) == 0 && nrow(data$hierarchy$terms))
    refuse("none of the terms of the hierarchy is a column of x: ", data$hierarchy$terms$term[1], " is one of the hierarchy, ",
           colnames(data$x)[1], " one of x")
  pointer
}

# What is known of each feature or instance, by the name of a column; NA where it is not, NULL: of none.
texts_of <- function(columns, texts, which) {
  at <- match(which, columns)
  if (is.na(at)) return(NULL)
  found <- texts[seq(at, length(texts), by = length(columns))]
  ifelse(found == "", NA, found)
}

hierarchy_of <- function(about) {
  if (is.null(about$child)) return(NULL)
  labels <- texts_of(about$feature_columns, about$feature_texts, "label")
  structure(list(terms = data.frame(term = about$features, label = if (is.null(labels)) NA_character_ else labels, depth = about$depth - 1L),
                 edges = data.frame(child = about$features[about$child], parent = about$features[about$parent])), class = "hsel_hierarchy")
}

# From an object of the library, which is kept.
data_of <- function(pointer) {
  about <- .Call(C_about, pointer)
  rows <- if (length(about$ids)) about$ids
  if (all(about$types == 0L)) {
    columns <- .Call(C_columns, pointer)
    x <- methods::new("dgCMatrix", Dim = about$dim, p = columns$p, i = columns$i, x = rep(1, length(columns$i)),
                      Dimnames = list(rows, about$features))
  } else {
    x <- lapply(seq_along(about$features), function(f) {
      values <- .Call(C_values, pointer, f)
      words <- attr(values, "words")
      if (is.null(words)) values else factor(words[values + 1], levels = words)
    })
    x <- structure(x, names = about$features, class = "data.frame",
                   row.names = if (is.null(rows) || anyDuplicated(rows)) .set_row_names(about$dim[1]) else rows)
  }
  hierarchy <- hierarchy_of(about)
  y <- if (!is.null(about$labels)) factor(about$classes[about$labels], levels = about$classes)
  if (!is.null(about$target)) y <- about$target
  of_instances <- function(column) texts_of(about$instance_columns, about$instance_texts, column)
  data <- structure(list(x = x, y = y, hierarchy = hierarchy, covariates = if (any(about$covariates)) about$features[about$covariates],
                         name = about$name, instances = of_instances("label")), class = "hsel_data")
  if (!is.null(of_instances("stratum"))) data$strata <- of_instances("stratum")
  if (!is.null(of_instances("role:group"))) data$groups <- of_instances("role:group")
  if (!is.null(of_instances("role:time"))) data$time <- of_instances("role:time")
  if (!is.null(of_instances("role:test"))) data$test_set <- tolower(of_instances("role:test")) %in% test_words
  if (!is.null(of_instances("role:weight"))) data$weights <- of_instances("role:weight")
  if (length(about$classes) == 2) attr(data, "positive") <- about$classes[about$positive]
  keep_pointer(data, pointer)
}

keep_pointer <- function(data, pointer) {
  attr(data, "pointer") <- list2env(list(pointer = pointer), parent = emptyenv())
  data
}

# Whatever a user gives as data: x alone if it is an hsel_data, else x, y and hierarchy. With the object of the library.
given_data <- function(x, y = NULL, hierarchy = NULL) {
  data <- hsel_data(x, y = y, hierarchy = hierarchy)
  keep_pointer(data, pointer_of(data))
}

# The positive one of two classes, which rows that are taken keep; NULL: there are not two.
positive_of <- function(data) {
  if (!is.null(attr(data, "positive")) || !is.factor(data$y) || nlevels(data$y) != 2) return(attr(data, "positive"))
  levels(data$y)[.Call(C_about, pointer_of(data))$positive]
}

`$<-.hsel_data` <- function(x, name, value) {
  parts <- unclass(x)
  attr(parts, "pointer") <- NULL
  if (name == "y") attr(parts, "positive") <- NULL
  if (name == "y" && !is.null(value)) value <- as_classes(value, nrow(parts$x))
  if (name == "hierarchy" && !is.null(value)) value <- hsel_hierarchy(value)
  if (name == "strata") value <- as_strata(value, nrow(parts$x))
  if (name == "groups") value <- as_strata(value, nrow(parts$x), "groups", "group")
  if (name == "time") value <- as_time(value, nrow(parts$x))
  if (name == "test_set") value <- as_test_set(value, nrow(parts$x))
  if (name == "weights") value <- as_weights(value, nrow(parts$x))
  if (!name %in% c("x", "y", "hierarchy", "covariates", "name", "instances", "strata", "groups", "time", "test_set", "weights"))
    refuse("data have only x, y, hierarchy, covariates, name, instances, strata, groups, time, test_set and weights, not ", name)
  parts[name] <- list(value)
  structure(parts, class = "hsel_data")
}

`[[<-.hsel_data` <- `$<-.hsel_data`

`[.hsel_data` <- function(x, i, j, ...) {
  rows <- if (missing(i)) seq_len(nrow(x$x)) else i
  columns <- if (missing(j)) seq_len(ncol(x$x)) else j
  parts <- list(x = x$x[rows, columns, drop = FALSE], y = NULL, hierarchy = x$hierarchy,
                covariates = x$covariates, name = x$name, instances = NULL)
  if (!is.null(x$covariates)) parts["covariates"] <- list(if (any(x$covariates %in% colnames(parts$x))) intersect(x$covariates, colnames(parts$x)))
  at <- seq_len(nrow(x$x))
  names(at) <- rownames(x$x)
  at <- unname(at[rows])
  if (!is.null(x$y)) parts$y <- x$y[at]
  for (each in c("instances", "strata", "groups", "time", "test_set", "weights")) if (!is.null(x[[each]])) parts[[each]] <- x[[each]][at]
  attr(parts, "positive") <- positive_of(x)
  structure(parts, class = "hsel_data")
}

dim.hsel_data <- function(x) dim(x$x)

feature_labels <- function(data, features = colnames(data$x)) {
  if (is.null(data$hierarchy)) return(rep(NA_character_, length(features)))
  data$hierarchy$terms$label[match(features, data$hierarchy$terms$term)]
}

print.hsel_data <- function(x, ...) {
  cat(sprintf("%s: %s instances, %s features", x$name, format(nrow(x$x), big.mark = ","), format(ncol(x$x), big.mark = ",")))
  if (!is.null(x$hierarchy)) cat(sprintf(", a hierarchy of %s edges", format(nrow(x$hierarchy$edges), big.mark = ",")))
  cat("\n")
  if (is.double(x$y)) cat(sprintf("  numbers to predict, from %g to %g\n", min(x$y, na.rm = TRUE), max(x$y, na.rm = TRUE)))
  if (is.factor(x$y)) {
    counts <- table(x$y)
    cat(paste0("  ", names(counts), ": ", counts, collapse = "\n"), "\n", sep = "")
  }
  invisible(x)
}

summary.hsel_data <- function(object, ...)
  data.frame(instances = nrow(object$x), features = ncol(object$x), classes = length(levels(object$y)),
             positives = sum(object$x != 0, na.rm = TRUE), labelled = sum(!is.na(feature_labels(object))),
             edges = if (is.null(object$hierarchy)) 0L else nrow(object$hierarchy$edges))

# ---- Bioconductor ----

hsel_data.SummarizedExperiment <- function(x, y = NULL, hierarchy = NULL, covariates = NULL, assay = 1, name = "data", ...) {
  need("SummarizedExperiment")
  values <- SummarizedExperiment::assay(x, assay)
  hsel_data.default(transposed(values), sample_column(y, as.data.frame(SummarizedExperiment::colData(x))), hierarchy, covariates, name, ...)
}

hsel_data.phyloseq <- function(x, y = NULL, hierarchy = NULL, covariates = NULL, name = "data", ...) {
  need("phyloseq")
  values <- methods::as(phyloseq::otu_table(x), "matrix")
  if (phyloseq::taxa_are_rows(x)) values <- t(values)
  if (is.null(hierarchy)) {
    taxa <- phyloseq::tax_table(x, errorIfNULL = FALSE)
    tree <- phyloseq::phy_tree(x, errorIfNULL = FALSE)
    hierarchy <- if (!is.null(taxa)) taxa else tree
  }
  samples <- phyloseq::sample_data(x, errorIfNULL = FALSE)
  hsel_data.default(values, sample_column(y, if (!is.null(samples)) methods::as(samples, "data.frame")), hierarchy, covariates, name, ...)
}

transposed <- function(x) if (methods::is(x, "Matrix")) Matrix::t(x) else t(as.matrix(x))

# y as it is, or the name of a column of what is known of the samples.
sample_column <- function(y, samples) {
  if (!is.character(y) || length(y) != 1 || is.null(samples)) return(y)
  if (!y %in% names(samples)) refuse("the samples have no column ", y, ": ", paste(names(samples), collapse = ", "))
  samples[[y]]
}

# ---- files, generators, propagation ----

hsel_read <- function(path, ...) {
  options <- option_text(list(...))
  data_of(.Call(C_read, one_text(path, "path"), if (options != "") options))
}

hsel_write <- function(x, path) {
  one_text(path, "path")
  if (inherits(x, "hsel_model")) .Call(C_model_write, model_pointer(x), path)
  else .Call(C_write, attr(given_data(x), "pointer")$pointer, path)
  invisible(path)
}

hsel_generate <- function(generator = "ontology", ..., seed = 1)
  data_of(.Call(C_generate, method_text(generator, "generator", list(...)), as.double(whole(seed, "seed", 0, 2^53))))

hsel_propagate <- function(x, hierarchy = NULL, add = FALSE) {
  data <- if (inherits(x, "hsel_data")) x else NULL
  hierarchy <- if (is.null(hierarchy)) data$hierarchy else hsel_hierarchy(hierarchy)
  if (is.null(hierarchy)) refuse("give hierarchy =")
  given <- if (is.null(data)) x else data$x
  if (is.null(colnames(given))) refuse("the columns of x have no names to find in the hierarchy: give colnames(x)")
  arrays <- arrays_of(given)
  values <- arrays$values
  if (anyNA(values) || any(values < 0)) refuse("x has a negative or missing number: use 0 for absent and numbers above 0 for present")
  ones <- if (is.null(arrays$p)) methods::as(matrix(as.double(values > 0), arrays$dim[1]), "CsparseMatrix")
          else methods::new("dgCMatrix", Dim = arrays$dim, p = arrays$p, i = arrays$i, x = as.double(values > 0))
  ones <- methods::as(methods::as(Matrix::drop0(ones), "dMatrix"), "generalMatrix")
  dimnames(ones) <- list(rownames(given), colnames(given))
  if (add) {
    more <- setdiff(ancestors(hierarchy, colnames(ones)), colnames(ones))
    ones <- cbind(ones, Matrix::Matrix(0, nrow(ones), length(more), sparse = TRUE, dimnames = list(NULL, more)))
  }
  raised <- data_of(.Call(C_propagate, pointer_of(hsel_data(ones, hierarchy = hierarchy))))
  raised <- raised$x
  rownames(raised) <- rownames(given)
  if (is.null(data)) return(raised)
  data$x <- raised
  data$hierarchy <- hierarchy
  data
}

# All terms above some.
ancestors <- function(hierarchy, terms) {
  found <- character()
  while (length(terms)) {
    terms <- setdiff(hierarchy$edges$parent[hierarchy$edges$child %in% terms], found)
    found <- c(found, terms)
  }
  found
}
