-- The tables of the lab's contender "naive": 10,000 accounts, account 0 is the hot one.
DROP TABLE IF EXISTS account, entry;
CREATE TABLE account (no int PRIMARY KEY, balance bigint NOT NULL);
CREATE TABLE entry (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  transfer uuid NOT NULL, account int NOT NULL, amount bigint NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp());
CREATE INDEX ON entry (account, id);
INSERT INTO account SELECT i, 1000000000 FROM generate_series(0, 9999) i;
VACUUM ANALYZE account;
CHECKPOINT;
