/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Names of terms as IRIs, the same way for reading and writing RDF.
 *
 * A name that is an IRI (http://…, GO:0008150, urn:…) stands as it is. Any other name is
 * <urn:hsel:NAME> with percent escapes, and is read back as NAME. Relative IRIs stay as they are
 * written: they are resolved against HS_RDF_BASE, which is taken off again.
 */
#ifndef HS_FORMAT_RDF_H
#define HS_FORMAT_RDF_H

#include <stddef.h>

#define HS_RDF_PLAIN "urn:hsel:"
#define HS_RDF_BASE  "hsel-base:///"

#define HS_RDF_NS  "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
#define HS_RDFS_NS "http://www.w3.org/2000/01/rdf-schema#"
#define HS_OWL_NS  "http://www.w3.org/2002/07/owl#"
#define HS_SKOS_NS "http://www.w3.org/2004/02/skos/core#"

/* N-Triples count as Turtle, which they are a part of. */
typedef enum hs_rdf_syntax { HS_RDF_NONE, HS_RDF_TURTLE, HS_RDF_XML } hs_rdf_syntax;

/* The syntax that the first bytes show; HS_RDF_NONE: no sign of RDF. */
hs_rdf_syntax hs_rdf_syntax_of(const char *head, size_t length);

#endif
