/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The way from the objects of a label table to those of annotations, and the labels of instances.
 */
#include <ctype.h>

#include "build/assemble.h"

/* ---- from the objects of a label table to those of annotations ---- */

typedef struct search {
    const hs_annotations *annotations;
    const hs_mapping *mapping;
    hs_sparse by_text, by_record; /* entries of the mapping */
    hs_arena arena;
    uint32_t *stamp; /* of each annotated object: the round in which it was found */
    uint32_t round;
    uint32_t *found; /* objects of this round, in the order of the mapping */
    uint32_t count;
    /* Names in lower case, and the name of each: an object, or a text of the mapping (numbered
     * from the count of objects on); HSEL_NONE: several. Filled when it is needed. */
    hs_names small;
    uint32_t *small_of;
    hs_buf text;
} search;

static void object_search_clear(search *s)
{
    hs_sparse_clear(&s->by_text);
    hs_sparse_clear(&s->by_record);
    hs_arena_clear(&s->arena);
    hs_names_clear(&s->small);
    hs_buf_clear(&s->text);
}

static void search_add(search *s, uint32_t object)
{
    if (object == HSEL_NONE || s->stamp[object] == s->round)
        return;
    s->stamp[object] = s->round;
    s->found[s->count++] = object;
}

/* The kinds of names that link a record to an annotated object, best first. Synonyms are too often
 * those of several. */
static const uint8_t targets[] = {HS_ALIAS_ID, HS_ALIAS_SYMBOL, HS_ALIAS_UNIPROT, HS_ALIAS_ENSEMBL,
                                  HS_ALIAS_OTHER};
enum { TARGETS = sizeof targets };

/* Adds the annotated objects of a record. */
static void search_record(search *s, uint32_t record)
{
    const hs_mapping *mapping = s->mapping;
    size_t entries;
    const uint32_t *entry = hs_sparse_list(&s->by_record, record, &entries);
    bool known = false;
    for (int t = 0; t < TARGETS && !known; t++)
        for (size_t e = 0; e < entries; e++)
            if (mapping->kind[entry[e]] == targets[t]) {
                uint32_t object = hs_names_find(&s->annotations->objects,
                                                HS_NAME(&mapping->texts, mapping->text[entry[e]]));
                known = known || object != HSEL_NONE;
                search_add(s, object);
            }
}

/* The annotated objects that a name means. Returns the kind of name it is: the first kind that has
 * it, even if none of the objects with that name is annotated; HS_ALIAS_KINDS: none. */
static hs_alias_kind search_name(search *s, const char *name, size_t name_length)
{
    const hs_mapping *mapping = s->mapping;
    s->round++;
    s->count = 0;
    for (int kind = HS_ALIAS_SYMBOL; kind < HS_ALIAS_TITLE; kind++) {
        const char *text = name;
        size_t length = name_length, entries;
        bool known = false;
        if (kind == HS_ALIAS_ENSEMBL) {
            hs_drop_prefix(&text, &length, "ENSEMBL:");
            length = hs_ensembl_length(text, length);
        } else if (kind == HS_ALIAS_UNIPROT) {
            hs_drop_prefix(&text, &length, "UniProtKB:");
        }
        if (length != name_length) {
            uint32_t object = hs_names_find(&s->annotations->objects, text, length);
            known = object != HSEL_NONE;
            search_add(s, object);
        }
        uint32_t id = hs_names_find(&mapping->texts, text, length);
        const uint32_t *entry = id == HSEL_NONE ? NULL : hs_sparse_list(&s->by_text, id, &entries);
        for (size_t e = 0; entry && e < entries; e++) {
            int is = mapping->kind[entry[e]];
            if (is != kind && (kind != HS_ALIAS_OTHER || is != HS_ALIAS_ID))
                continue;
            known = true;
            search_record(s, mapping->record[entry[e]]);
        }
        if (known)
            return (hs_alias_kind)kind;
    }
    return HS_ALIAS_KINDS;
}

static bool make_small(search *s, const char *name, size_t length)
{
    s->text.length = 0;
    for (size_t i = 0; i < length; i++)
        hs_buf_char(&s->text, (char)tolower((unsigned char)name[i]));
    return !s->text.failed;
}

/* Fills `small`. */
static int index_small(search *s, hsel_error *error)
{
    const hs_names *objects = &s->annotations->objects, *texts = &s->mapping->texts;
    const uint32_t all = objects->count + texts->count;
    uint32_t id;
    bool added;
    HS_NEED(s->small_of = HS_ARENA_NEW(&s->arena, uint32_t, all));
    for (uint32_t i = 0; i < all; i++) {
        bool is_text = i >= objects->count;
        const hs_names *names = is_text ? texts : objects;
        uint32_t at = is_text ? i - objects->count : i;
        if (is_text && hs_names_find(objects, HS_NAME(names, at)) != HSEL_NONE)
            continue; /* as an object it is there */
        HS_NEED(make_small(s, HS_NAME(names, at)));
        HS_TRY(hs_names_intern(&s->small, s->text.text ? s->text.text : "", s->text.length, &id,
                               &added, error));
        s->small_of[id] = added ? i : HSEL_NONE;
    }
    return HSEL_OK;
}

