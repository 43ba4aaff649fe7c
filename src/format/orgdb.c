/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Annotations of one organism as Bioconductor's packages org.*.eg.db hold them: go_bp, go_cc and
 * go_mf have one row a gene, term and evidence code, and refer to genes (Entrez identifier) and
 * gene_info (symbol). The tables go_*_all, which are propagated already, are not used. NOT
 * annotations are not in these databases.
 */
#include <string.h>

#include "format/bioconductor.h"
#include "format/format.h"

static const char kind[] = "an org.*.eg.db database";

/* LEFT JOIN: a gene that is missing shows, and the order is that of the annotation table. */
static const char *const by_id[] = {
    "SELECT g.gene_id, a.go_id, a.evidence FROM go_bp a LEFT JOIN genes g ON g._id = a._id",
    "SELECT g.gene_id, a.go_id, a.evidence FROM go_cc a LEFT JOIN genes g ON g._id = a._id",
    "SELECT g.gene_id, a.go_id, a.evidence FROM go_mf a LEFT JOIN genes g ON g._id = a._id"};
static const char *const by_symbol[] = {
    "SELECT g.symbol, a.go_id, a.evidence FROM go_bp a LEFT JOIN gene_info g ON g._id = a._id",
    "SELECT g.symbol, a.go_id, a.evidence FROM go_cc a LEFT JOIN gene_info g ON g._id = a._id",
    "SELECT g.symbol, a.go_id, a.evidence FROM go_mf a LEFT JOIN gene_info g ON g._id = a._id"};
static const char *const tables[] = {"go_bp", "go_cc", "go_mf"};

static int add_row(hs_sqlite *source, const char *table, hs_annotations *out, hsel_error *error)
{
    const char *text[3];
    size_t length[3];
    for (int column = 0; column < 3; column++) {
        int status = hs_sqlite_text(source, column, &text[column], &length[column], error);
        if (status)
            return status;
    }
    if (!length[0])
        return hs_fail_at(error, HSEL_EFORMAT, source->name, 0,
                          "table %s has an annotation of a gene that is not in the gene table",
                          table);
    if (!length[1])
        return hs_fail_at(error, HSEL_EFORMAT, source->name, 0,
                          "table %s has an annotation without go_id", table);
    return hs_annotations_add(out, text[0], length[0], text[1], length[1], text[2], length[2],
                              false, 0, error);
}

static int read_table(hs_sqlite *source, const char *table, const char *sql, bool wanted,
                      hs_annotations *out, hsel_error *error)
{
    int got = 0, status = hs_sqlite_need_table(source, table, kind, error);
    if (!status)
        status = hs_sqlite_query(source, sql, error);
    while (!status && (got = hs_sqlite_step(source, error)) > 0) {
        if (wanted)
            status = add_row(source, table, out, error);
        else
            out->other_taxon++;
    }
    return status ? status : got;
}

/* The database holds one species; an option for others leaves nothing of it. */
static int check_taxon(hs_sqlite *source, const hs_annotation_options *options, bool *wanted,
                       hsel_error *error)
{
    const char *taxon;
    size_t length;
    *wanted = true;
    if (!options || !options->taxon.count)
        return HSEL_OK;
    int status = hs_sqlite_need_table(source, "metadata", kind, error);
    if (!status)
        status = hs_sqlite_query(source, "SELECT value FROM metadata WHERE name = 'TAXID'", error);
    int got = status ? status : hs_sqlite_step(source, error);
    if (got > 0) {
        status = hs_sqlite_text(source, 0, &taxon, &length, error);
        if (!status)
            *wanted = hs_annotation_taxon_wanted(options, taxon, length);
    }
    return got < 0 ? got : status;
}

static int read_orgdb(hs_reader *reader, const hs_annotation_options *options, hs_annotations *out,
                      hsel_error *error)
{
    bool symbols = options && options->object_key == HS_OBJECT_SYMBOL, wanted = true;
    hs_sqlite source = {0};
    int status = hs_sqlite_open(reader, &source, error);
    if (!status)
        status = hs_sqlite_need_table(&source, symbols ? "gene_info" : "genes", kind, error);
    if (!status)
        status = check_taxon(&source, options, &wanted, error);
    for (size_t i = 0; !status && i < 3; i++)
        status =
            read_table(&source, tables[i], (symbols ? by_symbol : by_id)[i], wanted, out, error);
    hs_sqlite_close(&source);
    return status;
}

static const hs_format format = {.endings = "sqlite db sqlite3",
                                 .sniff = hs_sqlite_sniff,
                                 .read_annotations = read_orgdb,
                                 .needs_path = true};

const hs_method hs_method_orgdb = {
    .kind = HS_FORMAT,
    .name = "org.db",
    .title = "Bioconductor org.*.eg.db database",
    .help = "GO annotations of one organism, with evidence codes, from the SQLite file inside a "
            "Bioconductor package such as org.Hs.eg.db (Debian: r-bioc-org.hs.eg.db); R is not "
            "needed. Genes go by their Entrez identifier or by their symbol.",
    .citation = "Carlson M, org.Hs.eg.db, Bioconductor; schema HUMAN_DB 2.1",
    .format = &format};
