/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Walks the registry, so that a method is tested the moment it exists: its texts, its option table,
 * and what its kind must be able to do.
 */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "core/method.h"
#include "core/random.h"
#include "format/format.h"
#include "generate/generate.h"
#include "support/cmocka.h"
#include "support/oom.h"
#include "support/random_data.h"

#define EACH_METHOD(method)                                                                        \
    for (size_t i_ = 0; i_ < hs_method_count(); i_++)                                              \
        for (const hs_method *method = hs_method_at(i_); method; method = NULL)

static bool is_text(const char *text)
{
    return text && text[0] && !isspace((unsigned char)text[0]);
}

static void test_texts(void **state)
{
    (void)state;
    assert_true(hs_method_count() > 0);
    assert_null(hs_method_at(hs_method_count()));
    EACH_METHOD(method)
    {
        const char *allowed = "abcdefghijklmnopqrstuvwxyz0123456789.-";
        if (!is_text(method->name) || strspn(method->name, allowed) != strlen(method->name))
            fail_msg("method %zu: the name '%s' has other characters than %s", i_, method->name,
                     allowed);
        if (!is_text(method->title) || !is_text(method->help) || !is_text(method->citation))
            fail_msg("%s: title, help or citation is missing", method->name);
        if (strchr(method->title, '\n') || strlen(method->title) > 60)
            fail_msg("%s: the title is for tables: one short line", method->name);
        if (method->kind < 0 || method->kind >= HS_KINDS)
            fail_msg("%s: no such kind", method->name);
        if (hs_method_find(method->kind, method->name, strlen(method->name)) != method)
            fail_msg("%s: there is another %s of this name", method->name,
                     hs_kind_name(method->kind));
    }
}

static void test_kinds(void **state)
{
    (void)state;
    for (int kind = 0; kind < HS_KINDS; kind++) {
        assert_true(is_text(hs_kind_name(kind)));
        assert_true(strlen(hs_kind_plural(kind)) > strlen(hs_kind_name(kind)));
        assert_null(hs_method_find(kind, "", 0));
        assert_null(hs_method_find(kind, "no-such-method", 14));
    }
}

/* ---- options ---- */

static bool is_number(const hs_option *option)
{
    return option->type == HS_OPT_INT || option->type == HS_OPT_U32 || option->type == HS_OPT_U64 ||
           option->type == HS_OPT_DOUBLE;
}

