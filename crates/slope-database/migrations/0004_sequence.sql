-- Commits of one second come in the order of their history.
ALTER TABLE points ADD COLUMN sequence BIGINT NOT NULL DEFAULT 0;
DROP INDEX points_in_order;
CREATE INDEX points_in_order ON points (project, series, iteration, time_ms, sequence, point_key);
