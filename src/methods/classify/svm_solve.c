/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Kernel values of all pairs of rows, and machines trained on them.
 *
 * Products of rows are summed by column, ascending. Eight rows are spread over dense columns side
 * by side and meet every other row once, so that the eight sums run beside each other. Time O(n x
 * values / 8) to O(n x values), memory 8 n^2 bytes and 64 bytes per column and thread.
 *
 * A machine solves, with y = 1 for the first class and -1 for the second,
 *
 *     max sum of y_i b_i - 1/2 sum of b_i b_j K(i, j),  sum of b_i = 0,  0 <= y_i b_i <= C_i
 *
 * by moving weight between two rows at a time: from the j to the i that promise the largest gain
 * (Fan, Chen, Lin 2005, JMLR 6:1889-1918, working set selection 2), where `slope` of a row is the
 * derivative of the above. It has converged when no slope of a row that may gain weight is more
 * than `tolerance` above that of a row that may lose some. Rows at a bound that will hardly leave
 * it are set aside (shrinking, Joachims 1998) and looked at again before the end. Of equal
 * candidates the last in the present order counts, and kernel values are rounded to float, as in
 * libsvm. A step is O(rows not set aside).
 */
#include "classify/svm_solve.h"

#define WIDTH        8
#define LARGEST_DOT  1e30  /* kernel values are rounded to float */
#define FLAT         1e-12 /* curvature where there is none */
#define SHRINK_EVERY 1000  /* steps, or as many as there are rows */
#define REPORT_EVERY 1024  /* steps; without cached values each may take as long as 16 */

/* ---- kernels ---- */

static double power(double base, uint32_t exponent)
{
    double result = 1;
    for (; exponent; exponent /= 2, base *= base)
        if (exponent % 2)
            result *= base;
    return result;
}

double hs_svm_kernel_value(const hs_svm_kernel *kernel, double product, double square_x,
                           double square_y)
{
    switch (kernel->kind) {
    case HS_SVM_POLYNOMIAL:
        return power(kernel->gamma * product + kernel->coef0, kernel->degree);
    case HS_SVM_RBF:
        return exp(-kernel->gamma * (square_x + square_y - 2 * product));
    default:
        return product;
    }
}

/* ---- the space ---- */

void hs_svm_rows_clear(hs_svm_rows *rows)
{
    HS_FREE(rows->start, rows->index, rows->value, rows->square);
    *rows = (hs_svm_rows){0};
}

void hs_svm_space_clear(hs_svm_space *space)
{
    hs_free_aligned(space->values);
    *space = (hs_svm_space){0};
}

int hs_svm_space_new(const hs_svm_rows *rows, const uint32_t *label, double tolerance,
                     uint32_t max_steps, uint32_t megabytes, hs_svm_space *out, hsel_error *error)
{
    const size_t n = rows->count;
    *out = (hs_svm_space){.rows = rows,
                          .label = label,
                          .tolerance = tolerance,
                          .megabytes = megabytes,
                          .max_steps = max_steps};
    if ((double)n * (double)n * sizeof(double) > HS_MEGABYTE * megabytes)
        return HSEL_OK;
    out->values = hs_alloc_aligned(n * n, sizeof(double));
    return out->values ? HSEL_OK : hs_fail_memory(error);
}

struct fill {
    hs_svm_space *space;
    double *dense; /* [threads][columns][WIDTH] */
    size_t blocks;
    const char *what; /* is done, and how much memory it takes */
};

/* Rows of a block side by side, or 0 again. */
static void spread_block(const hs_svm_rows *rows, uint32_t from, uint32_t to, bool clear,
                         double *dense)
{
    for (uint32_t i = from; i < to; i++)
        for (size_t k = rows->start[i]; k < rows->start[i + 1]; k++)
            dense[(size_t)rows->index[k] * WIDTH + (i - from)] = clear ? 0 : rows->value[k];
}

static double value_of(const hs_svm_space *space, uint32_t i, uint32_t j, double product)
{
    const double *square = space->rows->square;
    return hs_svm_kernel_value(&space->kernel, product, square[i], square[j]);
}

