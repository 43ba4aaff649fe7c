/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The groups follow the Gene Ontology's guide to evidence codes; "experimental" includes the codes
 * of high-throughput experiments, which also are a group of their own.
 */
#include "format/annotations.h"

#include <string.h>

#include "core/text.h"

static const struct {
    const char *group, *codes; /* codes with a blank after each */
} groups[] = {
    {"experimental", "EXP IDA IPI IMP IGI IEP HTP HDA HMP HGI HEP "},
    {"high-throughput", "HTP HDA HMP HGI HEP "},
    {"phylogenetic", "IBA IBD IKR IRD "},
    {"computational", "ISS ISO ISA ISM IGC RCA "},
    {"author", "TAS NAS "},
    {"curator", "IC ND "},
    {"electronic", "IEA "},
};
enum { GROUPS = sizeof groups / sizeof *groups };

static bool code_in(const char *codes, const char *code)
{
    for (const char *word = codes; *word; word += strcspn(word, " ") + 1)
        if (hs_equal_nocase(word, strcspn(word, " "), code))
            return true;
    return false;
}

/* Does a word of one of the lists (a code or a group) stand for this code? */
static bool list_has(const hs_list *words, const char *code)
{
    for (size_t i = 0; i < words->count; i++) {
        const char *word = words->items[i];
        size_t length = strlen(word);
        if (hs_equal_nocase(word, length, code))
            return true;
        for (size_t g = 0; g < GROUPS; g++)
            if (hs_equal_nocase(word, length, groups[g].group) && code_in(groups[g].codes, code))
                return true;
    }
    return false;
}

static bool is_known(const char *word, const hs_names *codes)
{
    size_t length = strlen(word);
    for (size_t g = 0; g < GROUPS; g++)
        if (hs_equal_nocase(word, length, groups[g].group) || code_in(groups[g].codes, word))
            return true;
    for (uint32_t c = 0; c < codes->count; c++)
        if (hs_equal_nocase(word, length, hs_names_get(codes, c)))
            return true;
    return false;
}

static int check_words(const hs_list *words, const hs_names *codes, hsel_error *error)
{
    const char *names[GROUPS];
    for (size_t g = 0; g < GROUPS; g++)
        names[g] = groups[g].group;
    for (size_t i = 0; i < words->count; i++) {
        if (is_known(words->items[i], codes))
            continue;
        int nearest = hs_nearest(words->items[i], names, GROUPS);
        if (nearest >= 0)
            return hs_fail(error, HSEL_EUSAGE, "unknown evidence code '%s'; did you mean %s?",
                           words->items[i], names[nearest]);
        return hs_fail(error, HSEL_EUSAGE,
                       "unknown evidence code '%s'; codes are such as IDA or IEA, groups are "
                       "experimental, high-throughput, phylogenetic, computational, author, "
                       "curator and electronic",
                       words->items[i]);
    }
    return HSEL_OK;
}

int hs_evidence_select(const hs_list *keep, const hs_list *leave, const hs_names *codes,
                       bool *wanted, hsel_error *error)
{
    HS_TRY(check_words(keep, codes, error));
    HS_TRY(check_words(leave, codes, error));
    for (uint32_t c = 0; c < codes->count; c++) {
        const char *code = hs_names_get(codes, c);
        wanted[c] = (!keep->count || list_has(keep, code)) && !list_has(leave, code);
    }
    return HSEL_OK;
}
