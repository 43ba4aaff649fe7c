-- SPDX-License-Identifier: GPL-3.0-or-later
-- The schema of a store, first version. A step never changes once it was released: SQLite keeps the
-- text of each statement, and a store is refused whose texts differ.
CREATE TABLE dataset(id INTEGER PRIMARY KEY, fingerprint TEXT NOT NULL UNIQUE, instances INTEGER NOT NULL,  features INTEGER NOT NULL, classes INTEGER NOT NULL, positive_class INTEGER NOT NULL, class_names BLOB,  feature_names BLOB, class_of BLOB, positives INTEGER, edges INTEGER, depth INTEGER);
CREATE TABLE name(name TEXT PRIMARY KEY, dataset INTEGER NOT NULL REFERENCES dataset(id)) WITHOUT ROWID;
CREATE TABLE fold_file(dataset INTEGER NOT NULL REFERENCES dataset(id), scheme TEXT NOT NULL,  folds INTEGER NOT NULL, hash TEXT NOT NULL, PRIMARY KEY(dataset, scheme)) WITHOUT ROWID;
CREATE TABLE text(id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);
CREATE TABLE unit(id INTEGER PRIMARY KEY, dataset INTEGER NOT NULL REFERENCES dataset(id),  selector INTEGER NOT NULL REFERENCES text(id), scheme INTEGER NOT NULL REFERENCES text(id),  folds INTEGER NOT NULL, seed INTEGER NOT NULL, fold INTEGER NOT NULL, seconds REAL, tested INTEGER,  instances BLOB, selected BLOB, frequency BLOB, UNIQUE(dataset, selector, scheme, folds, seed, fold));
CREATE TABLE job(unit INTEGER NOT NULL REFERENCES unit(id), classifier INTEGER NOT NULL REFERENCES text(id),  ok INTEGER NOT NULL, seconds REAL, message TEXT, probability BLOB, PRIMARY KEY(unit, classifier)) WITHOUT ROWID;
CREATE TABLE study(id INTEGER PRIMARY KEY, name TEXT NOT NULL, text TEXT NOT NULL, UNIQUE(name, text));
-- For people who look at the file with other tools.
CREATE VIEW jobs AS SELECT fingerprint, s.text AS selector, c.text AS classifier, h.text AS scheme, folds, seed, fold,  ok, message, u.seconds AS select_seconds, j.seconds AS classify_seconds FROM job j JOIN unit u ON u.id = j.unit  JOIN dataset d ON d.id = u.dataset JOIN text s ON s.id = u.selector JOIN text c ON c.id = j.classifier  JOIN text h ON h.id = u.scheme;
