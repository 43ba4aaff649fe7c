/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Matrices of Kendall's tau. Cells are symmetric; a task is a row of the upper triangle, so the
 * result is the same at any number of threads.
 */
#include <math.h>

#include "core/mem.h"
#include "core/parallel.h"
#include "core/random.h"
#include "stats/kendall.h"
#include "stats/running.h"

struct matrix_work {
    const double *const *scores; /* NULL: the rankings are made already */
    hs_ranking *rankings;
    uint32_t *room; /* [threads * (2 count + 1)] */
    size_t rankers;
    uint32_t count;
    hs_tau_kind kind;
    double *matrix;
};

static int rank_one(void *context, size_t i, int worker, hsel_error *error)
{
    const struct matrix_work *w = context;
    (void)worker;
    int status = hs_ranking_of_scores(w->scores[i], w->count, &w->rankings[i], error);
    if (status == HSEL_OK && w->kind != HS_TAU_B)
        status = hs_ranking_break_ties(
            &w->rankings[i], w->kind == HS_TAU_A_WEKA ? HS_TIES_WEKA : HS_TIES_INDEX, error);
    return status;
}

static int compare_one(void *context, size_t i, int worker, hsel_error *error)
{
    const struct matrix_work *w = context;
    uint32_t *room = w->room + (size_t)worker * (2 * (size_t)w->count + 1);
    (void)error;
    w->matrix[i * w->rankers + i] = 1;
    for (size_t j = i + 1; j < w->rankers; j++) {
        hs_tau tau = hs_kendall(&w->rankings[i], &w->rankings[j], room);
        w->matrix[i * w->rankers + j] = w->matrix[j * w->rankers + i] =
            w->kind == HS_TAU_B ? tau.b : tau.a;
    }
    return HSEL_OK;
}

static int make_matrix(struct matrix_work *w, int threads, hsel_error *error)
{
    threads = hs_threads(threads);
    w->rankings = HS_NEW_ZERO(hs_ranking, w->rankers);
    w->room = HS_NEW(uint32_t, (size_t)threads * (2 * (size_t)w->count + 1));
    int status = w->rankings && w->room ? HSEL_OK : hs_fail_memory(error);
    if (status == HSEL_OK)
        status = hs_parallel_for(w->rankers, threads, rank_one, w, error);
    if (status == HSEL_OK)
        status = hs_parallel_for(w->rankers, threads, compare_one, w, error);
    for (size_t i = 0; w->rankings && i < w->rankers; i++)
        hs_ranking_clear(&w->rankings[i]);
    hs_free(w->rankings);
    hs_free(w->room);
    return status;
}

int hs_tau_matrix(const double *const *scores, size_t rankers, uint32_t count, hs_tau_kind kind,
                  int threads, double *matrix, hsel_error *error)
{
    struct matrix_work work = {
        .scores = scores, .rankers = rankers, .count = count, .kind = kind, .matrix = matrix};
    return make_matrix(&work, threads, error);
}

static void draw_scores(double *scores, uint32_t *shuffled, uint32_t count, hs_stream *stream)
{
    for (uint32_t i = 0; i < count; i++)
        shuffled[i] = i;
    hs_random_shuffle(stream, shuffled, count);
    for (uint32_t i = 0; i < count; i++)
        scores[i] = shuffled[i];
}

int hs_tau_random(size_t rankers, uint32_t count, uint64_t seed, uint64_t draw, int threads,
                  double *matrix, hsel_error *error)
{
    uint32_t *shuffled = HS_NEW(uint32_t, count);
    double *values = HS_NEW(double, rankers *count);
    const double **scores = HS_NEW(const double *, rankers);
    int status = shuffled && values && scores ? HSEL_OK : hs_fail_memory(error);
    for (size_t i = 0; i < rankers && status == HSEL_OK; i++) {
        hs_stream stream;
        hs_stream_init(&stream, seed, "tau", draw, i);
        draw_scores(values + i * count, shuffled, count, &stream);
        scores[i] = values + i * count;
    }
    if (status == HSEL_OK)
        status = hs_tau_matrix(scores, rankers, count, HS_TAU_B, threads, matrix, error);
    hs_free(shuffled);
    hs_free(values);
    hs_free(scores);
    return status;
}

void hs_tau_mean(const double *const *matrices, size_t sets, size_t rankers, double *mean,
                 double *sd)
{
    for (size_t cell = 0; cell < rankers * rankers; cell++) {
        hs_running running = {0};
        for (size_t s = 0; s < sets; s++)
            if (!isnan(matrices[s][cell]))
                hs_running_add(&running, matrices[s][cell]);
        if (mean)
            mean[cell] = running.count ? running.mean : (double)NAN;
        if (sd)
            sd[cell] = running.count ? hs_running_sd(&running) : (double)NAN;
    }
}

double hs_tau_distance(const double *a, const double *b, size_t rankers)
{
    double sum = 0;
    for (size_t i = 0; i < rankers; i++)
        for (size_t j = i + 1; j < rankers; j++) {
            double d = a[i * rankers + j] - b[i * rankers + j];
            sum += isnan(d) ? 0 : d * d;
        }
    return sqrt(2 * sum);
}
