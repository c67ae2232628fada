-- What people did about an alarm, as a JSON list: who, when, and to whom it was assigned or until when it is muted.

ALTER TABLE alarms ADD COLUMN actions TEXT;
