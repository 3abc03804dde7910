-- Types that SQLite and PostgreSQL share: TEXT, BIGINT. Times are milliseconds since 1970.
CREATE TABLE projects (
    name TEXT NOT NULL PRIMARY KEY,
    title TEXT NOT NULL,
    created_ms BIGINT NOT NULL
);

-- A token is kept as a hash, so that a copy of the database lets nobody in.
CREATE TABLE tokens (
    id TEXT NOT NULL PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE,
    scope TEXT NOT NULL,
    -- NULL for all projects.
    project TEXT REFERENCES projects (name) ON DELETE CASCADE,
    label TEXT NOT NULL,
    created_ms BIGINT NOT NULL,
    revoked_ms BIGINT
);

CREATE TABLE points (
    project TEXT NOT NULL REFERENCES projects (name) ON DELETE CASCADE,
    series TEXT NOT NULL,
    point_key TEXT NOT NULL,
    -- -1 for points without an iteration, which come first.
    iteration BIGINT NOT NULL,
    time_ms BIGINT NOT NULL,
    received_ms BIGINT NOT NULL,
    digest TEXT NOT NULL,
    -- What lists and charts need, so that they do not read whole points.
    summary TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (project, series, point_key)
);
CREATE INDEX points_in_order ON points (project, series, iteration, time_ms, point_key);
CREATE INDEX points_by_time ON points (project, time_ms);

-- Answers to requests that may be sent again.
CREATE TABLE repeats (
    owner TEXT NOT NULL,
    repeat_key TEXT NOT NULL,
    request TEXT NOT NULL,
    status BIGINT NOT NULL,
    answer TEXT NOT NULL,
    created_ms BIGINT NOT NULL,
    PRIMARY KEY (owner, repeat_key)
);
