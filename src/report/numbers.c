/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How numbers look in a report.
 */
#include <math.h>

#include "report/sections.h"

const char *hs_percent(hs_document *doc, double share)
{
    return isnan(share) ? HS_NOTHING : hs_say(doc, "%.1f", 100 * share);
}

const char *hs_difference(hs_document *doc, double difference)
{
    double points = round(1000 * difference) / 10;
    if (points == 0)
        return "=";
    return hs_say(doc, "%s%.1f", points < 0 ? "−" : "+", fabs(points));
}

const char *hs_percent_exactly(hs_document *doc, double share)
{
    char digits[32];
    if (isnan(share))
        return "no value";
    hs_format_double(100 * share, digits);
    return hs_say(doc, "%s %%", digits);
}

const char *hs_milliseconds(hs_document *doc, double seconds)
{
    double ms = 1000 * seconds;
    if (isnan(seconds))
        return HS_NOTHING;
    return ms >= 99.95 ? hs_grouped(doc, (uint64_t)llround(ms))
                       : hs_say(doc, ms >= 0.9995 ? "%.1f" : "%.3f", ms);
}

const char *hs_p_value(hs_document *doc, double p, bool sentence)
{
    char text[32];
    return hs_say(doc, "%s", hs_p_text(p, sentence, text));
}

const char *hs_grouped(hs_document *doc, uint64_t number)
{
    char digits[32];
    hs_format_grouped(number, digits);
    return hs_say(doc, "%s", digits);
}

const char *hs_plural(hs_document *doc, uint64_t count, const char *one, const char *many)
{
    return hs_say(doc, "%s %s", hs_grouped(doc, count), count == 1 ? one : many);
}

void hs_chart_number(hs_writer *out, double number)
{
    if (isnan(number))
        hs_writer_char(out, '?');
    else
        hs_writer_double(out, number);
}
