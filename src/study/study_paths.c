/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Paths in a study file: ${NAME} and ${NAME:-default} from the environment, and where a relative
 * path starts. What a user sets in the environment is meant from where he stands; what is written
 * in the file is meant from the file.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "study/study_parts.h"

static size_t name_length(const char *text)
{
    size_t length = 0;
    while (isalpha((unsigned char)text[length]) || text[length] == '_' ||
           (length && isdigit((unsigned char)text[length])))
        length++;
    return length;
}

/* Replaces the variable that begins at `at` ("${"); *at moves behind it. *set: the environment has
 * a value for it. */
static int take_variable(const hs_study_reader *r, unsigned long line, const char **at, hs_buf *out,
                         bool *set, bool *unset, hsel_error *error)
{
    char name[128];
    const char *begin = *at + 2, *end = strchr(begin, '}');
    size_t length = name_length(begin);
    const char *rest = begin + length;
    bool has_default = strncmp(rest, ":-", 2) == 0;
    if (!end || length == 0 || length >= sizeof name || (!has_default && rest != end))
        return hs_study_fail(r, line, error,
                             "'%.*s' is not a variable: write ${NAME} or ${NAME:-default}",
                             (int)(end && end - *at < 100 ? end - *at + 1 : 100), *at);
    memcpy(name, begin, length);
    name[length] = '\0';
    const char *value = getenv(name);
    *set = value && *value;
    if (*set)
        hs_buf_text(out, value);
    else if (has_default)
        hs_buf_add(out, rest + 2, (size_t)(end - rest - 2));
    else
        hs_buf_printf(out, "$%s", name);
    *unset |= !*set && !has_default;
    *at = end + 1;
    return HSEL_OK;
}

int hs_study_path(hs_study_reader *r, unsigned long line, const char *text, const char *base,
                  hs_buf *out, bool *unset, hsel_error *error)
{
    hs_buf path = {0};
    bool from_here = false;
    int status = HSEL_OK;
    *unset = false;
    for (const char *at = text; *at && status == HSEL_OK;) {
        bool set = false, first = at == text;
        if (strncmp(at, "${", 2) == 0)
            status = take_variable(r, line, &at, &path, &set, unset, error);
        else
            hs_buf_char(&path, *at++);
        from_here |= first && (set || *unset);
    }
    if (status == HSEL_OK && !path.failed && path.length) {
        if (path.text[0] != '/' && !from_here)
            hs_buf_text(out, base ? base : r->folder);
        hs_buf_add(out, path.text, path.length);
    }
    if (status == HSEL_OK && (path.failed || out->failed))
        status = hs_fail_memory(error);
    hs_buf_clear(&path);
    return status;
}
