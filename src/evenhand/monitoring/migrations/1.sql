-- One text for SQLite and PostgreSQL. Days and times are UTC, as ISO 8601 texts, which sort as they follow each other.
-- What is a JSON text has its keys sorted and no spaces.

CREATE TABLE settings (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
);

CREATE TABLE models (
    name TEXT PRIMARY KEY,
    since TEXT NOT NULL
);

-- The group that others are compared with: the largest of an attribute, which stays once there are enough judgements.
CREATE TABLE reference_groups (
    model TEXT NOT NULL REFERENCES models (name),
    attribute TEXT NOT NULL,
    reference TEXT NOT NULL,
    settled BIGINT NOT NULL,
    PRIMARY KEY (model, attribute)
);

-- What was recorded together, once: its name is the content's, unless one was given. So many judgements were dropped
-- by the recorder of a service before it.
CREATE TABLE batches (
    model TEXT NOT NULL REFERENCES models (name),
    name TEXT NOT NULL,
    content TEXT NOT NULL,
    fingerprint TEXT,
    recorded TEXT NOT NULL,
    n BIGINT NOT NULL,
    dropped BIGINT NOT NULL,
    first_day TEXT NOT NULL,
    last_day TEXT NOT NULL,
    PRIMARY KEY (model, name)
);

-- Whose judgements are counted together. '' is not known; the columns of --by and the groups are JSON.
CREATE TABLE cells (
    id BIGINT PRIMARY KEY,
    model TEXT NOT NULL REFERENCES models (name),
    position TEXT NOT NULL,
    stage TEXT NOT NULL,
    decided_by TEXT NOT NULL,
    breakdown TEXT NOT NULL,
    groups TEXT NOT NULL,
    UNIQUE (model, position, stage, decided_by, breakdown, groups)
);

-- Counts of a cell on a day, of n judgements: selected, of those decided; failed, and undetected, of those of which
-- that is known; agreed, of those compared with a label. Scores and seconds are counted by value, as codes
-- (see counts.py); scores_true and scores_false are those whose label is known. The keys are sums of the secret keys of
-- those selected and of those decided on, which say how far published counts deviate (see disclosure.py).
CREATE TABLE counts (
    cell BIGINT NOT NULL REFERENCES cells (id),
    day TEXT NOT NULL,
    n BIGINT NOT NULL,
    selected BIGINT NOT NULL,
    decided BIGINT NOT NULL,
    failed BIGINT NOT NULL,
    failure_known BIGINT NOT NULL,
    undetected BIGINT NOT NULL,
    detection_known BIGINT NOT NULL,
    agreed BIGINT NOT NULL,
    compared BIGINT NOT NULL,
    selected_key BIGINT NOT NULL,
    decided_key BIGINT NOT NULL,
    scores BYTEA NOT NULL,
    scores_true BYTEA NOT NULL,
    scores_false BYTEA NOT NULL,
    seconds BYTEA NOT NULL,
    PRIMARY KEY (cell, day)
);
CREATE INDEX counts_by_day ON counts (day);

-- Single decisions, only where a column of units was given: `unit` is a keyed hash of the unit, `decision` one of the
-- unit, position, stage and who decided.
CREATE TABLE decisions (
    decision BYTEA NOT NULL,
    day TEXT NOT NULL,
    unit BYTEA NOT NULL,
    cell BIGINT NOT NULL REFERENCES cells (id),
    score BIGINT,
    selected BIGINT,
    label BIGINT,
    PRIMARY KEY (decision, day)
);
CREATE INDEX decisions_by_unit ON decisions (unit);

-- Labels that replaced none or another.
CREATE TABLE labels (
    decision BYTEA NOT NULL,
    day TEXT NOT NULL,
    recorded TEXT NOT NULL,
    label BIGINT NOT NULL,
    replaced BIGINT,
    FOREIGN KEY (decision, day) REFERENCES decisions (decision, day)
);

CREATE TABLE series (
    id BIGINT PRIMARY KEY,
    model TEXT NOT NULL REFERENCES models (name),
    measure TEXT NOT NULL,
    slice TEXT NOT NULL,
    UNIQUE (model, measure, slice)
);

-- The measures of each day, from counts, or as something else measured them.
CREATE TABLE daily_values (
    series BIGINT NOT NULL REFERENCES series (id),
    day TEXT NOT NULL,
    value DOUBLE PRECISION,
    standard_error DOUBLE PRECISION,
    n BIGINT NOT NULL,
    reason TEXT,
    PRIMARY KEY (series, day)
);

CREATE TABLE runs (
    id TEXT PRIMARY KEY,
    model TEXT NOT NULL,
    kind TEXT NOT NULL,
    title TEXT NOT NULL,
    created TEXT NOT NULL,
    recorded TEXT NOT NULL,
    folder TEXT NOT NULL
);

CREATE TABLE findings (
    run TEXT NOT NULL REFERENCES runs (id),
    name TEXT NOT NULL,
    measure TEXT NOT NULL,
    finding TEXT NOT NULL,
    PRIMARY KEY (run, name)
);

CREATE TABLE alarms (
    id BIGINT PRIMARY KEY,
    rule TEXT NOT NULL,
    measure TEXT NOT NULL,
    model TEXT NOT NULL,
    slice TEXT NOT NULL,
    day TEXT NOT NULL,
    since TEXT,
    state TEXT NOT NULL,
    value DOUBLE PRECISION,
    threshold DOUBLE PRECISION,
    severity TEXT NOT NULL,
    acknowledged_by TEXT,
    note TEXT,
    changed TEXT NOT NULL,
    UNIQUE (rule, measure, model, slice, day)
);

-- Append-only: `entry` is the JSON that `digest` is the SHA-256 of; it names the digest before it.
CREATE TABLE log (
    number BIGINT PRIMARY KEY,
    entry TEXT NOT NULL,
    digest TEXT NOT NULL
);
