/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lazy selectors in tests: small random worlds (hierarchy, counts, mask, instance), every selector
 * with its twin (the algorithm as it is written down), and running a selector on an instance.
 */
#ifndef HS_TESTS_LAZY_WORLD_H
#define HS_TESTS_LAZY_WORLD_H

#include "measure/measure.h"
#include "select/select.h"
#include "support/graphs.h"

#define LAZY_NODES   9
#define LAZY_CLASSES 3

typedef struct lazy_world {
    small_graph graph;
    uint32_t size[LAZY_CLASSES], positive[MOST * LAZY_CLASSES];
    hs_counts counts;
    uint64_t mask;
    bool masked;
    bool usable[MOST], value[MOST]; /* value: of the instance */
    double score[MOST];
} lazy_world;

uint32_t lazy_draw(hs_stream *stream, uint32_t below);
/* 30 % trees (of several roots), else edges of any density from 0.15 to 0.8; numbers at random. */
void lazy_draw_dag(hs_stream *stream, small_graph *graph);
/* Each feature has one of a few tables of counts, so that scores are often equal. */
void lazy_draw_counts(hs_stream *stream, uint32_t classes, lazy_world *w);
/* In one world of three some features may not be used. */
void lazy_draw_mask(hs_stream *stream, lazy_world *w);
/* Values that obey the true-path rule. */
void lazy_draw_instance(hs_stream *stream, lazy_world *w);

/* Features a, b, c …, classes x, y, z; neither instances nor hierarchy. */
hsel_dataset *lazy_new_data(uint32_t features, uint32_t classes);
void lazy_attach(hsel_dataset *data, hsel_dag *dag);
hs_training lazy_training_of(const lazy_world *w, const hsel_dataset *data);

/* ---- every selector and its twin ---- */

typedef struct twin_context {
    const lazy_world *w;
    hs_stream *stream;
    uint32_t k;
    bool *kept;
} twin_context;

/* Fills kept for the instance of the world. */
typedef void (*twin)(const twin_context *c);

typedef struct lazy_case {
    const char *text;
    twin twin;
    enum { BY_LAZYR, BY_R, BY_IG } measure;
    int variant; /* hs_smoothing, hs_lazyr_form */
    uint32_t k;
    bool by_index; /* ties fall by index */
} lazy_case;

extern const lazy_case lazy_cases[];
extern const size_t lazy_case_count;

/* The relevance that the selector of this case uses. */
void lazy_score_features(const lazy_case *one, lazy_world *w);

/* ---- running a selector ---- */

typedef struct lazy_prepared {
    hs_chosen chosen;
    void *state;
} lazy_prepared;

int lazy_prepare(const char *text, const hs_training *training, lazy_prepared *out,
                 hsel_error *error);
void lazy_done(lazy_prepared *p);
/* Selects for one instance, refusing memory meanwhile. */
int lazy_run(const lazy_prepared *p, const uint32_t *row, size_t count, hs_lazy_scratch *scratch,
             hs_selection *out, hsel_error *error);
/* The selection as a set; asserts that its lists are ascending, of the right value, and counted
 * right. */
void lazy_read(const hs_selection *s, const bool *value, const bool *usable, uint32_t features,
               bool *kept);
/* Both for the instance of a world. */
void lazy_select(const lazy_prepared *p, const lazy_world *w, hs_lazy_scratch *scratch,
                 hs_selection *selection, bool *kept);

#endif
