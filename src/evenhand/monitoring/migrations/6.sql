-- The day on which an alarm was over, by the data (a check may come much later), and the unit of time of its value.

ALTER TABLE alarms ADD COLUMN ended TEXT;
ALTER TABLE alarms ADD COLUMN unit TEXT;
