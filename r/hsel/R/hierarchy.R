# SPDX-License-Identifier: GPL-3.0-or-later
# Hierarchies: terms, IS-A edges between them, and what people call the terms.

# Terms that have edges, and others; the library finds cycles and depths.
new_hierarchy <- function(child, parent, labels = NULL, terms = character()) {
  child <- as.character(child)
  parent <- as.character(parent)
  if (anyNA(child) || anyNA(parent)) refuse("an edge of the hierarchy has NA instead of a term")
  loop <- child[child == parent]
  if (length(loop)) raise(-3L, paste0("the hierarchy has a cycle: ", loop[1], " -> ", loop[1]), "", 0)
  terms <- unique(c(terms, child, parent))
  label <- rep(NA_character_, length(terms))
  if (!is.null(labels)) label <- unname(as.character(labels)[match(terms, names(labels))])
  label[!is.na(label) & label == ""] <- NA
  made <- structure(list(terms = data.frame(term = terms, label = label, depth = rep(0L, length(terms))),
                         edges = data.frame(child = child, parent = parent)), class = "hsel_hierarchy")
  shape <- .Call(C_from_arrays, list(dim = c(0L, length(terms)), p = integer(length(terms) + 1), i = integer(), features = terms))
  bind(shape, made)
  about <- .Call(C_about, shape)
  made$terms$depth <- about$depth - 1L
  made$edges <- data.frame(child = terms[about$child], parent = terms[about$parent])
  made
}

# Gives a data set of the library the hierarchy; how many features are terms.
bind <- function(pointer, hierarchy) {
  terms <- hierarchy$terms
  labels <- if (!all(is.na(terms$label))) ifelse(is.na(terms$label), "", terms$label)
  .Call(C_set_hierarchy, pointer, terms$term, match(hierarchy$edges$child, terms$term), match(hierarchy$edges$parent, terms$term),
        labels)
}

hsel_hierarchy <- function(x, ...) UseMethod("hsel_hierarchy")

hsel_hierarchy.default <- function(x, ...) {
  if (inherits(x, "hsel_hierarchy")) return(x)
  if (inherits(x, "hsel_data")) {
    if (is.null(x$hierarchy)) refuse("the data have no hierarchy")
    return(x$hierarchy)
  }
  if (is.list(x) && !is.null(names(x)))  # child -> parents
    return(new_hierarchy(rep(names(x), lengths(x)), unlist(x, use.names = FALSE), ...))
  refuse("a hierarchy must be a data frame with child and parent, a file name, an igraph, a phylo, or GO.db, not ", class(x)[1])
}

hsel_hierarchy.data.frame <- function(x, labels = NULL, ...) {
  named <- tolower(names(x))
  at <- match(c("child", "parent"), named)
  if (anyNA(at)) {
    if (ncol(x) != 2) refuse("a data frame of edges must have the columns child and parent, but this one has ", paste(names(x), collapse = ", "))
    at <- 1:2
  }
  new_hierarchy(x[[at[1]]], x[[at[2]]], labels, ...)
}

hsel_hierarchy.matrix <- function(x, labels = NULL, ...) hsel_hierarchy.data.frame(as.data.frame(x), labels, ...)

hsel_hierarchy.character <- function(x, ...) {
  data <- hsel_read(x, ...)
  if (is.null(data$hierarchy)) raise(-3L, paste0(x, ": the file has no hierarchy"), x, 0)
  data$hierarchy
}

# Which links to take of those that have a relation; NA: always. What is left out is told.
of_relations <- function(found, relations) {
  plain <- function(names) gsub("[^a-z]", "", tolower(names))
  others <- unique(found[!is.na(found) & !plain(found) %in% plain(relations)])
  unknown <- relations[!plain(relations) %in% plain(found)]
  if (length(unknown) && !all(is.na(found)))
    refuse("there is no relation ", unknown[1], ": ", paste(unique(found[!is.na(found)]), collapse = ", "))
  if (length(others))
    message("edges of other relations than ", paste(relations, collapse = ", "), " are left out: ",
            paste0(others, " (", vapply(others, function(each) sum(found == each, na.rm = TRUE), 0L), ")", collapse = ", "))
  is.na(found) | !found %in% others
}

