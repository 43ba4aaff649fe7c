# SPDX-License-Identifier: GPL-3.0-or-later
# Pictures of a part of the hierarchy with base graphics: general terms on the left, special ones on the right.

# The terms to draw: those given, the most important first, with what is above them, until there are `nodes`.
part_above <- function(hierarchy, terms, nodes) {
  chosen <- character()
  for (term in terms) {
    more <- setdiff(c(term, ancestors(hierarchy, term)), chosen)
    if (length(chosen) && length(chosen) + length(more) > nodes) next
    chosen <- c(chosen, more)
    if (length(chosen) >= nodes) break
  }
  chosen
}

shortened <- function(names, wide) ifelse(nchar(names) > wide, paste0(substr(names, 1, wide - 3), "..."), names)

# Draws terms; `value` (named) colours them: blue above 0, orange below.
draw_terms <- function(hierarchy, terms, value = NULL, main = "", nodes = 30, cex = 0.7, wide = 32) {
  if (is.null(hierarchy)) refuse("there is no hierarchy to draw: give hierarchy =")
  terms <- terms[terms %in% hierarchy$terms$term]
  if (!length(terms)) refuse("none of the features is a term of the hierarchy, so there is nothing to draw")
  drawn <- part_above(hierarchy, terms, nodes)
  edges <- hierarchy$edges[hierarchy$edges$child %in% drawn & hierarchy$edges$parent %in% drawn, ]
  level <- hierarchy$terms$depth[match(drawn, hierarchy$terms$term)]
  level <- match(level, sort(unique(level)))
  # Every node gets a line of its own, in the order of a walk from the roots, so that no two names touch.
  line <- rep(NA_integer_, length(drawn))
  next_line <- 0L
  walk <- function(at) {
    if (!is.na(line[at])) return(invisible())
    next_line <<- next_line + 1L
    line[at] <<- next_line
    for (child in match(edges$child[edges$parent == drawn[at]], drawn)) walk(child)
  }
  for (root in which(!drawn %in% edges$child)) walk(root)
  label <- hierarchy$terms$label[match(drawn, hierarchy$terms$term)]
  label <- shortened(ifelse(is.na(label), drawn, label), wide)
  colour <- rep("grey85", length(drawn))
  if (!is.null(value)) {
    v <- value[match(drawn, names(value))]
    top <- max(abs(v), 0, na.rm = TRUE)
    strength <- if (top > 0) 0.25 + 0.75 * abs(v) / top else rep(0.25, length(v))
    has <- !is.na(v) & v != 0
    colour[has] <- mapply(function(base, alpha) adjustcolor(base, alpha), ifelse(v[has] > 0, "#1f77b4", "#ff7f0e"), strength[has])
  } else colour[drawn %in% terms] <- "#1f77b4"
  old <- par(mar = c(0.5, 0.5, if (nzchar(main)) 2.5 else 0.5, 0.5), xpd = NA)
  on.exit(par(old))
  plot.new()
  plot.window(c(1, max(level) + 1.6), c(-next_line, -1))
  at <- function(term) match(term, drawn)
  segments(level[at(edges$parent)], -line[at(edges$parent)], level[at(edges$child)], -line[at(edges$child)], col = "grey70")
  points(level, -line, pch = 21, bg = colour, col = "grey40", cex = 1.3)
  text(level, -line, label, pos = 4, cex = cex, font = ifelse(drawn %in% terms, 2, 1))
  if (nzchar(main)) title(main = main, cex.main = 0.95)
  invisible(data.frame(term = drawn, label = label, level = level, line = line))
}

plot.hsel_hierarchy <- function(x, terms = NULL, nodes = 30, main = "", ...) {
  if (is.null(terms)) terms <- x$terms$term[order(x$terms$depth)]
  else if (length(unknown <- setdiff(terms, x$terms$term))) refuse(unknown[1], " is not a term of the hierarchy")
  draw_terms(x, terms, NULL, main, nodes, ...)
}

plot.hsel_data <- function(x, nodes = 30, main = x$name, ...) {
  count <- Matrix::colSums(as_numbers(x$x) != 0)
  draw_terms(x$hierarchy, names(sort(-count)), count, main, nodes, ...)
}

as_numbers <- function(x) if (is.data.frame(x)) data.matrix(x) else x

plot.hsel_selection <- function(x, nodes = 30, main = paste("Selected by", x$method), ...)
  draw_terms(x$hierarchy, x$selected$feature, setNames(if (x$lazy) x$selected$times else x$selected$score, x$selected$feature)[seq_len(
    if (x$lazy || !is.null(x$selected$score)) nrow(x$selected) else 0)], main, nodes, ...)

plot.hsel_model <- function(x, nodes = 30, main = paste(x$selector, x$classifier, sep = ", "), ...) {
  kept <- if (is.null(x$support)) rep(TRUE, length(x$features)) else x$support
  scores <- if (is.null(x$scores)) rep(1, length(x$features)) else x$scores
  order <- order(-abs(scores))
  order <- order[kept[order]]
  draw_terms(x$hierarchy, x$features[order], setNames(scores, x$features)[order], main, nodes, ...)
}

plot.hsel_ranking <- function(x, n = 20, main = attr(x, "by")[1], ...) {
  best <- head(x, n)
  names <- ifelse(is.na(best$label), best$feature, best$label)
  old <- par(mar = c(3, 14, 2.5, 1))
  on.exit(par(old))
  barplot(rev(best[[attr(x, "by")[1]]]), names.arg = rev(shortened(names, 40)), horiz = TRUE, las = 1, cex.names = 0.7, main = main,
          col = "#1f77b4", border = NA, ...)
  invisible(x)
}

plot.hsel_explanation <- function(x, nodes = 30, main = NULL, ...) {
  if (is.null(main)) main <- if (is.numeric(x$predicted)) sprintf("%s: %g", x$id, x$predicted)
                             else sprintf("%s: %s, P = %.3f", x$id, x$predicted, x$probabilities[[x$predicted]])
  features <- x$features
  value <- if (is.null(features$log_odds)) features$relevance else features$log_odds
  draw_terms(x$terms, features$feature, setNames(value, features$feature), main, nodes, ...)
}

plot.hsel_evaluation <- function(x, nodes = 30, main = paste("How often", x$selector, "selected"), ...) {
  used <- x$frequency[x$frequency$times > 0, ]
  draw_terms(x$hierarchy, used$feature, setNames(used$times, used$feature), main, nodes, ...)
}
