-- SPDX-License-Identifier: GPL-3.0-or-later
-- Gives every row the checksum of what it holds.
UPDATE text SET sum = checksum(id, text);
UPDATE dataset SET sum = checksum(id, fingerprint, instances, features, classes, positive_class,
    class_names, feature_names, class_of, positives, edges, depth);
UPDATE name SET sum = checksum(name, dataset);
UPDATE fold_file SET sum = checksum(dataset, scheme, folds, hash);
UPDATE unit SET sum = checksum(id, dataset, selector, scheme, folds, seed, fold, seconds, tested,
    instances, selected, frequency);
UPDATE job SET sum = checksum(unit, classifier, ok, seconds, message, probability, score);
UPDATE ranking SET sum = checksum(id, dataset, ranker, message, scores);
UPDATE study SET sum = checksum(id, name, text, scheme);
UPDATE about SET sum = checksum(dataset, columns, texts, provenance);
UPDATE support SET sum = checksum(dataset, counts);
UPDATE more SET sum = checksum(dataset, target, numbers, hierarchy);
UPDATE probed SET sum = checksum(unit, sets);
