-- SPDX-License-Identifier: GPL-3.0-or-later
-- Until schema 4 the linear svm was libsvm's: its results get the text by which that machine is known
-- now, so that they are not taken for those of another. Texts are canonical: an option that has its
-- default is not in them, and a kernel comes first. Inside ga they are as they were given. Rows with a
-- wrong checksum stay as they are.

UPDATE text SET text = 'svm:solver=libsvm' || replace(substr(text, 4), ':', ','),
    sum = checksum(id, 'svm:solver=libsvm' || replace(substr(text, 4), ':', ','))
WHERE sum IS checksum(id, text) AND (text = 'svm' OR text LIKE 'svm:%') AND text NOT LIKE 'svm:kernel=%';

UPDATE text SET text = replace(replace(text, 'classifier=svm:', 'classifier=svm;'), 'classifier=svm',
        'classifier=svm:solver=libsvm'),
    sum = checksum(id, replace(replace(text, 'classifier=svm:', 'classifier=svm;'), 'classifier=svm',
        'classifier=svm:solver=libsvm'))
WHERE sum IS checksum(id, text) AND text LIKE 'ga:%classifier=svm%' AND text NOT LIKE '%kernel=p%'
    AND text NOT LIKE '%kernel=r%';
