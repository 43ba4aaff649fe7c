/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Evidence codes of annotations and their groups.
 *
 * The groups follow the Gene Ontology's guide to evidence codes; "experimental" includes the codes
 * of high-throughput experiments, which are also a separate group.
 */
#include <strings.h>

#include "build/assemble.h"

static const char *const groups[] = {"experimental",  "high-throughput", "phylogenetic",
                                     "computational", "author",          "curator",
                                     "electronic"};
/* Of each group, with a blank after each. */
static const char *const group_codes[] = {"EXP IDA IPI IMP IGI IEP HTP HDA HMP HGI HEP ",
                                          "HTP HDA HMP HGI HEP ",
                                          "IBA IBD IKR IRD ",
                                          "ISS ISO ISA ISM IGC RCA ",
                                          "TAS NAS ",
                                          "IC ND ",
                                          "IEA "};
enum { GROUPS = sizeof groups / sizeof *groups };

static bool group_has(size_t group, const char *code)
{
    for (const char *word = group_codes[group]; *word; word += strcspn(word, " ") + 1)
        if (hs_equal_nocase(word, strcspn(word, " "), code))
            return true;
    return false;
}

/* Whether a word of the list (a code or a group) matches this code. */
static bool list_has(const hs_list *words, const char *code)
{
    bool has = false;
    for (size_t i = 0; i < words->count; i++) {
        has |= strcasecmp(words->items[i], code) == 0;
        for (size_t g = 0; g < GROUPS; g++)
            has |= strcasecmp(words->items[i], groups[g]) == 0 && group_has(g, code);
    }
    return has;
}

static int check_words(const hs_list *words, const hs_names *codes, hsel_error *error)
{
    for (size_t i = 0; i < words->count; i++) {
        const char *word = words->items[i];
        bool known = false;
        for (size_t g = 0; g < GROUPS && !known; g++)
            known = strcasecmp(word, groups[g]) == 0 || group_has(g, word);
        for (uint32_t c = 0; c < codes->count && !known; c++)
            known = strcasecmp(word, hs_names_get(codes, c)) == 0;
        int nearest = hs_nearest(word, groups, GROUPS);
        if (!known && nearest >= 0)
            return hs_fail(error, HSEL_EUSAGE, "unknown evidence code '%s'; did you mean %s?", word,
                           groups[nearest]);
        if (!known)
            return hs_fail(error, HSEL_EUSAGE,
                           "unknown evidence code '%s'; codes are such as IDA or IEA, groups are "
                           "experimental, high-throughput, phylogenetic, computational, author, "
                           "curator and electronic",
                           word);
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
