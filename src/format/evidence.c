/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The groups follow the Gene Ontology's guide to evidence codes; "experimental" includes the codes
 * of high-throughput experiments, which also are a group of their own.
 */
#include "format/evidence.h"

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

static bool code_in(const char *codes, const char *code, size_t length)
{
    for (const char *word = codes; *word;) {
        size_t word_length = strcspn(word, " ");
        if (word_length == length) {
            size_t same = 0;
            while (same < length && (code[same] & ~0x20) == word[same])
                same++;
            if (same == length)
                return true;
        }
        word += word_length + 1;
    }
    return false;
}

/* Does a word of the user's (a code or a group) stand for this code? */
static bool stands_for(const char *word, const char *code, size_t length)
{
    if (hs_equal_nocase(code, length, word))
        return true;
    for (size_t g = 0; g < GROUPS; g++)
        if (hs_equal_nocase(word, strlen(word), groups[g].group))
            return code_in(groups[g].codes, code, length);
    return false;
}

static bool is_known(const char *word, const hs_names *codes)
{
    size_t length = strlen(word);
    for (size_t g = 0; g < GROUPS; g++)
        if (hs_equal_nocase(word, length, groups[g].group) ||
            code_in(groups[g].codes, word, length))
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

static bool list_has(const hs_list *words, const char *code, size_t length)
{
    for (size_t i = 0; i < words->count; i++)
        if (stands_for(words->items[i], code, length))
            return true;
    return false;
}

int hs_evidence_select(const hs_list *keep, const hs_list *leave, const hs_names *codes,
                       bool *wanted, hsel_error *error)
{
    int status = check_words(keep, codes, error);
    if (!status)
        status = check_words(leave, codes, error);
    for (uint32_t c = 0; !status && c < codes->count; c++) {
        const char *code = hs_names_get(codes, c);
        size_t length = hs_names_length(codes, c);
        wanted[c] =
            (!keep->count || list_has(keep, code, length)) && !list_has(leave, code, length);
    }
    return status;
}
