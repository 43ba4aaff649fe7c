-- SPDX-License-Identifier: GPL-3.0-or-later
-- Sixth version. Of a data set: name and values of a numeric target; of its hierarchy, packed, the number of parents of each
-- feature, the parents, and the instances that have the feature. Of a unit: what a lazy selector chose for each of some instances.
CREATE TABLE more(dataset INTEGER PRIMARY KEY REFERENCES dataset(id), target TEXT, numbers BLOB, hierarchy BLOB, sum INTEGER);
CREATE TABLE probed(unit INTEGER PRIMARY KEY REFERENCES unit(id), sets BLOB NOT NULL, sum INTEGER);
