# SPDX-License-Identifier: GPL-3.0-or-later
# Calling the library: errors, requests, texts of options and methods.

classes_of_errors <- c("memory", "file", "format", "usage", "limit", "unsupported")

# Called from C with the error of the library. A call that was stopped is R's own interrupt.
raise <- function(code, message, file, line) {
  if (code == -7L) {
    signalCondition(structure(class = c("interrupt", "condition"), list(message = "", call = NULL)))
    invokeRestart("abort")
  }
  kind <- if (code >= -6L) classes_of_errors[-code]
  fields <- list(message = message, call = NULL, code = code, file = if (nzchar(file)) file, line = if (line > 0) line)
  stop(structure(class = c(sprintf("hsel_%s_error", kind), "hsel_error", "error", "condition"), fields))
}

refuse <- function(...) raise(-4L, paste0(...), "", 0)

# ---- arguments ----

whole <- function(value, name, low, high) {
  if (!is.numeric(value) || length(value) != 1 || is.na(value) || value != trunc(value) || value < low || value > high)
    refuse(name, " must be a whole number from ", format(low, scientific = FALSE), " to ", format(high, scientific = FALSE))
  value
}

one_text <- function(value, name) {
  if (!is.character(value) || length(value) != 1 || is.na(value)) refuse(name, " must be one text")
  value
}

request <- function(..., seed = 1, threads = 1)
  list(..., seed = as.double(whole(seed, "seed", 0, 2^53)), threads = as.integer(whole(threads, "threads", 0, 4096)),
       progress = isTRUE(getOption("hsel.progress", interactive())))

# A number in as few digits as give it back.
number_text <- function(value) {
  for (digits in c(15, 16, 17)) {
    text <- formatC(value, digits = digits, width = 1, format = "g")
    if (is.na(value) || as.numeric(text) == value) break
  }
  text
}

# list(drop_roots = TRUE) as the library writes options: "drop-roots=true".
option_text <- function(options) {
  if (length(options) && (is.null(names(options)) || any(names(options) == "")))
    refuse("every option needs a name, such as threshold = 0.9")
  texts <- character()
  for (name in names(options)) {
    value <- options[[name]]
    if (is.null(value)) next
    if (!is.atomic(value) && !inherits(value, "hsel_method") || anyNA(value)) refuse("the option ", name, " must be a number, a text, TRUE or FALSE")
    value <- if (is.logical(value)) tolower(value) else if (is.numeric(value)) vapply(value, number_text, "") else as.character(value)
    if (any(grepl(",", gsub("\\([^()]*\\)", "", value), fixed = TRUE)))
      refuse("the option ", name, " has a comma, which is not possible in an option: ", value[1])
    texts <- c(texts, paste0(gsub("_", "-", sub("_+$", "", name)), "=", value))
  }
  paste(texts, collapse = ",")
}

# A method as the library reads it, from a text or from select_…(), classify_…(), rank_…().
method_text <- function(method, kind, options = list()) {
  if (inherits(method, "hsel_method") && !attr(method, "kind") %in% kind)
    refuse(format(unclass(method)), " is a ", attr(method, "kind"), ", not a ", kind[1])
  text <- one_text(as.character(method), paste("a", kind[1]))
  options <- option_text(options)
  if (options == "") text else paste0(text, if (grepl(":", text, fixed = TRUE)) "," else ":", options)
}

# What the generated functions of methods.R return: the method with the options that were given.
given_method <- function(kind, name, options) {
  call <- match.call(sys.function(sys.parent()), sys.call(sys.parent()), envir = parent.frame(2L))
  given <- intersect(names(options), names(call))
  values <- mget(as.character(given), envir = parent.frame())
  names(values) <- options[given]
  structure(method_text(name, kind, values), kind = kind, class = "hsel_method")
}

print.hsel_method <- function(x, ...) {
  cat(attr(x, "kind"), " ", as.character(x), "\n", sep = "")
  invisible(x)
}

# A table that has names for people: the label where there is one.
shown <- function(name, label) ifelse(is.na(label), name, paste0(label, " (", name, ")"))

hsel_methods <- function(kind = NULL) {
  all <- jsonlite::fromJSON(.Call(C_methods), simplifyDataFrame = FALSE)
  field <- function(name) vapply(all, function(method) paste(unlist(method[[name]]), collapse = " "), "")
  methods <- data.frame(kind = field("kind"), name = field("name"), title = field("title"),
                        options = vapply(all, function(method) paste(vapply(method$options, `[[`, "", "name"), collapse = " "), ""),
                        flags = field("flags"))
  if (is.null(kind)) return(methods)
  unknown <- setdiff(kind, methods$kind)
  if (length(unknown)) refuse("there is no kind ", unknown[1], ": ", paste(unique(methods$kind), collapse = ", "))
  methods <- methods[methods$kind %in% kind, ]
  rownames(methods) <- NULL
  methods
}

hsel_version <- function() {
  version <- .Call(C_version)
  setNames(version, c("library", "built_with"))
}
