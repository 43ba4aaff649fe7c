-- SPDX-License-Identifier: GPL-3.0-or-later
-- Second version: rankings.
-- A ranking without scores failed.
CREATE TABLE ranking(id INTEGER PRIMARY KEY, dataset INTEGER NOT NULL REFERENCES dataset(id),  ranker INTEGER NOT NULL REFERENCES text(id), message TEXT, scores BLOB, UNIQUE(dataset, ranker));
CREATE VIEW rankings AS SELECT fingerprint, t.text AS ranker, scores IS NOT NULL AS ok, message  FROM ranking r JOIN dataset d ON d.id = r.dataset JOIN text t ON t.id = r.ranker;
