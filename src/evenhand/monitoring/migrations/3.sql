-- Cases that golden propose takes from recorded decisions: see docs/golden.md.

-- A draw among people of one model: `drawn` of `size`, each with the same probability. `groups` is a JSON list of their
-- combinations of groups.
CREATE TABLE golden_strata (
    id BIGINT PRIMARY KEY,
    model TEXT NOT NULL REFERENCES models (name),
    groups TEXT NOT NULL,
    size BIGINT NOT NULL,
    drawn BIGINT NOT NULL,
    proposed TEXT NOT NULL
);

-- All who took part in a draw, so that each does once: the id is the one that a case of theirs has, a keyed hash.
CREATE TABLE golden_frame (
    id TEXT PRIMARY KEY,
    stratum BIGINT NOT NULL REFERENCES golden_strata (id)
);

-- `stratum` is of those drawn at random. `unit` is the keyed hash of the recorded unit, `day` the one of the decision.
-- From `keep_until` on the text counts as forgotten.
ALTER TABLE golden_cases ADD COLUMN stratum BIGINT REFERENCES golden_strata (id);
ALTER TABLE golden_cases ADD COLUMN unit BYTEA;
ALTER TABLE golden_cases ADD COLUMN day TEXT;
ALTER TABLE golden_cases ADD COLUMN keep_until TEXT;