hsel_hierarchy.igraph <- function(x, direction = c("child-parent", "parent-child"), labels = NULL, relations = "is_a", ...) {
  direction <- match.arg(direction)
  need("igraph")
  if (!igraph::is_directed(x))
    refuse("the graph is undirected, so the child of an edge is unknown: give a directed one, with edges from child to parent")
  vertices <- if (is.null(igraph::V(x)$name)) as.character(seq_len(igraph::vcount(x))) else igraph::V(x)$name
  ends <- igraph::as_edgelist(x, names = FALSE)
  if (!is.null(igraph::E(x)$relation)) ends <- ends[of_relations(as.character(igraph::E(x)$relation), relations), , drop = FALSE]
  if (direction == "parent-child") ends <- ends[, 2:1, drop = FALSE]
  if (is.null(labels) && !is.null(igraph::V(x)$label)) labels <- setNames(as.character(igraph::V(x)$label), vertices)
  new_hierarchy(vertices[ends[, 1]], vertices[ends[, 2]], labels, terms = vertices)
}

hsel_hierarchy.phylo <- function(x, ...) {
  tips <- length(x$tip.label)
  inner <- x$node.label
  if (is.null(inner)) inner <- rep("", x$Nnode)
  unnamed <- is.na(inner) | inner == "" | duplicated(c(x$tip.label, inner))[-seq_len(tips)]
  inner[unnamed] <- paste0("node", tips + which(unnamed))
  terms <- c(x$tip.label, inner)
  new_hierarchy(terms[x$edge[, 2]], terms[x$edge[, 1]], terms = terms)
}

# GOBPPARENTS and its like: links from a term to its parents, of some kind.
hsel_hierarchy.AnnDbBimap <- function(x, relations = "isa", ...) {
  need("AnnotationDbi")
  links <- AnnotationDbi::toTable(x)
  if (ncol(links) < 2) refuse("this object has no links from terms to their parents, as GOBPPARENTS has")
  kind <- names(links)[grepl("relation", names(links), ignore.case = TRUE)]
  if (length(kind)) links <- links[of_relations(links[[kind[1]]], relations), ]
  links <- links[links[[2]] != "all", ]
  new_hierarchy(links[[1]], links[[2]], go_names(unique(c(links[[1]], links[[2]]))))
}

# GO.db itself: one of its ontologies.
hsel_hierarchy.GODb <- function(x, ontology = c("BP", "CC", "MF"), ...) {
  need("GO.db")
  hsel_hierarchy(getExportedValue("GO.db", paste0("GO", match.arg(ontology), "PARENTS")), ...)
}

go_names <- function(terms) {
  if (!requireNamespace("GO.db", quietly = TRUE)) return(NULL)
  known <- AnnotationDbi::toTable(GO.db::GOTERM)
  setNames(known$Term[match(terms, known$go_id)], terms)
}

# The ranks of a taxonomy: each taxon below the one of the rank above.
hsel_hierarchy.taxonomyTable <- function(x, ...) {
  ranks <- methods::as(x, "matrix")
  path <- character(nrow(ranks))
  child <- parent <- character()
  labels <- c()
  for (rank in seq_len(ncol(ranks))) {
    has <- !is.na(ranks[, rank]) & ranks[, rank] != ""
    new <- ifelse(has, paste0(ifelse(path == "", "", paste0(path, ";")), ranks[, rank]), path)
    edge <- has & path != ""
    child <- c(child, new[edge])
    parent <- c(parent, path[edge])
    labels <- c(labels, setNames(ranks[has, rank], new[has]))
    path <- new
  }
  edges <- unique(data.frame(child = c(child, rownames(ranks)[path != ""]), parent = c(parent, path[path != ""])))
  new_hierarchy(edges$child, edges$parent, labels[!duplicated(names(labels))], terms = rownames(ranks))
}

need <- function(package)
  if (!requireNamespace(package, quietly = TRUE)) raise(-6L, paste0("the package ", package, " is needed for this, and it is not installed"), "", 0)

as.data.frame.hsel_hierarchy <- function(x, ...) x$edges

print.hsel_hierarchy <- function(x, ...) {
  roots <- setdiff(x$edges$parent, x$edges$child)
  cat(sprintf("A hierarchy of %s terms and %s edges, depth %d, with %d root%s:\n", format(nrow(x$terms), big.mark = ","),
              format(nrow(x$edges), big.mark = ","), max(0L, x$terms$depth), length(roots), if (length(roots) == 1) "" else "s"))
  at <- match(head(roots, 5), x$terms$term)
  cat(paste0("  ", shown(x$terms$term[at], x$terms$label[at]), "\n"), if (length(roots) > 5) "  ...\n", sep = "")
  invisible(x)
}

summary.hsel_hierarchy <- function(object, ...) {
  edges <- object$edges
  data.frame(terms = nrow(object$terms), edges = nrow(edges), depth = max(0L, object$terms$depth),
             roots = length(setdiff(edges$parent, edges$child)), leaves = length(setdiff(edges$child, edges$parent)),
             labelled = sum(!is.na(object$terms$label)))
}
