-- SPDX-License-Identifier: GPL-3.0-or-later
-- What is damaged in a store: a statement per table, in an order in which a row that is removed takes
-- with it what refers to it. Each gives a line for people and the key of the row. A row is `whole` if
-- its checksum is that of its columns, and `sound` if what it refers to is there and numbers are in
-- range. Only data sets that are whole and sound themselves say what is in range.

SELECT line || CASE WHEN whole THEN ': its values are invalid' ELSE ': its checksum is wrong' END, id
FROM (SELECT id, 'the text ' || quote(text) AS line, sum IS checksum(id, text) AS whole, 1 AS sound
    FROM text NOT INDEXED)
WHERE NOT whole OR NOT sound;

SELECT line || CASE WHEN whole THEN ': its values are invalid' ELSE ': its checksum is wrong' END, id
FROM (SELECT id,
    'data set ' || ifnull((SELECT n.name FROM uses n WHERE n.dataset = dataset.id), '?') AS line,
    sum IS checksum(id, fingerprint, instances, features, classes, positive_class, class_names,
        feature_names, class_of, positives, edges, depth, target, numbers, identifiers, support,
        hierarchy) AS whole,
    instances BETWEEN 0 AND 1073741824
        AND ifnull(length(class_of), 4 * instances) = 4 * instances
        AND ifnull(length(numbers), 8 * instances) = 8 * instances
        AND classes BETWEEN 0 AND ifnull(length(class_names), 0)
        AND features BETWEEN 0 AND ifnull(length(feature_names), 0) AS sound
    FROM dataset NOT INDEXED)
WHERE NOT whole OR NOT sound;

SELECT line || CASE WHEN whole THEN ': its values are invalid' ELSE ': its checksum is wrong' END,
    dataset, scheme
FROM (SELECT dataset, scheme,
    'data set ' || ifnull((SELECT n.name FROM uses n WHERE n.dataset = fold_file.dataset), '?')
        || ', folds of ' || quote(scheme) AS line,
    sum IS checksum(dataset, scheme, folds, hash) AS whole,
    EXISTS(SELECT 1 FROM dataset d WHERE d.id = fold_file.dataset) AS sound
    FROM fold_file NOT INDEXED)
WHERE NOT whole OR NOT sound;

-- Each instance is tested in one fold of a repeat.
SELECT line || CASE WHEN whole THEN ': its values are invalid' ELSE ': its checksum is wrong' END, id
FROM (SELECT id,
    'data set ' || ifnull((SELECT n.name FROM uses n WHERE n.dataset = unit.dataset), '?')
        || ifnull((SELECT CASE t.text WHEN '' THEN ', all of it'
            ELSE ', selector ' || t.text || ', seed ' || seed || ', fold ' || (fold + 1) END
            FROM text t WHERE t.id = unit.selector),
            ', selector ?, seed ' || seed || ', fold ' || (fold + 1)) AS line,
    sum IS checksum(id, dataset, selector, scheme, folds, seed, fold, seconds, tested, instances,
        selected, frequency, sets) AS whole,
    EXISTS(SELECT 1 FROM text t WHERE t.id = unit.selector)
        AND EXISTS(SELECT 1 FROM text t WHERE t.id = unit.scheme)
        AND (dataset, selector, scheme, folds, seed) NOT IN (
            SELECT dataset, selector, scheme, folds, seed FROM unit WHERE instances IS NOT NULL
            GROUP BY dataset, selector, scheme, folds, seed HAVING tested_twice(tested, instances))
        AND ifnull((SELECT CASE WHEN d.id IN (
            SELECT id FROM dataset WHERE sum IS checksum(id, fingerprint, instances, features, classes,
                positive_class, class_names, feature_names, class_of, positives, edges, depth, target,
                numbers, identifiers, support, hierarchy)
                AND instances BETWEEN 0 AND 1073741824
                AND ifnull(length(class_of), 4 * instances) = 4 * instances
                AND classes BETWEEN 0 AND ifnull(length(class_names), 0)
                AND features BETWEEN 0 AND ifnull(length(feature_names), 0))
            THEN sound_unit(d.instances, d.features, unit.tested, unit.instances, unit.selected,
                unit.frequency) ELSE 1 END FROM dataset d WHERE d.id = unit.dataset), 0) AS sound
    FROM unit NOT INDEXED)
