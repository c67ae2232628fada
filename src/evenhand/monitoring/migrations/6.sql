-- The day on which an alarm was over, by the data: a check may come much later.

ALTER TABLE alarms ADD COLUMN ended TEXT;
