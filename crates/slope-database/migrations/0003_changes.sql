-- Changes, for example pull requests, as the gate judges them.
CREATE TABLE changes (
    project TEXT NOT NULL REFERENCES projects (name) ON DELETE CASCADE,
    change_key TEXT NOT NULL,
    -- 1 if it passes, otherwise 0.
    passes BIGINT NOT NULL,
    changed_ms BIGINT NOT NULL,
    digest TEXT NOT NULL,
    -- What lists need.
    summary TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (project, change_key)
);
CREATE INDEX changes_by_time ON changes (changed_ms);