WHERE NOT whole OR NOT sound;

SELECT line || CASE WHEN whole THEN ': its values are invalid' ELSE ': its checksum is wrong' END,
    unit, classifier
FROM (SELECT unit, classifier,
    ifnull((SELECT 'data set ' || ifnull((SELECT n.name FROM uses n WHERE n.dataset = u.dataset), '?')
        || CASE t.text WHEN '' THEN ', ranker '
            ELSE ', selector ' || ifnull(t.text, '?') || ', seed ' || u.seed
                || ', fold ' || (u.fold + 1) || ', classifier ' END
        FROM unit u LEFT JOIN text t ON t.id = u.selector WHERE u.id = job.unit),
        'unit ' || job.unit || ', classifier ')
        || ifnull((SELECT t.text FROM text t WHERE t.id = job.classifier), '?') AS line,
    sum IS checksum(unit, classifier, ok, seconds, message, chosen, probability, score, version,
        time) AS whole,
    EXISTS(SELECT 1 FROM text t WHERE t.id = job.classifier)
        AND ifnull((SELECT ifnull((SELECT CASE WHEN d.id NOT IN (
            SELECT id FROM dataset WHERE sum IS checksum(id, fingerprint, instances, features, classes,
                positive_class, class_names, feature_names, class_of, positives, edges, depth, target,
                numbers, identifiers, support, hierarchy)
                AND instances BETWEEN 0 AND 1073741824
                AND ifnull(length(class_of), 4 * instances) = 4 * instances
                AND classes BETWEEN 0 AND ifnull(length(class_names), 0)
                AND features BETWEEN 0 AND ifnull(length(feature_names), 0)) THEN 1
            WHEN u.selector IN (SELECT id FROM text WHERE text = '')
            THEN (ok = 1) = (probability IS NOT NULL)
                AND (ifnull(length(job.probability), 8 * d.features) = 8 * d.features
                    OR (ok = 1 AND length(job.probability) % 24 = 0 AND EXISTS(SELECT 1 FROM text t
                        WHERE t.id = job.classifier AND t.text GLOB 'simulate:*')))
            ELSE sound_job(d.classes, u.tested, job.ok, job.probability, job.score)
            END FROM dataset d WHERE d.id = u.dataset), 0)
            FROM unit u WHERE u.id = job.unit), 0) AS sound
    FROM job NOT INDEXED)
WHERE NOT whole OR NOT sound;

SELECT line || CASE WHEN whole THEN ': its values are invalid' ELSE ': its checksum is wrong' END, id
FROM (SELECT id, 'the study ' || quote(name) AS line, sum IS checksum(id, name, text, contents, version, run) AS whole,
    1 AS sound FROM study NOT INDEXED)
WHERE NOT whole OR NOT sound;

SELECT line || CASE WHEN whole THEN ': its values are invalid' ELSE ': its checksum is wrong' END, study, name
FROM (SELECT study, name, 'the name ' || quote(name) AS line,
    sum IS checksum(study, name, place, run, dataset, message) AS whole,
    (study = 0 OR EXISTS(SELECT 1 FROM study s WHERE s.id = uses.study))
        AND (dataset IS NULL OR EXISTS(SELECT 1 FROM dataset d WHERE d.id = uses.dataset)) AS sound
    FROM uses NOT INDEXED)
WHERE NOT whole OR NOT sound;

SELECT line || CASE WHEN whole THEN ': its values are invalid' ELSE ': its checksum is wrong' END, dataset
FROM (SELECT dataset,
    'data set ' || ifnull((SELECT n.name FROM uses n WHERE n.dataset = about.dataset), '?')
        || ', labels' AS line,
    sum IS checksum(dataset, columns, texts, provenance) AS whole,
    columns >= 0 AND ifnull((SELECT columns <= ifnull(length(about.texts), 0)
        AND columns * (d.features + 1) <= ifnull(length(about.texts), 0)
        FROM dataset d WHERE d.id = about.dataset), 0) AS sound
    FROM about NOT INDEXED)
WHERE NOT whole OR NOT sound;
