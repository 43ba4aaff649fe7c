/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Newton's method in the primal (Keerthi, DeCoste 2005; Lin, Weng, Keerthi 2008). Where the same
 * rows are within their margin the objective is quadratic, with the Hessian 1 + 2 C sum of x x'
 * over these rows, which is never written down: a product with it is one walk over the rows. The
 * Newton direction comes from conjugate gradients, scaled by the diagonal, and the best place along
 * it from a search that is exact, because the objective along a line is a parabola in pieces.
 *
 * 2 C max(0, 1 - y f) of every row is a point of the dual, whose distance from the objective is
 * half the square of the gradient. So that is the gap, and |w - minimum| <= |gradient|.
 *
 * A step takes O(values of the rows within their margin), memory O(n + columns).
 */
#include "classify/svm_linear.h"

#define REPORT_EVERY 16
#define FORCING      0.1 /* the residual of the direction, as a part of the gradient */
#define ROUNDS       300 /* of the beginning */

double hs_linear_decide(const hs_svm_rows *rows, uint32_t row, const double *w)
{
    const size_t from = rows->start[row], to = rows->start[row + 1];
    const uint32_t *index = rows->index;
    double sum[4] = {w[rows->columns]};
    size_t k = from;
    if (rows->value) {
        for (; k < to; k++)
            sum[0] += rows->value[k] * w[index[k]];
        return sum[0];
    }
    for (; k + 4 <= to; k += 4) /* adjacent sums are independent */
        for (int j = 0; j < 4; j++)
            sum[j] += w[index[k + (size_t)j]];
    for (; k < to; k++)
        sum[0] += w[index[k]];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* out += by x, of a row */
static void add_row(const hs_svm_rows *rows, uint32_t row, double by, double *out)
{
    const size_t to = rows->start[row + 1];
    out[rows->columns] += by;
    for (size_t k = rows->start[row]; k < to; k++)
        out[rows->index[k]] += rows->value ? by * rows->value[k] : by;
}

static double product(const double *a, const double *b, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += a[i] * b[i];
    return sum;
}

struct point {     /* a row of the machine */
    double margin; /* y (w.x + b) */
    double change; /* of it along the direction */
    double dual;   /* weight, at first */
    uint32_t row;
    bool is_first;
};

struct solver {
    const hs_svm_space *space;
    const hs_svm_rows *rows;
    double c;
    struct point *points;
    uint32_t count;
    uint32_t *within, within_count; /* rows within their margin */
    double *gradient, *direction, *residual, *search, *scaled, *image; /* [columns + 1] */
};

static inline double weight_of(const struct solver *s, uint32_t row)
{
    return s->space->weight ? s->space->weight[row] : 1;
}
static inline double cost_of(const struct solver *s, uint32_t row)
{
    return s->space->weight ? s->c * s->space->weight[row] : s->c;
}

/* Objective, gradient, the rows within their margin and (in `scaled`) the diagonal of the Hessian,
 * at w. */
static double look(struct solver *s, const double *w)
{
    const hs_svm_rows *rows = s->rows;
    const size_t columns = (size_t)rows->columns + 1;
    double losses = 0;
    memcpy(s->gradient, w, columns * sizeof *w);
    for (size_t i = 0; i < columns; i++)
        s->scaled[i] = 1;
    s->within_count = 0;
    for (const struct point *p = s->points; p < s->points + s->count; p++) {
        const double lack = 1 - p->margin, c = cost_of(s, p->row);
        if (!(lack > 0))
            continue;
        losses += weight_of(s, p->row) * (lack * lack);
        s->within[s->within_count++] = p->row;
        add_row(rows, p->row, (p->is_first ? -2 : 2) * c * lack, s->gradient);
        s->scaled[columns - 1] += 2 * c;
        for (size_t k = rows->start[p->row]; k < rows->start[p->row + 1]; k++)
            s->scaled[rows->index[k]] +=
                2 * c * (rows->value ? rows->value[k] * rows->value[k] : 1);
    }
    return product(w, w, columns) / 2 + s->c * losses;
}

/* Into `direction`: Newton's, by conjugate gradients. `scaled` has the diagonal of the Hessian. */
static int find_direction(struct solver *s, uint32_t *steps, hsel_error *error)
{
    const hs_svm_rows *rows = s->rows;
    const size_t columns = (size_t)rows->columns + 1;
    double *r = s->residual, *d = s->search, *h = s->image, here = 0, enough;
    memset(s->direction, 0, columns * sizeof *s->direction);
    for (size_t i = 0; i < columns; i++) {
        r[i] = -s->gradient[i];
        d[i] = r[i] / s->scaled[i];
        here += r[i] * d[i];
    }
    enough = FORCING * FORCING * here;
    while (here > enough && *steps < s->space->max_steps) {
        if ((*steps)++ % REPORT_EVERY == 0)
            HS_TRY(hs_progress_report(s->space->progress, *steps, 0, "steps", error));
        memcpy(h, d, columns * sizeof *h);
        for (uint32_t i = 0; i < s->within_count; i++)
            add_row(rows, s->within[i],
                    2 * cost_of(s, s->within[i]) * hs_linear_decide(rows, s->within[i], d), h);
        double size = here / product(d, h, columns), next = 0;
        for (size_t i = 0; i < columns; i++) {
            s->direction[i] += size * d[i];
            r[i] -= size * h[i];
            next += r[i] * r[i] / s->scaled[i];
        }
        for (size_t i = 0; i < columns; i++)
            d[i] = r[i] / s->scaled[i] + next / here * d[i];
        here = next;
    }
    return HSEL_OK;
}

/* Where to begin: visits the rows in random order and sets the weight of each in the dual to the
 * best while the others stay (Hsieh and others 2008). That soon knows which rows are within their
 * margin, and comes slowly to the end, which is left to Newton. Rows at 0 that will hardly leave it
 * are left out of the rounds that follow. */
static int descend(struct solver *s, double *w, uint32_t *steps, hsel_error *error)
{
    const hs_svm_rows *rows = s->rows;
    const size_t columns = (size_t)rows->columns + 1;
    const bool begun = product(w, w, columns) > 0;
    double most = INFINITY, largest = INFINITY; /* slopes of the round before */
    uint32_t active = s->count, *order = s->within;
    hs_stream stream; /* the same for every machine: the order is a matter of speed alone */
    hs_stream_init(&stream, 0, "svm-linear", 0, 0);
    memset(w, 0, columns * sizeof *w);
    for (uint32_t i = 0; i < s->count; i++) {
        struct point *p = &s->points[i];
        order[i] = i;
        p->dual = begun && p->margin < 1 ? 2 * cost_of(s, p->row) * (1 - p->margin) : 0;
        if (p->dual > 0)
            add_row(rows, p->row, p->is_first ? p->dual : -p->dual, w);
    }
    while (largest > s->space->tolerance && *steps < s->space->max_steps && *steps < ROUNDS) {
        double now = -INFINITY;
        largest = 0;
        HS_TRY(hs_progress_report(s->space->progress, (*steps)++, 0, "steps", error));
        hs_random_shuffle(&stream, order, active);
        for (uint32_t i = 0; i < active; i++) {
            struct point *p = &s->points[order[i]];
            double sign = p->is_first ? 1 : -1, before = p->dual,
                   soft = 1 / (2 * cost_of(s, p->row));
            double slope = sign * hs_linear_decide(rows, p->row, w) - 1 + soft * before;
            if (before == 0 && slope > most) {
                uint32_t aside = order[i];
                order[i--] = order[--active];
                order[active] = aside;
                continue;
            }
            if (before == 0 && slope > 0)
                slope = 0;
            now = fmax(now, slope);
            largest = fmax(largest, fabs(slope));
            p->dual = fmax(0, before - slope / (rows->square[p->row] + 1 + soft));
            if (p->dual != before)
                add_row(rows, p->row, sign * (p->dual - before), w);
        }
        most = now > 0 ? now : INFINITY;
    }
    return HSEL_OK;
}

/* How far along the direction the objective is least: Newton's steps on its slope, which rises in
 * straight pieces, between bounds that its sign has shown. */
static double search_line(const struct solver *s, const double *w)
{
    const size_t columns = (size_t)s->rows->columns + 1;
    const double along = product(w, s->direction, columns),
                 square = product(s->direction, s->direction, columns);
    double at = 1, low = 0, high = INFINITY;
    for (int round = 0; round < 100; round++) {
        double slope = along + at * square, curve = square;
        for (const struct point *p = s->points; p < s->points + s->count; p++) {
            double lack = 1 - p->margin - at * p->change;
            if (lack > 0) {
                slope -= 2 * cost_of(s, p->row) * p->change * lack;
                curve += 2 * cost_of(s, p->row) * p->change * p->change;
            }
        }
        *(slope > 0 ? &high : &low) = at;
        double next = at - slope / curve;
        if (!(next > low && next < high))
            next = isfinite(high) ? low + (high - low) / 2 : 2 * at;
        if (!(fabs(next - at) > 1e-9 * at))
            break;
        at = next;
    }
    return at;
}

int hs_linear_train(const hs_svm_space *space, uint32_t first, uint32_t second, double c,
                    const uint32_t *fold_of, uint32_t fold, double *w, hs_linear_machine *out,
                    hsel_error *error)
{
    const hs_svm_rows *rows = space->rows;
    const size_t columns = (size_t)rows->columns + 1;
    HS_OWNS(hs_arena_clear) hs_arena arena = {0};
    struct solver s = {.space = space, .rows = rows, .c = c};
    uint32_t firsts = 0;
    double before = INFINITY;
    *out = (hs_linear_machine){0};
    HS_NEED(HS_LISTS(&arena, &s, HS_PART(&s, points, rows->count), HS_PART(&s, within, rows->count),
                     HS_PART(&s, gradient, columns), HS_PART(&s, direction, columns),
                     HS_PART(&s, residual, columns), HS_PART(&s, search, columns),
                     HS_PART(&s, scaled, columns), HS_PART(&s, image, columns)));
    for (uint32_t i = 0; i < rows->count; i++)
        if ((space->label[i] == first || space->label[i] == second) &&
            !(fold_of && fold_of[i] == fold)) {
            s.points[s.count++] = (struct point){.row = i, .is_first = space->label[i] == first};
            firsts += space->label[i] == first;
        }
    if (firsts == 0 || firsts == s.count) {
        memset(w, 0, columns * sizeof *w);
        w[columns - 1] = (firsts > 0) - (s.count > firsts);
        return HSEL_OK;
    }
    for (struct point *p = s.points; p < s.points + s.count; p++)
        p->margin = (p->is_first ? 1 : -1) * hs_linear_decide(rows, p->row, w);
    HS_TRY(descend(&s, w, &out->steps, error));
    for (struct point *p = s.points; p < s.points + s.count; p++)
        p->margin = (p->is_first ? 1 : -1) * hs_linear_decide(rows, p->row, w);
    for (;;) {
        out->objective = look(&s, w);
        out->gap = product(s.gradient, s.gradient, columns) / 2;
        out->vectors = s.within_count;
        /* The last: as low as rounding lets it come. */
        if (out->gap <= space->tolerance * space->tolerance * out->objective ||
            !(out->objective < before))
            return HSEL_OK;
        if ((out->stopped = out->steps >= space->max_steps))
            return HSEL_OK;
        before = out->objective;
        HS_TRY(find_direction(&s, &out->steps, error));
        for (struct point *p = s.points; p < s.points + s.count; p++)
            p->change = (p->is_first ? 1 : -1) * hs_linear_decide(rows, p->row, s.direction);
        double size = search_line(&s, w);
        for (size_t i = 0; i < columns; i++)
            w[i] += size * s.direction[i];
        for (struct point *p = s.points; p < s.points + s.count; p++)
            p->margin += size * p->change;
    }
}