/* Kernel values of a block of rows with all rows up to its end. Blocks write to different cells. */
static int fill_block(void *context, size_t index, int worker, hsel_error *error)
{
    struct fill *fill = context;
    const hs_svm_space *space = fill->space;
    const hs_svm_rows *rows = space->rows;
    const size_t n = rows->count;
    uint32_t from = (uint32_t)index * WIDTH,
             to = rows->count - from > WIDTH ? from + WIDTH : rows->count;
    double *dense = fill->dense + (size_t)worker * rows->columns * WIDTH;
    HS_TRY(hs_progress_report(space->progress, index, fill->blocks, fill->what, error));
    spread_block(rows, from, to, false, dense);
    for (uint32_t j = 0; j < to; j++) {
        double sum[WIDTH] = {0};
        for (size_t at = rows->start[j]; at < rows->start[j + 1]; at++) {
            const double *restrict beside = dense + (size_t)rows->index[at] * WIDTH;
            for (int k = 0; k < WIDTH; k++)
                sum[k] += rows->value[at] * beside[k];
        }
        for (uint32_t i = from > j ? from : j; i < to; i++)
            space->values[i * n + j] = space->values[j * n + i] =
                value_of(space, i, j, sum[i - from]);
    }
    spread_block(rows, from, to, true, dense);
    return HSEL_OK;
}

int hs_svm_space_fill(hs_svm_space *space, const hs_svm_kernel *kernel, int threads,
                      hsel_error *error)
{
    const hs_svm_rows *rows = space->rows;
    double most = 0; /* no product is larger than the largest square */
    for (uint32_t i = 0; i < rows->count; i++)
        most = fmax(most, rows->square[i]);
    if (kernel->kind == HS_SVM_POLYNOMIAL)
        most = fmax(most, power(kernel->gamma * most + fabs(kernel->coef0), kernel->degree));
    if (!(most < LARGEST_DOT))
        return hs_fail(error, HSEL_EUNSUPPORTED,
                       "the values are too large for svm's kernel: scale them (normalise=true) or "
                       "choose smaller gamma, degree or coef0");
    space->kernel = *kernel;
    const size_t blocks = ((size_t)rows->count + WIDTH - 1) / WIDTH;
    const double values = (double)rows->count * (rows->count + 1.0) / 2;
    char what[160];
    if (!space->values) {
        snprintf(what, sizeof what,
                 "%.3g kernel values as they are needed, up to %u MB of them kept per thread",
                 values, space->megabytes);
        return space->megabytes ? hs_progress_report(space->progress, 0, 0, what, error) : HSEL_OK;
    }
    snprintf(what, sizeof what, "%.3g kernel values, %.0f MB", values,
             ceil((double)rows->count * rows->count * sizeof(double) / HS_MEGABYTE));
    threads = hs_threads(threads);
    HS_OWNED double *dense = HS_NEW_ZERO(double, (size_t)threads * rows->columns * WIDTH);
    HS_NEED(dense);
    return hs_parallel_for(blocks, threads, fill_block, &(struct fill){space, dense, blocks, what},
                           error);
}

/* ---- kernel values of a machine's rows ---- */

/* When the space has no values: rows of them as they are needed, the least recently used one given
 * up for the next. */
struct held {
    double *values; /* [rows] */
    uint32_t row;   /* whose values they are */
    uint64_t used;  /* when they were looked at last */
};

struct point {       /* a row of a machine */
    double slope;    /* y - sum of b K */
    double weight;   /* b */
    double self;     /* K with itself */
    double bounded;  /* sum of b K over the rows whose weight is at C or -C */
    uint32_t row;    /* of the space */
    bool more, less; /* its weight can go up, down */
    bool is_first;
};

struct solver {
    const hs_svm_space *space;
    struct point *points; /* those set aside come last */
    uint32_t count, active;
    double c;
    bool looked_again;
    /* without values in the space: */
    struct held *held; /* [capacity] */
    uint32_t *place;   /* [rows]: among them, or HSEL_NONE */
    double *dense;     /* [columns]: one row spread, else 0 */
    uint32_t capacity, held_count;
    uint64_t clock;
};

