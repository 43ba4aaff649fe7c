/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A comparison as JSON: everything that was computed, methods in order of mean rank. A number that
 * does not exist (the p of a constant list) or is infinite is null.
 */
#include "core/mem.h"
#include "report/comparison.h"

static void put_text(hs_json *json, const char *key, const char *text)
{
    hs_json_key(json, key);
    hs_json_text(json, text);
}

static void put_number(hs_json *json, const char *key, double value)
{
    hs_json_key(json, key);
    hs_json_double(json, value);
}

static void put_count(hs_json *json, const char *key, uint64_t value)
{
    hs_json_key(json, key);
    hs_json_u64(json, value);
}

static void put_bool(hs_json *json, const char *key, bool value)
{
    hs_json_key(json, key);
    hs_json_bool(json, value);
}

/* ---- what was asked ---- */

static void put_request(const hs_comparison *c, hs_json *json)
{
    const hs_comparison_request *request = &c->request;
    hs_json_key(json, "datasets");
    hs_json_array(json);
    for (size_t r = 0; r < request->results.rows; r++)
        hs_json_text(json, request->datasets[r]);
    hs_json_end_array(json);
    put_count(json, "complete_datasets", c->complete_rows);
    put_bool(json, "lower_is_better", request->results.lower_is_better);
    put_text(json, "control",
             request->control < request->results.columns ? request->methods[request->control]
                                                         : NULL);
    put_number(json, "alpha", request->alpha);
    put_number(json, "tolerance", request->tolerance);
    put_bool(json, "one_sided", request->one_sided);
    put_bool(json, "keep_zeros", request->keep_zeros);
    put_text(json, "covariate", request->covariate ? request->covariate_name : NULL);
}

/* ---- methods ---- */

static void put_holm(const hs_against *one, hs_json *json)
{
    hs_json_key(json, "against_control");
    hs_json_object(json);
    put_number(json, "z", one->z);
    put_number(json, "p", one->p);
    put_number(json, "holm_p", one->adjusted);
    put_bool(json, "differs", one->rejected);
    hs_json_end_object(json);
}

static void put_correlation(const hs_correlation *one, hs_json *json)
{
    hs_json_key(json, "correlation");
    hs_json_object(json);
    put_number(json, "r", one->r);
    put_number(json, "p", one->p);
    put_count(json, "datasets", one->n);
    hs_json_end_object(json);
}

static void put_method(const hs_comparison *c, size_t m, hs_json *json)
{
    size_t columns = c->request.results.columns;
    hs_json_object(json);
    put_text(json, "method", c->request.methods[m]);
    put_number(json, "mean_rank", c->mean_rank[m]);
    put_count(json, "wins", c->wins[m]);
    hs_json_key(json, "ranks");
    hs_json_array(json);
    for (size_t r = 0; r < c->request.results.rows; r++)
        hs_json_double(json, c->rank[r * columns + m]);
    hs_json_end_array(json);
    if (c->against && m != c->request.control)
        put_holm(&c->against[m], json);
    if (c->correlation)
        put_correlation(&c->correlation[m], json);
    hs_json_end_object(json);
}

/* ---- tests ---- */

struct group_context {
    const hs_comparison *comparison;
    hs_json *json;
};

static void put_group(void *context, size_t first, size_t last)
{
    struct group_context *group = context;
    hs_json_array(group->json);
    for (size_t i = first; i <= last; i++)
        hs_json_text(group->json, group->comparison->request.methods[group->comparison->order[i]]);
    hs_json_end_array(group->json);
}

static void put_tests(const hs_comparison *c, hs_json *json)
{
    const hs_friedman *f = &c->friedman;
    size_t k = c->request.results.columns;
    hs_json_key(json, "friedman");
    hs_json_object(json);
    put_number(json, "chi2", f->chi2);
    put_number(json, "p", f->p_chi2);
    put_count(json, "df", k - 1);
    put_number(json, "chi2_ties", f->chi2_ties);
    put_number(json, "p_ties", f->p_ties);
    hs_json_end_object(json);
    hs_json_key(json, "iman_davenport");
    hs_json_object(json);
    put_number(json, "f", f->f);
    put_number(json, "p", f->p_f);
    put_count(json, "df1", k - 1);
    put_count(json, "df2", (k - 1) * (f->rows - 1));
    hs_json_end_object(json);
    hs_json_key(json, "nemenyi");
    hs_json_object(json);
    put_number(json, "q", f->q);
    put_number(json, "critical_difference", f->critical_difference);
    hs_json_key(json, "groups");
    hs_json_array(json);
    hs_comparison_groups(c, put_group, &(struct group_context){c, json});
    hs_json_end_array(json);
    hs_json_end_object(json);
}

/* ---- pairs ---- */

static void put_pair(const hs_comparison *c, size_t a, size_t b, hs_json *json)
{
    const hs_wilcoxon *w = &c->wilcoxon[a * c->request.results.columns + b];
    uint32_t wins, ties, losses;
    hs_duel(&c->request.results, a, b, c->request.tolerance, &wins, &ties, &losses);
    hs_json_object(json);
    put_text(json, "method", c->request.methods[a]);
    put_text(json, "against", c->request.methods[b]);
    put_count(json, "wins", wins);
    put_count(json, "ties", ties);
    put_count(json, "losses", losses);
    put_number(json, "wilcoxon_v", w->v);
    put_number(json, "wilcoxon_p", w->p);
    put_bool(json, "exact", w->exact);
    put_count(json, "differences", w->n);
    put_count(json, "zeros", w->zeros);
    hs_json_end_object(json);
}

static int put_words(const hs_comparison *c, hs_json *json, hsel_error *error)
{
    hs_buf text = {0};
    hs_writer *memory = NULL;
    int status = hs_writer_open_memory(&text, &memory, error);
    if (status == HSEL_OK) {
        hs_comparison_words(c, memory);
        status = hs_writer_commit(memory, error);
    }
    if (status == HSEL_OK)
        put_text(json, "words", text.text);
    hs_buf_clear(&text);
    return status;
}

int hs_comparison_json(const hs_comparison *c, hs_json *json, hsel_error *error)
{
    size_t columns = c->request.results.columns;
    hs_json_object(json);
    put_request(c, json);
    hs_json_key(json, "methods");
    hs_json_array(json);
    for (size_t i = 0; i < columns; i++)
        put_method(c, c->order[i], json);
    hs_json_end_array(json);
    put_bool(json, "tested", c->tested);
    if (c->tested)
        put_tests(c, json);
    hs_json_key(json, "pairs");
    hs_json_array(json);
    for (size_t i = 0; i < columns; i++)
        for (size_t j = i + 1; j < columns; j++)
            put_pair(c, c->order[i], c->order[j], json);
    hs_json_end_array(json);
    int status = put_words(c, json, error);
    hs_json_end_object(json);
    return status;
}