/* The same for a name that differs only in case from one name of one object. */
static int search_nocase(search *s, const char *name, size_t length, hsel_error *error)
{
    const hs_names *objects = &s->annotations->objects, *texts = &s->mapping->texts;
    if (!s->small_of)
        HS_TRY(index_small(s, error));
    HS_NEED(make_small(s, name, length));
    uint32_t id = hs_names_find(&s->small, s->text.text ? s->text.text : "", s->text.length);
    uint32_t is = id == HSEL_NONE ? HSEL_NONE : s->small_of[id];
    s->round++;
    s->count = 0;
    if (is < objects->count)
        search_add(s, is);
    else if (is != HSEL_NONE)
        search_name(s, HS_NAME(texts, is - objects->count));
    return HSEL_OK;
}

/* "name -> object, object" */
static int tell_match(hs_finding *finding, const char *name, const search *s, uint32_t limit,
                      hsel_error *error)
{
    HS_OWNS(hs_buf_clear) hs_buf text = {0};
    hs_buf_text(&text, name);
    for (uint32_t i = 0; i < s->count && i < HS_EXAMPLES_LIMIT; i++)
        hs_buf_printf(&text, "%s%s", i ? " or " : " -> ",
                      hs_names_get(&s->annotations->objects, s->found[i]));
    if (s->count > HS_EXAMPLES_LIMIT)
        hs_buf_text(&text, " or …");
    HS_NEED(!text.failed);
    return hs_finding_add(finding, text.text, limit, error);
}

int hs_map_objects(hs_annotations *annotations, hs_labels *labels, const hs_map_options *options,
                   hs_assemble_report *report, hsel_error *error)
{
    hs_mapping *mapping = &annotations->mapping;
    hs_names *objects = &annotations->objects;
    hs_finding *finding = report->found;
    HS_OWNS(object_search_clear) search s = {.annotations = annotations, .mapping = mapping};
    HS_OWNS(hs_names_clear) hs_names names = {0};
    uint32_t count = labels->ids.count, known = 0, kept = 0;
    HS_TRY(hs_names_index(objects, error));
    for (uint32_t i = 0; i < count; i++)
        known += hs_names_find(objects, HS_NAME(&labels->ids, i)) != HSEL_NONE;
    finding[HS_FOUND_BY_ID].count = known;
    if (known == count || options->none)
        return HSEL_OK;
    for (uint32_t o = 0; o < objects->count; o++) { /* ENSG1.5 is also called ENSG1 */
        const char *id = hs_names_get(objects, o);
        size_t length = hs_names_length(objects, o), plain = hs_ensembl_length(id, length);
        if (plain == length)
            continue;
        HS_TRY(hs_mapping_add(mapping, mapping->records, HS_ALIAS_ENSEMBL, id, plain, error));
        HS_TRY(hs_mapping_add(mapping, mapping->records++, HS_ALIAS_ID, id, length, error));
    }
    bool *leave = hs_arena_zero(&s.arena, count, sizeof *leave);
    s.stamp = hs_arena_zero(&s.arena, objects->count, sizeof *s.stamp);
    s.found = HS_ARENA_NEW(&s.arena, uint32_t, objects->count);
    HS_NEED(leave && s.stamp && s.found);
    HS_TRY(hs_names_index(&mapping->texts, error));
    HS_TRY(hs_sparse_group(mapping->texts.count, mapping->text, NULL, mapping->count, &s.by_text,
                           error));
    HS_TRY(hs_sparse_group(mapping->records, mapping->record, NULL, mapping->count, &s.by_record,
                           error));
    for (uint32_t i = 0; i < count; i++) {
        const char *id = hs_names_get(&labels->ids, i);
        size_t length = hs_names_length(&labels->ids, i);
        s.count = 0;
        if (hs_names_find(objects, id, length) == HSEL_NONE) {
            hs_alias_kind kind = search_name(&s, id, length);
            hs_found by = HS_FOUND_BY_SYMBOL + (kind - HS_ALIAS_SYMBOL);
            bool other_case = false;
            if (!s.count) {
                HS_TRY(search_nocase(&s, id, length, error));
                other_case = s.count > 0;
                by = options->ignore_case ? HS_FOUND_BY_CASE : HS_FOUND_OTHER_CASE;
                s.count = s.count == 1 ? 1 : 0;
            }
            if (s.count > 1 && options->ambiguous == HS_AMBIGUOUS_ERROR)
                return hs_fail_at(error, HSEL_EFORMAT, labels->source, labels->line[i],
                                  "%.200s may be %.200s or %.200s", id,
                                  hs_names_get(objects, s.found[0]),
                                  hs_names_get(objects, s.found[1]));
            leave[i] = s.count > 1 && options->ambiguous == HS_AMBIGUOUS_DROP;
            if (s.count > 1)
                HS_TRY(
                    tell_match(&finding[leave[i] ? HS_FOUND_AMBIGUOUS : HS_FOUND_AMBIGUOUS_FIRST],
                               id, &s, HS_AMBIGUOUS_LIMIT, error));
            else if (s.count)
                HS_TRY(tell_match(&finding[by], id, &s, HS_EXAMPLES_LIMIT, error));
            if (other_case && !options->ignore_case)
                s.count = 0;
        }
        kept += !leave[i];
        if (s.count && !leave[i])
            HS_TRY(hs_names_append(&names, HS_NAME(objects, s.found[0]), error));
        else
            HS_TRY(hs_names_append(&names, id, length, error));
    }
    if (!kept)
        return hs_fail_at(error, HSEL_EFORMAT, labels->source, 0,
                          "every object in it matches several annotated ones, such as %s",
                          hs_names_get(&finding[HS_FOUND_AMBIGUOUS].examples, 0));
    return hs_labels_rename(labels, &names, leave, options->conflicts, error);
}

