/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Method text may hold commas ("rpv:measure=ig,smoothing=rpv"), at which the list was taken apart:
 * what reads as an option goes back to the method before it.
 */
#include "cli/method_list.h"

#include <string.h>

#include "rank/rank.h"

static const hs_method *find_method(hs_kind kind, const char *name, size_t length)
{
    const hs_method *method = hs_method_find(kind, name, length);
    return !method && kind == HS_RANKER ? hs_method_find(HS_MEASURE, name, length) : method;
}

/* Was the text cut within parentheses? */
static bool is_open(const char *text)
{
    int open = 0;
    for (; *text; text++)
        open += (*text == '(') - (*text == ')');
    return open > 0;
}

/* Is the item an option of the method whose text is `method`? "name=value" is; a bare name only if
 * that method has an option of this name and there is no method that is called so. */
static bool is_option(const char *item, const char *method, hs_kind kind)
{
    size_t name = strcspn(item, ":=("), owner = strcspn(method, ":");
    if (item[name] == '=')
        return true;
    if (item[name] == ':' || item[name] == '(' || method[owner] == '\0' ||
        find_method(kind, item, name))
        return false;
    const hs_method *known = find_method(kind, method, owner);
    return known && known->options && hs_option_find(known->options, item, name);
}

int hs_method_list_parse(const hs_list *list, hs_kind kind, const char *fallback, hs_arena *arena,
                         hs_method_list *out, hsel_error *error)
{
    size_t items = list->count ? list->count : 1;
    int status = HSEL_OK;
    *out = (hs_method_list){.items = hs_arena_zero(arena, items, sizeof *out->items)};
    if (!out->items)
        return hs_fail_memory(error);
    for (size_t i = 0; i < items && status == HSEL_OK;) {
        hs_buf text = {0};
        hs_buf_text(&text, list->count ? list->items[i] : fallback);
        for (i++; !text.failed && i < list->count &&
                  (is_open(text.text) || is_option(list->items[i], text.text, kind));
             i++)
            hs_buf_printf(&text, "%c%s", strchr(text.text, ':') ? ',' : ':', list->items[i]);
        status = text.failed ? hs_fail_memory(error)
                 : kind == HS_RANKER
                     ? hs_ranker_parse(text.text, &out->items[out->count], error)
                     : hs_chosen_parse(kind, text.text, &out->items[out->count], error);
        out->count += status == HSEL_OK;
        hs_buf_clear(&text);
    }
    return status;
}

void hs_method_list_clear(hs_method_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        hs_chosen_clear(&list->items[i]);
    *list = (hs_method_list){0};
}
