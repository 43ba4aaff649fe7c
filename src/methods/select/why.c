/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Why features are kept or dropped, in words.
 */
#include "select/select.h"

const hs_rule_words hs_rule_table[HS_RULES] = {
#define HS_RULE(name, key, kept, sentence) [HS_RULE_##name] = {key, sentence, kept},
#include "select/rules.def"
#undef HS_RULE
};

void hs_verdict_text(const hs_verdict *verdict, const hsel_dataset *data, hs_buf *out)
{
    char label[HS_LABEL_ROOM];
    for (const char *at = hs_rule_table[verdict->rule].sentence; *at;) {
        size_t plain = strcspn(at, "{");
        hs_buf_add(out, at, plain);
        at += plain;
        if (!*at)
            break;
        if (at[1] == 'b')
            hs_buf_printf(out, "%s%s", hsel_dataset_feature_name(data, verdict->by),
                          hs_label_after(&data->about, verdict->by, label));
        else
            hs_buf_printf(out, "%.4g", at[1] == 's' ? verdict->score : verdict->other);
        at = strchr(at, '}') + 1;
    }
}

void hs_json_verdict(hs_json *json, const hs_verdict *verdict, const hsel_dataset *data)
{
    hs_json_put(json, "{feature:%s", hsel_dataset_feature_name(data, verdict->feature));
    hs_label_json(json, &data->about, verdict->feature);
    hs_json_put(json, "kept:%d rule:%s by:%s score:%g other:%g}", verdict->kept,
                hs_rule_table[verdict->rule].key, hsel_dataset_feature_name(data, verdict->by),
                verdict->score, verdict->other);
}
