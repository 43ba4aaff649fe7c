-- SPDX-License-Identifier: GPL-3.0-or-later
-- What is damaged in a store: a statement per table, in an order in which a row that is removed takes
-- with it what refers to it. Each gives a line for people and the key of the row. A row is `whole` if
-- its checksum is that of its columns, and `tied` if what it refers to is there.

SELECT line || ': its checksum is wrong', id
FROM (SELECT id, 'the text ' || quote(text) AS line, sum IS checksum(id, text) AS whole FROM text NOT INDEXED)
WHERE NOT whole;

SELECT line || ': its checksum is wrong', id
FROM (SELECT id,
    'data set ' || ifnull((SELECT n.name FROM uses n WHERE n.dataset = dataset.id), '?') AS line,
    sum IS checksum(id, fingerprint, instances, features, classes, positive_class, class_names,
        feature_names, class_of, positives, edges, depth, target, numbers, identifiers, support,
        hierarchy) AS whole
    FROM dataset NOT INDEXED)
WHERE NOT whole;

SELECT line || CASE WHEN whole THEN ': what it refers to is missing' ELSE ': its checksum is wrong' END,
    dataset, scheme
FROM (SELECT dataset, scheme,
    'data set ' || ifnull((SELECT n.name FROM uses n WHERE n.dataset = fold_file.dataset), '?')
        || ', folds of ' || quote(scheme) AS line,
    sum IS checksum(dataset, scheme, folds, hash, design) AS whole,
    EXISTS(SELECT 1 FROM dataset d WHERE d.id = fold_file.dataset) AS tied
    FROM fold_file NOT INDEXED)
WHERE NOT whole OR NOT tied;

SELECT line || CASE WHEN whole THEN ': what it refers to is missing' ELSE ': its checksum is wrong' END, id
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
        AND EXISTS(SELECT 1 FROM dataset d WHERE d.id = unit.dataset) AS tied
    FROM unit NOT INDEXED)
WHERE NOT whole OR NOT tied;

SELECT line || CASE WHEN whole THEN ': what it refers to is missing' ELSE ': its checksum is wrong' END,
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
        AND EXISTS(SELECT 1 FROM unit u WHERE u.id = job.unit) AS tied
    FROM job NOT INDEXED)
WHERE NOT whole OR NOT tied;

SELECT line || ': its checksum is wrong', id
FROM (SELECT id, 'the study ' || quote(name) AS line,
    sum IS checksum(id, name, text, contents, version, run) AS whole FROM study NOT INDEXED)
WHERE NOT whole;

SELECT line || CASE WHEN whole THEN ': what it refers to is missing' ELSE ': its checksum is wrong' END,
    study, name
FROM (SELECT study, name, 'the name ' || quote(name) AS line,
    sum IS checksum(study, name, place, run, dataset, message) AS whole,
    (study = 0 OR EXISTS(SELECT 1 FROM study s WHERE s.id = uses.study))
        AND (dataset IS NULL OR EXISTS(SELECT 1 FROM dataset d WHERE d.id = uses.dataset)) AS tied
    FROM uses NOT INDEXED)
WHERE NOT whole OR NOT tied;

SELECT line || CASE WHEN whole THEN ': what it refers to is missing' ELSE ': its checksum is wrong' END, dataset
FROM (SELECT dataset,
    'data set ' || ifnull((SELECT n.name FROM uses n WHERE n.dataset = about.dataset), '?')
        || ', labels' AS line,
    sum IS checksum(dataset, columns, texts, provenance) AS whole,
    EXISTS(SELECT 1 FROM dataset d WHERE d.id = about.dataset) AS tied
    FROM about NOT INDEXED)
WHERE NOT whole OR NOT tied;