static void solver_clear(struct solver *s)
{
    for (uint32_t i = 0; i < s->held_count; i++)
        hs_free(s->held[i].values);
    HS_FREE(s->held, s->place, s->dense, s->points);
}

/* Kernel values of a row with those of all points, by row of the space. They are valid until two
 * more rows are requested. */
static int kernel_row(struct solver *s, uint32_t row, const double **out, hsel_error *error)
{
    const hs_svm_rows *rows = s->space->rows;
    if (s->space->values) {
        *out = s->space->values + (size_t)row * rows->count;
        return HSEL_OK;
    }
    if (s->place[row] == HSEL_NONE) {
        uint32_t at = 0;
        if (s->held_count < s->capacity) {
            at = s->held_count;
            HS_NEED(s->held[at].values = HS_NEW(double, rows->count));
            s->held_count++;
        } else {
            for (uint32_t i = 1; i < s->capacity; i++)
                at = s->held[i].used < s->held[at].used ? i : at;
            s->place[s->held[at].row] = HSEL_NONE;
        }
        s->held[at].row = row;
        s->place[row] = at;
        for (size_t k = rows->start[row]; k < rows->start[row + 1]; k++)
            s->dense[rows->index[k]] = rows->value[k];
        for (const struct point *p = s->points; p < s->points + s->count; p++) {
            double sum = 0;
            for (size_t k = rows->start[p->row]; k < rows->start[p->row + 1]; k++)
                sum += rows->value[k] * s->dense[rows->index[k]];
            s->held[at].values[p->row] = value_of(s->space, row, p->row, sum);
        }
        for (size_t k = rows->start[row]; k < rows->start[row + 1]; k++)
            s->dense[rows->index[k]] = 0;
    }
    struct held *held = s->held + s->place[row];
    held->used = ++s->clock;
    *out = held->values;
    return HSEL_OK;
}

/* ---- solving ---- */

/* The two rows to change next, and the kernel values of the first; *to NULL: it has converged. */
static int solver_choose(struct solver *s, struct point **to, struct point **from,
                         const double **values, hsel_error *error)
{
    struct point *end = s->points + s->active, *gains = NULL, *loses = NULL;
    double up = -INFINITY, down = INFINITY, best = -INFINITY;
    *to = NULL;
    for (struct point *p = s->points; p < end; p++)
        if (p->more && p->slope >= up) {
            up = p->slope;
            gains = p;
        }
    if (!gains)
        return HSEL_OK;
    HS_TRY(kernel_row(s, gains->row, values, error));
    const double *k = *values;
    const double self = gains->self;
    for (struct point *p = s->points; p < end; p++) {
        if (!p->less)
            continue;
        double apart = up - p->slope;
        if (p->slope < down)
            down = p->slope;
        if (apart > 0) {
            double curve = self + p->self - 2.0 * (float)k[p->row];
            double gain = apart * apart / (curve > 0 ? curve : FLAT);
            if (gain >= best) {
                best = gain;
                loses = p;
            }
        }
    }
    if (loses && !(up - down < s->space->tolerance)) {
        *to = gains;
        *from = loses;
    }
    return HSEL_OK;
}

/* Slopes of the rows set aside, from the weights at a bound and those in between. */
static int look_again(struct solver *s, hsel_error *error)
{
    struct point *aside = s->points + s->active, *end = s->points + s->count;
    if (aside == end)
        return HSEL_OK;
    for (struct point *p = aside; p < end; p++)
        p->slope = (p->is_first ? 1 : -1) - p->bounded;
    for (struct point *q = s->points; q < aside; q++) {
        const double *k;
        if (!q->more || !q->less)
            continue;
        HS_TRY(kernel_row(s, q->row, &k, error));
        for (struct point *p = aside; p < end; p++)
            p->slope -= q->weight * (float)k[p->row];
    }
    s->active = s->count;
    return HSEL_OK;
}

static bool stays(const struct point *p, double up, double down)
{
    return (!p->more && p->slope > up) || (!p->less && p->slope < down);
}

/* Sets aside rows whose slope keeps them at their bound. Near the end all are looked at once more.
 */
