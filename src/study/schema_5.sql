-- SPDX-License-Identifier: GPL-3.0-or-later
-- Fifth version: in how many instances of each class a feature is positive, packed, feature by feature.
CREATE TABLE support(dataset INTEGER PRIMARY KEY REFERENCES dataset(id), counts BLOB NOT NULL, sum INTEGER);