/* ---- labels of instances ---- */

int hs_about_objects(const hs_annotations *annotations, const hs_labels *labels,
                     const uint32_t *rows, uint32_t count, hs_about *out, hsel_error *error)
{
    enum { LABEL, NAME, GIVEN, COLUMNS };
    static const char *const columns[COLUMNS] = {HS_ABOUT_LABEL, "name", "given"};
    static const uint8_t kinds[] = {[LABEL] = HS_ALIAS_SYMBOL, [NAME] = HS_ALIAS_TITLE};
    const hs_mapping *mapping = &annotations->mapping;
    const hs_names *objects = &annotations->objects;
    HS_OWNS(hs_about_clear) hs_about about = {0};
    HS_OWNS(hs_arena_clear) hs_arena arena = {0};
    uint32_t *record_of = HS_ARENA_NEW(&arena, uint32_t, objects->count);
    uint32_t *text_of[GIVEN]; /* of each record: its first symbol, its first title */
    const char **cells = HS_ARENA_NEW(&arena, const char *, (size_t)count *COLUMNS);
    bool any[COLUMNS] = {false};
    HS_NEED(record_of && cells);
    memset(record_of, 0xff, objects->count * sizeof *record_of); /* HSEL_NONE */
    for (int t = 0; t < TARGETS; t++)                            /* the best record of an object */
        for (size_t e = 0; e < mapping->count; e++) {
            if (mapping->kind[e] != targets[t])
                continue;
            uint32_t o = hs_names_find(objects, HS_NAME(&mapping->texts, mapping->text[e]));
            if (o != HSEL_NONE && record_of[o] == HSEL_NONE)
                record_of[o] = mapping->record[e];
        }
    for (int c = 0; c < GIVEN; c++) {
        HS_NEED(text_of[c] = HS_ARENA_NEW(&arena, uint32_t, mapping->records));
        memset(text_of[c], 0xff, mapping->records * sizeof *text_of[c]);
        for (size_t e = mapping->count; e-- > 0;) /* the first one stays */
            if (mapping->kind[e] == kinds[c])
                text_of[c][mapping->record[e]] = mapping->text[e];
    }
    for (uint32_t i = 0; i < count; i++) {
        const char **cell = cells + (size_t)i * COLUMNS, *id = hs_names_get(&labels->ids, rows[i]);
        uint32_t o = hs_names_find(objects, HS_NAME(&labels->ids, rows[i]));
        uint32_t r = o == HSEL_NONE ? HSEL_NONE : record_of[o];
        for (int c = 0; c < GIVEN; c++) {
            uint32_t text = r == HSEL_NONE ? HSEL_NONE : text_of[c][r];
            cell[c] = text == HSEL_NONE ? "" : hs_names_get(&mapping->texts, text);
        }
        cell[GIVEN] = labels->given.count ? hs_names_get(&labels->given, rows[i]) : "";
        if (!*cell[LABEL] || strcmp(cell[LABEL], id) == 0) {
            cell[LABEL] = cell[NAME];
            cell[NAME] = "";
        }
        for (int c = 0; c < COLUMNS; c++)
            any[c] |= *cell[c] != '\0';
    }
    for (int c = 0; c < COLUMNS; c++)
        if (any[c])
            HS_TRY(hs_names_append_text(&about.columns, columns[c], error));
    for (size_t i = 0; i < (size_t)count * COLUMNS; i++)
        if (any[i % COLUMNS])
            HS_TRY(hs_names_append_text(&about.cells, cells[i], error));
    HS_MOVE(out, &about);
    return HSEL_OK;
}