static int shrink(struct solver *s, hsel_error *error)
{
    /* The largest slope of a row that may gain weight, and the smallest of one that may lose. */
    double up = -INFINITY, down = INFINITY;
    for (const struct point *p = s->points; p < s->points + s->active; p++) {
        if (p->more && p->slope > up)
            up = p->slope;
        if (p->less && p->slope < down)
            down = p->slope;
    }
    if (!s->looked_again && up - down <= s->space->tolerance * 10) {
        s->looked_again = true;
        HS_TRY(look_again(s, error));
    }
    for (uint32_t t = 0; t < s->active; t++) {
        if (!stays(&s->points[t], up, down))
            continue;
        while (--s->active > t && stays(&s->points[s->active], up, down))
            ;
        struct point last = s->points[s->active];
        s->points[s->active] = s->points[t];
        s->points[t] = last;
    }
    return HSEL_OK;
}

static double bound_of(const struct solver *s, const struct point *p)
{
    return s->space->weight ? s->c * s->space->weight[p->row] : s->c;
}

/* Moves the weight that gains most, as far as the bounds of the two rows allow. The sum stays. */
static int step(struct solver *s, struct point *to, struct point *from, const double *k,
                hsel_error *error)
{
    const double *l, lowest = from->is_first ? 0 : -bound_of(s, from),
                     highest = to->is_first ? bound_of(s, to) : 0;
    HS_TRY(kernel_row(s, from->row, &l, error));
    double a = to->weight, b = from->weight, sum = a + b;
    double curve = to->self + from->self - 2.0 * (float)k[from->row];
    double moved = (to->slope - from->slope) / (curve > 0 ? curve : FLAT);
    to->weight += moved;
    from->weight -= moved;
    if (from->weight < lowest) {
        from->weight = lowest;
        to->weight = sum - from->weight;
    }
    if (to->weight > highest) {
        to->weight = highest;
        from->weight = sum - to->weight;
    }
    a = to->weight - a;
    b = from->weight - b;
    for (struct point *p = s->points, *end = p + s->active; p < end; p++)
        p->slope -= (float)k[p->row] * a + (float)l[p->row] * b;
    for (int turn = 0; turn < 2; turn++) { /* what follows from the new weights */
        struct point *p = turn ? from : to;
        const double most = bound_of(s, p), bound = p->is_first ? most : -most;
        const bool was = p->is_first ? !p->more : !p->less;
        p->more = p->weight < (p->is_first ? most : 0);
        p->less = p->weight > (p->is_first ? 0 : -most);
        const bool is = p->is_first ? !p->more : !p->less;
        if (was == is)
            continue;
        HS_TRY(kernel_row(s, p->row, &k, error));
        for (uint32_t t = 0; t < s->count; t++)
            s->points[t].bounded += (is ? bound : -bound) * (float)k[s->points[t].row];
    }
    return HSEL_OK;
}

static int solve(struct solver *s, bool *stopped, hsel_error *error)
{
    const uint32_t every = s->count < SHRINK_EVERY ? s->count : SHRINK_EVERY;
    uint32_t until = every + 1;
    for (uint32_t done = 0;; done++) {
        struct point *to, *from;
        const double *k;
        if (--until == 0) {
            until = every;
            HS_TRY(shrink(s, error));
        }
        if (done % (s->space->values ? REPORT_EVERY : REPORT_EVERY / 16) == 0)
            HS_TRY(hs_progress_report(s->space->progress, done, 0, "steps", error));
        HS_TRY(solver_choose(s, &to, &from, &k, error));
        if (!to && s->active < s->count) {
            HS_TRY(look_again(s, error));
            HS_TRY(solver_choose(s, &to, &from, &k, error));
            until = 1;
        }
        if (!to)
            return HSEL_OK;
        if (done == s->space->max_steps) {
            *stopped = true;
            return look_again(s, error);
        }
        HS_TRY(step(s, to, from, k, error));
    }
}

/* ---- machines ---- */

void hs_svm_machine_clear(hs_svm_machine *machine)
{
    HS_FREE(machine->row, machine->coef);
    *machine = (hs_svm_machine){0};
}

