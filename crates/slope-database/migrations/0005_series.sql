-- What lists of series need, so that they do not count all points.
CREATE TABLE series (
    project TEXT NOT NULL REFERENCES projects (name) ON DELETE CASCADE,
    series TEXT NOT NULL,
    points BIGINT NOT NULL,
    first_ms BIGINT NOT NULL,
    last_ms BIGINT NOT NULL,
    received_ms BIGINT NOT NULL,
    -- Rises with each change of the series' points.
    revision BIGINT NOT NULL,
    PRIMARY KEY (project, series)
);
CREATE INDEX series_by_time ON series (last_ms);
INSERT INTO series (project, series, points, first_ms, last_ms, received_ms, revision)
    SELECT project, series, COUNT(*), MIN(time_ms), MAX(time_ms), MAX(received_ms), MAX(received_ms)
    FROM points GROUP BY project, series;
