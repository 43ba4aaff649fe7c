-- SPDX-License-Identifier: GPL-3.0-or-later
-- Third version.
-- Scores; checksums; a fold file is known by its content.
ALTER TABLE job ADD COLUMN score BLOB;
ALTER TABLE study ADD COLUMN scheme TEXT;
ALTER TABLE text ADD COLUMN sum INTEGER;
ALTER TABLE dataset ADD COLUMN sum INTEGER;
ALTER TABLE name ADD COLUMN sum INTEGER;
ALTER TABLE fold_file ADD COLUMN sum INTEGER;
ALTER TABLE unit ADD COLUMN sum INTEGER;
ALTER TABLE job ADD COLUMN sum INTEGER;
ALTER TABLE ranking ADD COLUMN sum INTEGER;
ALTER TABLE study ADD COLUMN sum INTEGER;