int hs_svm_machine_train(const hs_svm_space *space, uint32_t first, uint32_t second, double c,
                         const uint32_t *fold_of, uint32_t fold, hs_svm_machine *out,
                         hsel_error *error)
{
    const hs_svm_rows *rows = space->rows;
    HS_OWNS(solver_clear)
    struct solver s = {.space = space, .c = c, .points = HS_NEW(struct point, rows->count)};
    HS_OWNS(hs_svm_machine_clear) hs_svm_machine machine = {.first = first, .second = second};
    HS_OWNED double *weight = NULL;
    uint32_t firsts = 0, between = 0;
    *out = (hs_svm_machine){0};
    HS_NEED(s.points);
    /* The rows of the two classes, those of the first before those of the second. */
    for (int side = 0; side < 2; side++)
        for (uint32_t i = 0; i < rows->count; i++) {
            const double square = rows->square[i];
            if (space->label[i] != (side ? second : first) || (fold_of && fold_of[i] == fold))
                continue;
            firsts += !side;
            s.points[s.count++] =
                (struct point){.slope = side ? -1 : 1,
                               .self = hs_svm_kernel_value(&space->kernel, square, square, square),
                               .row = i,
                               .more = !side,
                               .less = side,
                               .is_first = !side};
        }
    s.active = s.count;
    if (firsts == 0 || firsts == s.count) {
        out->rho = (s.count > firsts) - (firsts > 0);
        out->first = first;
        out->second = second;
        return HSEL_OK;
    }
    if (!space->values) {
        double fits = HS_MEGABYTE * space->megabytes / (rows->count * sizeof(double));
        s.capacity = fits < 2 ? 2 : fits < s.count ? (uint32_t)fits : s.count;
        HS_NEED(HS_LISTS(NULL, &s, HS_PART(&s, held, s.capacity), HS_PART(&s, place, rows->count),
                         HS_PART(&s, dense, rows->columns)));
        memset(s.place, 0xff, rows->count * sizeof *s.place);
    }
    HS_TRY(solve(&s, &machine.stopped, error));
    weight = HS_NEW_ZERO(double, rows->count);
    HS_NEED(weight && HS_LISTS(NULL, &machine, HS_PART(&machine, row, s.count),
                               HS_PART(&machine, coef, s.count)));
    /* rho: the mean slope of the rows between their bounds; without any, the middle of what the
     * others allow. */
    double sum = 0, least = -INFINITY, most = INFINITY;
    for (const struct point *p = s.points; p < s.points + s.count; p++) {
        weight[p->row] = p->weight;
        if (p->more && p->less) {
            sum -= p->slope;
            between++;
        } else if (p->more) {
            most = fmin(most, -p->slope);
        } else {
            least = fmax(least, -p->slope);
        }
    }
    machine.rho = between ? sum / between : (most + least) / 2;
    for (int side = 0; side < 2; side++) /* the support vectors, in the same order */
        for (uint32_t i = 0; i < rows->count; i++)
            if (side ? weight[i] < 0 : weight[i] > 0) {
                machine.row[machine.count] = i;
                machine.coef[machine.count++] = weight[i];
            }
    HS_MOVE(out, &machine);
    return HSEL_OK;
}

static double product(const hs_svm_rows *rows, uint32_t a, uint32_t b)
{
    double sum = 0;
    for (size_t i = rows->start[a], j = rows->start[b];
         i < rows->start[a + 1] && j < rows->start[b + 1];) {
        const uint32_t x = rows->index[i], y = rows->index[j];
        if (x == y)
            sum += rows->value[i] * rows->value[j];
        i += x <= y;
        j += y <= x;
    }
    return sum;
}

double hs_svm_machine_decide(const hs_svm_space *space, const hs_svm_machine *machine, uint32_t row)
{
    const hs_svm_rows *rows = space->rows;
    double sum = 0;
    for (uint32_t i = 0; i < machine->count; i++) {
        uint32_t v = machine->row[i];
        sum += machine->coef[i] * (space->values ? space->values[(size_t)row * rows->count + v]
                                                 : value_of(space, v, row, product(rows, v, row)));
    }
    return sum - machine->rho;
}
