-- Cases that people label, to hold models against: see docs/golden.md. What is forgotten leaves its row in golden_texts.

CREATE TABLE golden_texts (
    id BIGINT PRIMARY KEY,
    text TEXT NOT NULL,
    known_names TEXT NOT NULL
);

-- A position as JSON; the same one is kept once.
CREATE TABLE golden_positions (
    id BIGINT PRIMARY KEY,
    content TEXT NOT NULL UNIQUE
);

-- A résumé for a position. `groups` is JSON; cases that differ in the group alone have the same `twin`; `reason` says why
-- the case was chosen; without a text it was forgotten.
CREATE TABLE golden_cases (
    id TEXT PRIMARY KEY,
    text BIGINT REFERENCES golden_texts (id),
    position BIGINT NOT NULL REFERENCES golden_positions (id),
    groups TEXT NOT NULL,
    twin TEXT,
    reason TEXT NOT NULL,
    added TEXT NOT NULL
);

-- Labels are numbers of the scale that the settings hold, from 0.
CREATE TABLE golden_labels (
    case_id TEXT NOT NULL REFERENCES golden_cases (id),
    labeller TEXT NOT NULL,
    label BIGINT NOT NULL,
    labelled TEXT NOT NULL,
    PRIMARY KEY (case_id, labeller)
);

CREATE TABLE golden_adjudications (
    case_id TEXT PRIMARY KEY REFERENCES golden_cases (id),
    adjudicator TEXT NOT NULL,
    label BIGINT NOT NULL,
    adjudicated TEXT NOT NULL
);

-- `digest` is the SHA-256 of the cases of a version and their labels.
CREATE TABLE golden_versions (
    number BIGINT PRIMARY KEY,
    closed TEXT NOT NULL,
    closed_by TEXT NOT NULL,
    digest TEXT NOT NULL
);

CREATE TABLE golden_members (
    version BIGINT NOT NULL REFERENCES golden_versions (number),
    case_id TEXT NOT NULL REFERENCES golden_cases (id),
    label BIGINT NOT NULL,
    PRIMARY KEY (version, case_id)
);

-- What a scorer gave the cases of a version; above the cut-off is yes. A run that goes on keeps when it started.
CREATE TABLE golden_runs (
    id BIGINT PRIMARY KEY,
    model TEXT NOT NULL REFERENCES models (name),
    scorer TEXT NOT NULL,
    version BIGINT NOT NULL REFERENCES golden_versions (number),
    cutoff DOUBLE PRECISION NOT NULL,
    started TEXT NOT NULL,
    recorded TEXT NOT NULL,
    UNIQUE (model, scorer, version, started)
);

CREATE TABLE golden_scores (
    run BIGINT NOT NULL REFERENCES golden_runs (id),
    case_id TEXT NOT NULL REFERENCES golden_cases (id),
    score DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (run, case_id)
);