static void check_option(const hs_method *method, const hs_option *option)
{
    const char *owner = method->name, *name = option->name;
    if (!is_text(name) || strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-") != strlen(name))
        fail_msg("%s: option name '%s'", owner, name ? name : "(none)");
    if (!is_text(option->help) || strchr(option->help, '\n') ||
        option->help[strlen(option->help) - 1] == '.')
        fail_msg("%s: help of option %s: one sentence without full stop", owner, name);
    if (hs_option_find(method->options, name, strlen(name)) != option)
        fail_msg("%s: option %s is there twice", owner, name);
    if (option->offset >= method->options_size)
        fail_msg("%s: option %s lies outside its struct", owner, name);
    if (option->type == HS_OPT_CHOICE && !option->value)
        fail_msg("%s: option %s has no words to choose from", owner, name);
    if (is_number(option) && (!(option->min <= option->max) || !option->fallback || !option->value))
        fail_msg("%s: option %s needs bounds, a default and a placeholder", owner, name);
    if (option->type == HS_OPT_LIST && option->fallback)
        fail_msg("%s: option %s is a list, which can only gain items: no default", owner, name);
}

/* A value within the bounds, as text. */
static void random_value(hs_stream *stream, const hs_option *option, char *out, size_t room)
{
    double low = fmax(option->min, -1e15),
           high = fmin(option->max, option->type == HS_OPT_INT ? INT32_MAX : 1e15);
    double value = low + (high - low) * hs_random_double(stream);
    switch (option->type) {
    case HS_OPT_BOOL:
        snprintf(out, room, "%s", hs_random_below(stream, 2) ? "true" : "false");
        break;
    case HS_OPT_INT:
    case HS_OPT_U32:
    case HS_OPT_U64:
        snprintf(out, room, "%.0f",
                 hs_random_below(stream, 4)   ? ceil(value)
                 : hs_random_below(stream, 2) ? low
                                              : floor(high));
        break;
    case HS_OPT_DOUBLE:
        hs_format_double(value, out);
        break;
    case HS_OPT_CHOICE: {
        int words = 1;
        for (const char *c = option->value; *c; c++)
            words += *c == '|';
        hs_choice_word(option, (int)hs_random_below(stream, (uint64_t)words), out, room);
        break;
    }
    default:
        snprintf(out, room, "x%u y", (unsigned)hs_random_below(stream, 100));
    }
}

/* "name:a=1,b=x" with each option there or not; formatting what was parsed gives a text that parses
 * to the same. */
static void check_random_text(hs_stream *stream, const hs_method *method)
{
    hsel_error error = {0};
    hs_buf text = {0};
    hs_chosen chosen = {0}, again = {0};
    hs_buf_text(&text, method->name);
    int given = 0;
    for (const hs_option *o = method->options; o && o->type != HS_OPT_END; o++) {
        char value[80];
        if (hs_random_below(stream, 2))
            continue;
        random_value(stream, o, value, sizeof value);
        if (method->check && o->type == HS_OPT_TEXT) /* not any text will do */
            snprintf(value, sizeof value, "%s", o->fallback);
        hs_buf_printf(&text, "%c%s=%s", given++ ? ',' : ':', o->name, value);
    }
    int status = hs_chosen_parse(method->kind, text.text, &chosen, &error);
    if (status && (status != HSEL_EUSAGE || !method->check)) /* options that do not go together */
        fail_msg("%s was refused: %s", text.text, error.message);
    if (status) {
        hs_buf_clear(&text);
        return;
    }
    if (hs_chosen_parse(method->kind, chosen.text, &again, &error))
        fail_msg("%s, from %s, was refused: %s", chosen.text, text.text, error.message);
    if (strcmp(chosen.text, again.text) != 0)
        fail_msg("%s became %s and then %s", text.text, chosen.text, again.text);
    hs_chosen_clear(&chosen);
    hs_chosen_clear(&again);
    hs_buf_clear(&text);
}

static void refuse(const hs_method *method, const char *option, const char *value, const char *word)
{
    hsel_error error = {0};
    hs_chosen chosen = {0};
    hs_buf text = {0};
    hs_buf_printf(&text, "%s:%s=%s", method->name, option, value);
    if (hs_chosen_parse(method->kind, text.text, &chosen, &error) != HSEL_EUSAGE)
        fail_msg("%s was taken", text.text);
    if (!strstr(error.message, word))
        fail_msg("%s: '%s' does not name %s", text.text, error.message, word);
    hs_buf_clear(&text);
}

static void check_refused(const hs_method *method, const hs_option *option)
{
    char value[64];
    if (is_number(option)) {
        refuse(method, option->name, "abc", option->name);
        refuse(method, option->name, "", option->name);
        refuse(method, option->name, "nan", option->name);
        snprintf(value, sizeof value, "%.17g",
                 option->type == HS_OPT_DOUBLE ? nextafter(option->min, -INFINITY)
                                               : option->min - 1);
        if (option->min > -1e15)
            refuse(method, option->name, value, option->name);
        snprintf(value, sizeof value, "%.17g",
                 option->type == HS_OPT_DOUBLE ? nextafter(option->max, INFINITY)
                                               : option->max + 1);
        if (option->max < 1e15)
            refuse(method, option->name, value, option->name);
    }
    if (option->type == HS_OPT_CHOICE || option->type == HS_OPT_BOOL)
        refuse(method, option->name, "no-such-word", option->name);
    if (strlen(option->name) > 3) { /* a slip of the pen */
        snprintf(value, sizeof value, "%s", option->name);
        value[1] = 'q';
        refuse(method, value, "1", option->name);
    }
}

static void test_options(void **state)
{
    (void)state;
    hs_stream stream;
    hs_stream_init(&stream, 1, "test", 0, 0);
    EACH_METHOD(method)
    {
        hsel_error error = {0};
        hs_chosen chosen = {0};
        for (const hs_option *o = method->options; o && o->type != HS_OPT_END; o++) {
            check_option(method, o);
            check_refused(method, o);
        }
        refuse(method, "zzzzzzzzzzzz", "1", "zzzzzzzzzzzz");
        if (hs_chosen_parse(method->kind, method->name, &chosen,
                            &error)) /* defaults parse and lie in bounds */
            fail_msg("%s: a default is wrong: %s", method->name, error.message);
        assert_string_equal(chosen.text, method->name);
        hs_chosen_clear(&chosen);
        for (int round = 0; round < 200; round++)
            check_random_text(&stream, method);
    }
}

static void test_unknown_method(void **state)
{
    (void)state;
    EACH_METHOD(method)
    {
        if (strlen(method->name) < 4)
            continue;
        hsel_error error = {0};
        hs_chosen chosen = {0};
        char name[64];
        snprintf(name, sizeof name, "%sq", method->name);
        assert_int_equal(hs_chosen_parse(method->kind, name, &chosen, &error), HSEL_EUSAGE);
        if (!strstr(error.message, method->name))
            fail_msg("'%s' does not propose %s", error.message, method->name);
    }
}

/* ---- formats ---- */

static void check_endings(const hs_method *method)
{
    const char *endings = method->format->endings;
    if (!is_text(endings) ||
        strspn(endings, "abcdefghijklmnopqrstuvwxyz0123456789.- ") != strlen(endings))
        fail_msg("%s: the endings '%s' should be words without leading dot", method->name,
                 endings ? endings : "(none)");
}

static void check_sniffer(hs_stream *stream, const hs_method *method)
{
    static const char *const heads[] = {"@relation x\n@attribute",
                                        "%%MatrixMarket matrix",
                                        "format-version: 1.2\n",
                                        "!gaf-version: 2.1\n",
                                        "a,b,c\n1,0,x\n",
                                        "a\tb\n",
                                        "1 1:1 2:1\n",
                                        "<http://a> <http://b> <http://c> .\n",
                                        "SQLite format 3"};
    if (!method->format->sniff)
        return;
    for (int round = 0; round < 3000; round++) {
        char known[40];
        size_t length = hs_random_below(stream, 40);
        for (size_t i = 0; i < length; i++)
            known[i] = round % 2 ? (char)hs_random_below(stream, 256)
                                 : "\n\t ,:%@#01a"[hs_random_below(stream, 11)];
        if (round % 3 == 0) {
            const char *start = heads[hs_random_below(stream, sizeof heads / sizeof heads[0])];
            length = hs_random_below(stream, strlen(start) + 1);
            memcpy(known, start, length);
        }
        char *head = malloc(length + 1); /* its own block, so that reading beyond it shows */
        assert_non_null(head);
        for (size_t i = 0; i < length; i++)
            head[i] = known[i] ? known[i] : '\1'; /* as hs_format_sniff has it */
        head[length] = '\0';
        int certainty = method->format->sniff(head);
        free(head);
        if (certainty < 0 || certainty > 100)
            fail_msg("%s: certainty %d", method->name, certainty);
        if (length == 0 && certainty > 0)
            fail_msg("%s: sure of an empty file", method->name);
    }
}

static void test_formats(void **state)
{
    (void)state;
    hs_stream stream;
    hs_stream_init(&stream, 2, "test", 0, 0);
    EACH_METHOD(method)
    {
        if (method->kind != HS_FORMAT)
            continue;
        const hs_format *format = method->format;
        assert_non_null(format);
        if (!format->read_data && !format->read_graph && !format->read_annotations &&
            !format->read_mapping && !format->read_amounts)
            fail_msg("%s: reads nothing", method->name);
        check_endings(method);
        check_sniffer(&stream, method);
    }
}

/* ---- generators ---- */

static hsel_dataset *generate(const hs_chosen *chosen, uint64_t seed)
{
    hsel_error error = {0};
    hsel_dataset *data = NULL;
    assert_ok(chosen->method->generator->generate(chosen->options, seed, &data, &error), error);
    assert_ok(hsel_dataset_check(data, &error), error);
    return data;
}

/* The generator's options, with every count made small. */
static void choose_small(const hs_method *method, hs_chosen *out)
{
    hsel_error error = {0};
    assert_ok(hs_chosen_parse(method->kind, method->name, out, &error), error);
    for (const hs_option *o = method->options; o && o->type != HS_OPT_END; o++) {
        bool is_count = o->type == HS_OPT_U32 && !strcmp(o->value, "N");
        double standard = is_count ? strtod(o->fallback, NULL) : 0;
        if (standard <= 20)
            continue;
        char text[32];
        snprintf(text, sizeof text, "%.0f", fmax(o->min, 20));
        assert_ok(hs_option_set(o, out->options, text, strlen(text), &out->arena, &error), error);
    }
}

static int generate_once(void *context, hsel_error *error)
{
    const hs_chosen *chosen = context;
    hsel_dataset *data = NULL;
    int status = chosen->method->generator->generate(chosen->options, 7, &data, error);
    hsel_dataset_free(data);
    return status;
}

static void test_generators(void **state)
{
    (void)state;
    EACH_METHOD(method)
    {
        if (method->kind != HS_GENERATOR)
            continue;
        hs_chosen chosen = {0};
        choose_small(method, &chosen);
        hsel_dataset *a = generate(&chosen, 7), *b = generate(&chosen, 7),
                     *c = generate(&chosen, 8);
        const char *why = hs_same_dataset(a, b, HS_SAME_ALL);
        if (why)
            fail_msg("%s: the same seed gives another data set: %s", method->name, why);
        if (!hs_same_dataset(a, c, 0))
            fail_msg("%s: another seed gives the same data set", method->name);
        assert_non_null(hsel_dataset_hierarchy(a));
        assert_true(hsel_dataset_instances(a) > 0 && hsel_dataset_features(a) > 0);
        hsel_dataset_free(a);
        hsel_dataset_free(b);
        hsel_dataset_free(c);
        hs_oom_each(method->name, generate_once, &chosen);
        hs_chosen_clear(&chosen);
    }
}

static int choose(void *context, hsel_error *error)
{
    const hs_method *method = context;
    hs_chosen chosen = {0};
    int status = hs_chosen_parse(method->kind, method->name, &chosen, error);
    hs_chosen_clear(&chosen);
    return status;
}

static void test_choosing_out_of_memory(void **state)
{
    (void)state;
    EACH_METHOD(method) hs_oom_each(method->name, choose, (void *)(uintptr_t)method);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_texts),
                                       cmocka_unit_test(test_kinds),
                                       cmocka_unit_test(test_options),
                                       cmocka_unit_test(test_unknown_method),
                                       cmocka_unit_test(test_formats),
                                       cmocka_unit_test(test_generators),
                                       cmocka_unit_test(test_choosing_out_of_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
