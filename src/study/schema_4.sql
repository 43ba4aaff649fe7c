-- SPDX-License-Identifier: GPL-3.0-or-later
-- Fourth version: what is known of the features of a data set, for people, and what it was made of.
-- `texts`: the names of the columns, then the cells of each feature, each ended by NUL.
CREATE TABLE about(dataset INTEGER PRIMARY KEY REFERENCES dataset(id), columns INTEGER NOT NULL, texts BLOB, provenance TEXT, sum INTEGER);
