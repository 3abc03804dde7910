-- Watches: daily benchmarks of an assistant.
CREATE TABLE watches (
    project TEXT NOT NULL REFERENCES projects (name) ON DELETE CASCADE,
    watch TEXT NOT NULL,
    -- What its monitors need.
    settings TEXT NOT NULL,
    -- When settings or days last came.
    heard_ms BIGINT NOT NULL,
    -- Another text after each change of the settings or the days.
    revision TEXT NOT NULL,
    -- What lists need, and the revision that it is of. Empty until it is made.
    card TEXT NOT NULL,
    card_of TEXT NOT NULL,
    PRIMARY KEY (project, watch)
);
CREATE INDEX watches_by_time ON watches (heard_ms);

-- The results of a day, which never change.
CREATE TABLE watch_days (
    project TEXT NOT NULL,
    watch TEXT NOT NULL,
    date TEXT NOT NULL,
    digest TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (project, watch, date),
    FOREIGN KEY (project, watch) REFERENCES watches (project, watch) ON DELETE CASCADE
);

-- Notes of people on alarms.
CREATE TABLE watch_notes (
    project TEXT NOT NULL,
    watch TEXT NOT NULL,
    alarm TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (project, watch, alarm),
    FOREIGN KEY (project, watch) REFERENCES watches (project, watch) ON DELETE CASCADE
);
