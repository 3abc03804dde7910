-- Runs of the benchmark.
CREATE TABLE runs (
    project TEXT NOT NULL REFERENCES projects (name) ON DELETE CASCADE,
    run TEXT NOT NULL,
    phase TEXT NOT NULL,
    -- What a visitor asks of the run: pause, resume or cancel. NULL for nothing.
    request TEXT,
    -- Number of processes that have worked on it: a request is for one of them.
    executions BIGINT NOT NULL,
    -- -1 if it is not known when the run began.
    started_ms BIGINT NOT NULL,
    changed_ms BIGINT NOT NULL,
    -- When the last report came, also one without a change.
    heard_ms BIGINT NOT NULL,
    digest TEXT NOT NULL,
    -- What lists and leaderboards need, so that they do not read whole reports.
    card TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (project, run)
);

-- The details of a checkpoint of a trial, without steps.
CREATE TABLE run_details (
    project TEXT NOT NULL,
    run TEXT NOT NULL,
    problem TEXT NOT NULL,
    trial BIGINT NOT NULL,
    checkpoint TEXT NOT NULL,
    digest TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (project, run, problem, trial, checkpoint),
    FOREIGN KEY (project, run) REFERENCES runs (project, run) ON DELETE CASCADE
);

CREATE TABLE run_steps (
    project TEXT NOT NULL,
    run TEXT NOT NULL,
    problem TEXT NOT NULL,
    trial BIGINT NOT NULL,
    checkpoint TEXT NOT NULL,
    -- Position of the step, from 0.
    place BIGINT NOT NULL,
    -- What the step does: message, call or prompt.
    kind TEXT NOT NULL,
    -- -1 if it is not known.
    took_ms BIGINT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (project, run, problem, trial, checkpoint, place),
    FOREIGN KEY (project, run) REFERENCES runs (project, run) ON DELETE CASCADE
);
