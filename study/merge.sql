-- SPDX-License-Identifier: GPL-3.0-or-later
-- What another store has finished and this one (main) has not: the rows of `other`, numbered on from
-- ours and with their checksums. `taken` is how many jobs come, without those of rankers.

INSERT OR IGNORE INTO main.dataset
SELECT *, checksum(id, fingerprint, instances, features, classes, positive_class, class_names,
    feature_names, class_of, positives, edges, depth, target, numbers, identifiers, support, hierarchy)
FROM (SELECT (SELECT ifnull(max(id), 0) FROM main.dataset) + row_number() OVER (ORDER BY o.id) AS id,
    fingerprint, instances, features, classes, positive_class, class_names, feature_names, class_of,
    positives, edges, depth, target, numbers, identifiers, support, hierarchy FROM other.dataset o);

INSERT OR IGNORE INTO main.text
SELECT *, checksum(id, text)
FROM (SELECT (SELECT ifnull(max(id), 0) FROM main.text) + row_number() OVER (ORDER BY o.id) AS id,
    text FROM other.text o);

-- Which of theirs is which of mine. Data sets are the same when their content is.
CREATE TEMP TABLE same_set(theirs INTEGER PRIMARY KEY, mine INTEGER NOT NULL);
INSERT INTO same_set SELECT o.id, m.id FROM other.dataset o JOIN main.dataset m USING (fingerprint);
CREATE TEMP TABLE same_text(theirs INTEGER PRIMARY KEY, mine INTEGER NOT NULL);
INSERT INTO same_text SELECT o.id, m.id FROM other.text o JOIN main.text m USING (text);

INSERT OR IGNORE INTO main.about
SELECT *, checksum(dataset, columns, texts, provenance)
FROM (SELECT d.mine AS dataset, o.columns AS columns, o.texts AS texts, o.provenance AS provenance
    FROM other.about o JOIN same_set d ON d.theirs = o.dataset);

INSERT OR IGNORE INTO main.fold_file
SELECT *, checksum(dataset, scheme, folds, hash, design)
FROM (SELECT d.mine AS dataset, o.scheme AS scheme, o.folds AS folds, o.hash AS hash,
        o.design AS design
    FROM other.fold_file o JOIN same_set d ON d.theirs = o.dataset);

-- Studies are the same when their text is; those that are new here ran after ours.
INSERT OR IGNORE INTO main.study
SELECT *, checksum(id, name, text, contents, version, run)
FROM (SELECT (SELECT ifnull(max(id), 0) FROM main.study) + row_number() OVER (ORDER BY o.id) AS id,
    name, text, contents, version, (SELECT ifnull(max(run), 0) FROM main.study) + o.run AS run
    FROM other.study o);
CREATE TEMP TABLE same_study(theirs INTEGER PRIMARY KEY, mine INTEGER NOT NULL);
INSERT INTO same_study
SELECT o.id, m.id FROM other.study o JOIN main.study m ON m.name = o.name AND m.text = o.text
UNION ALL SELECT 0, 0;
INSERT OR IGNORE INTO main.uses
SELECT *, checksum(study, name, place, run, dataset, message)
FROM (SELECT s.mine AS study, o.name AS name, o.place AS place,
    ifnull((SELECT m.run FROM main.study m WHERE m.id = s.mine), 0) AS run, d.mine AS dataset,
    o.message AS message
    FROM other.uses o JOIN same_study s ON s.theirs = o.study LEFT JOIN same_set d ON d.theirs = o.dataset);
DROP TABLE same_study;

-- The same of units; `whole`: it is here already with all that they have.
CREATE TEMP TABLE same_unit(theirs INTEGER PRIMARY KEY, mine INTEGER NOT NULL, whole INTEGER);
INSERT INTO same_unit
SELECT o.id, ifnull(u.id, (SELECT ifnull(max(id), 0) FROM main.unit) + row_number() OVER (ORDER BY o.id)),
    u.instances IS NOT NULL AND (u.sets IS NOT NULL OR o.sets IS NULL)
FROM other.unit o JOIN same_set d ON d.theirs = o.dataset JOIN same_text s ON s.theirs = o.selector
    JOIN same_text h ON h.theirs = o.scheme
    LEFT JOIN main.unit u ON u.dataset = d.mine AND u.selector = s.mine AND u.scheme = h.mine
        AND u.folds = o.folds AND u.seed = o.seed AND u.fold = o.fold;

INSERT OR REPLACE INTO main.unit
SELECT *, checksum(id, dataset, selector, scheme, folds, seed, fold, seconds, tested, instances,
    selected, frequency, sets)
FROM (SELECT p.mine AS id, d.mine AS dataset, s.mine AS selector, h.mine AS scheme, o.folds AS folds,
    o.seed AS seed, o.fold AS fold, o.seconds AS seconds, o.tested AS tested, o.instances AS instances,
    o.selected AS selected, o.frequency AS frequency, o.sets AS sets
    FROM same_unit p JOIN other.unit o ON o.id = p.theirs JOIN same_set d ON d.theirs = o.dataset
    JOIN same_text s ON s.theirs = o.selector JOIN same_text h ON h.theirs = o.scheme
    WHERE NOT p.whole);

-- What failed makes way for what is finished.
CREATE INDEX temp.same_unit_mine ON same_unit(mine);
DELETE FROM main.job WHERE ok <> 1 AND EXISTS(
    SELECT 1 FROM same_unit p JOIN other.job o ON o.unit = p.theirs
    JOIN same_text c ON c.theirs = o.classifier
    WHERE p.mine = job.unit AND c.mine = job.classifier AND o.ok = 1);

CREATE TEMP TABLE taken AS SELECT count(*) AS jobs
FROM same_unit p JOIN other.job o ON o.unit = p.theirs JOIN same_text c ON c.theirs = o.classifier
    JOIN other.unit u ON u.id = o.unit
WHERE NOT EXISTS(SELECT 1 FROM main.job m WHERE m.unit = p.mine AND m.classifier = c.mine)
    AND (u.selector IN (SELECT id FROM other.text WHERE text <> '')
        OR o.classifier IN (SELECT id FROM other.text WHERE text GLOB 'simulate:*'));

INSERT OR IGNORE INTO main.job
SELECT *, checksum(unit, classifier, ok, seconds, message, chosen, probability, score, version, time)
FROM (SELECT p.mine AS unit, c.mine AS classifier, o.ok AS ok, o.seconds AS seconds,
    o.message AS message, o.chosen AS chosen, o.probability AS probability, o.score AS score,
    o.version AS version, o.time AS time
    FROM other.job o JOIN same_unit p ON p.theirs = o.unit
    JOIN same_text c ON c.theirs = o.classifier ORDER BY o.unit);

DROP TABLE same_set;
DROP TABLE same_text;
DROP TABLE same_unit;
