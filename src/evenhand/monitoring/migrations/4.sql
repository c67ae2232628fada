-- What an alarm of a standing disparity says, as JSON: the finding, with its counts and claim.

ALTER TABLE alarms ADD COLUMN finding TEXT;
