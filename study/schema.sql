-- SPDX-License-Identifier: GPL-3.0-or-later
-- The schema of a store. SQLite keeps the text of each statement, and a store is refused whose texts differ: a change needs a
-- new HS_STORE_SCHEMA. Every row ends with the checksum of its other columns.
-- Name and values of a numeric target; sorted hashes of the identifiers of instances; packed, in how many instances of each class
-- a feature is positive, feature by feature; of the hierarchy, packed, the number of parents of each feature, the parents, and
-- the instances that have the feature.
CREATE TABLE dataset(id INTEGER PRIMARY KEY, fingerprint TEXT NOT NULL UNIQUE, instances INTEGER NOT NULL, features INTEGER NOT NULL, classes INTEGER NOT NULL, positive_class INTEGER NOT NULL, class_names BLOB, feature_names BLOB, class_of BLOB, positives INTEGER, edges INTEGER, depth INTEGER, target TEXT, numbers BLOB, identifiers BLOB, support BLOB, hierarchy BLOB, sum INTEGER);
-- The data sets of a study under its names, in its order. `run`: the run of the study that looked at the data last; `message`:
-- why the last run has nothing of it.
CREATE TABLE uses(study INTEGER NOT NULL, name TEXT NOT NULL, place INTEGER NOT NULL, run INTEGER NOT NULL, dataset INTEGER REFERENCES dataset(id), message TEXT, sum INTEGER, PRIMARY KEY(study, name)) WITHOUT ROWID;
-- Of fold files, and of folds by groups, times or a test set, which depend on the data: how many there are, a hash of them, and
-- how they were made, for people.
CREATE TABLE fold_file(dataset INTEGER NOT NULL REFERENCES dataset(id), scheme TEXT NOT NULL, folds INTEGER NOT NULL, hash TEXT NOT NULL, design TEXT, sum INTEGER, PRIMARY KEY(dataset, scheme)) WITHOUT ROWID;
CREATE TABLE text(id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE, sum INTEGER);
-- `sets`: what a lazy selector chose for each of some instances. Without selector and scheme (''): of the whole data set.
CREATE TABLE unit(id INTEGER PRIMARY KEY, dataset INTEGER NOT NULL REFERENCES dataset(id), selector INTEGER NOT NULL REFERENCES text(id), scheme INTEGER NOT NULL REFERENCES text(id), folds INTEGER NOT NULL, seed INTEGER NOT NULL, fold INTEGER NOT NULL, seconds REAL, tested INTEGER, instances BLOB, selected BLOB, frequency BLOB, sets BLOB, sum INTEGER, UNIQUE(dataset, selector, scheme, folds, seed, fold));
-- ok: 1, 0 failed, 2 left out, as the methods do not fit the data. Of a unit of the whole data set, `classifier` is a ranker or
-- a simulation, and `probability` its numbers. `chosen` by an automatic choice: which pair, selector by selector, from 1. `version` of hsel, `time` in seconds since 1970.
CREATE TABLE job(unit INTEGER NOT NULL REFERENCES unit(id), classifier INTEGER NOT NULL REFERENCES text(id), ok INTEGER NOT NULL, seconds REAL, message TEXT, chosen INTEGER, probability BLOB, score BLOB, version TEXT NOT NULL, time INTEGER NOT NULL, sum INTEGER, PRIMARY KEY(unit, classifier)) WITHOUT ROWID;
-- `contents` of the files that it names; `version` of hsel that ran it last, and which run of the store that was.
CREATE TABLE study(id INTEGER PRIMARY KEY, name TEXT NOT NULL, text TEXT NOT NULL, contents TEXT, version TEXT NOT NULL, run INTEGER NOT NULL, sum INTEGER, UNIQUE(name, text));
-- What is known of the features of a data set, for people, and what it was made of. `texts`: the names of the columns, then the
-- cells of each feature, each ended by NUL.
CREATE TABLE about(dataset INTEGER PRIMARY KEY REFERENCES dataset(id), columns INTEGER NOT NULL, texts BLOB, provenance TEXT, sum INTEGER);
-- For people who look at the file with other tools.
CREATE VIEW jobs AS SELECT fingerprint, s.text AS selector, c.text AS classifier, h.text AS scheme, folds, seed, fold, ok, message, chosen, version, time, u.seconds AS select_seconds, j.seconds AS classify_seconds FROM job j JOIN unit u ON u.id = j.unit JOIN dataset d ON d.id = u.dataset JOIN text s ON s.id = u.selector JOIN text c ON c.id = j.classifier JOIN text h ON h.id = u.scheme WHERE s.text <> '';
CREATE VIEW rankings AS SELECT fingerprint, c.text AS ranker, ok, message, version, time FROM job j JOIN unit u ON u.id = j.unit JOIN dataset d ON d.id = u.dataset JOIN text s ON s.id = u.selector JOIN text c ON c.id = j.classifier WHERE s.text = '';
