/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stats/simulate.c: what a run gives does not depend on what is asked for with it; effects beyond
 * doubt are found, none are not; and BH errs as theory says.
 */
#include <string.h>

#include "load/load.h"
#include "stats/running.h"
#include "infer/simulate.h"
#include "support/cmocka.h"
#include "support/oom.h"

static hsel_dataset *worm;

static int load(void **state)
{
    hsel_error error = {0};
    (void)state;
    assert_ok(hs_load_with("../data/rpv/CE-BP", "drop-roots", &worm, &error), error);
    return 0;
}

static int unload(void **state)
{
    (void)state;
    hs_dataset_free(worm);
    return 0;
}

static hs_simulation simulation(const char *text, hs_arena *arena)
{
    hs_simulation s = {0};
    hsel_error error = {0};
    assert_ok(hs_options_defaults(hs_simulation_table, &s, arena, &error), error);
    assert_ok(hs_options_parse(hs_simulation_table, &s, text, "simulate", arena, &error), error);
    return s;
}

/* Runs by themselves and together, procedures by themselves and together. */
static void test_any_grouping(void **state)
{
    (void)state;
    static const char *const settings[] = {"effect=3", "p-values=instances,effect=1.5"};
    for (int k = 0; k < 2; k++) {
        enum { RUNS = 6 };
        hs_arena arena = {0};
        hsel_error error = {0};
        hs_simulated all[2 * RUNS], one;
        hs_simulation each[2];
        for (int i = 0; i < 2; i++) {
            each[i] = simulation(settings[k], &arena);
            each[i].procedure = i ? "focused-bh" : "bh";
            each[i].filter = i;
            each[i].runs = RUNS;
        }
        assert_ok(hs_simulate(worm, each, 2, all, &error), error);
        for (uint32_t i = 0; i < 2 * RUNS; i++) {
            hs_simulation alone = each[i / RUNS];
            alone.from = i % RUNS;
            alone.runs = 1;
            assert_ok(hs_simulate(worm, &alone, 1, &one, &error), error);
            assert_memory_equal(&one, &all[i], sizeof one);
        }
        assert_true(memcmp(&all[0], &all[1], sizeof one) != 0);
        hs_arena_clear(&arena);
    }
}

/* No effect: whatever is rejected is wrong. A large one: all is found; what else is rejected by BH
 * is the level times the share of irrelevant terms. */
static void test_extremes(void **state)
{
    enum { RUNS = 200 };
    hs_arena arena = {0};
    hsel_error error = {0};
    hs_simulated runs[RUNS];
    hs_running wrong = {0}, found = {0};
    (void)state;
    hs_simulation none = simulation("p-values=instances,effect=0,procedure=bh,alpha=0.5,runs=200",
                                    &arena),
                  large = simulation("effect=50,procedure=bh,alpha=0.2,planted=1,runs=200", &arena);
    assert_ok(hs_simulate(worm, &none, 1, runs, &error), error);
    for (int i = 0; i < RUNS; i++)
        assert_true(runs[i].wrong == (runs[i].rejected > 0 ? 1 : 0));
    assert_ok(hs_simulate(worm, &large, 1, runs, &error), error);
    for (int i = 0; i < RUNS; i++) {
        hs_running_add(&wrong, runs[i].wrong);
        hs_running_add(&found, runs[i].found);
    }
    assert_true(found.mean == 1);
    assert_true(fabs(wrong.mean - 0.2) < 4 * hs_running_se(&wrong) + 0.01);
    hs_arena_clear(&arena);
}

static int simulate_all(void *context, hsel_error *error)
{
    hs_simulated runs[2];
    return hs_simulate(worm, context, 2, runs, error);
}

static void test_memory_and_refusals(void **state)
{
    hs_arena arena = {0};
    hsel_error error = {0};
    hs_simulated one;
    (void)state;
    hs_simulation each[] = {simulation("procedure=dagger,effect=2", &arena),
                            simulation("procedure=focused-bh,filter=lin,effect=2", &arena)};
    assert_true(hs_oom_each("hs_simulate", simulate_all, each) > 10);
    each[0].procedure = "yekutieli";
    assert_int_equal(hs_simulate(worm, each, 1, &one, &error), HSEL_EUSAGE);
    hsel_dataset flat = *worm;
    flat.dag = NULL;
    assert_int_equal(hs_simulate(&flat, each, 1, &one, &error), HSEL_EUSAGE);
    assert_string_equal(error.message, "a simulation needs a hierarchy, but CE-BP has none");
    hs_arena_clear(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_grouping),
        cmocka_unit_test(test_extremes),
        cmocka_unit_test(test_memory_and_refusals),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
