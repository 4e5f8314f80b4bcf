-- The change feed: openings and changes of accounts get their place in the order of recording.
--
-- A batch number as transfers have it, from the same sequence. A program of an earlier version,
-- which does not know the columns, goes on writing: the default gives its rows their numbers, after
-- its locks are taken as ours are.
--
-- What is there already: openings come first, all in batch 0, by number. A change comes right after
-- the transfer after which it took effect, so in that one's batch, or in batch 0 after the openings
-- if there was none. That is not the order in which different accounts were changed, which nobody
-- knows any more, but it is the order along every account.

ALTER TABLE ${schema}.account ADD COLUMN batch bigint NOT NULL DEFAULT 0;
ALTER TABLE ${schema}.account ALTER COLUMN batch SET DEFAULT nextval('${schema}.batch');
ALTER TABLE ${schema}.account_change ADD COLUMN batch bigint NOT NULL DEFAULT 0;
ALTER TABLE ${schema}.account_change
  ALTER COLUMN batch SET DEFAULT nextval('${schema}.batch');

ALTER TABLE ${schema}.account_change DISABLE TRIGGER immutable;
UPDATE ${schema}.account_change c
SET batch = coalesce(
  (SELECT t.batch FROM ${schema}.transfer t
   WHERE t.debit_no = c.account_no AND t.debit_version = c.after_version),
  (SELECT t.batch FROM ${schema}.transfer t
   WHERE t.credit_no = c.account_no AND t.credit_version = c.after_version),
  0)
WHERE c.after_version > 0;
ALTER TABLE ${schema}.account_change ENABLE TRIGGER immutable;

-- The order of the feed, to be read as it is. Both tables are small beside transfer, which gets
-- nothing new: its batches are found as before.
CREATE INDEX account_feed ON ${schema}.account (batch, no);
CREATE INDEX account_change_feed ON ${schema}.account_change (batch, account_no, number);

DROP TRIGGER immutable ON ${schema}.account;
CREATE TRIGGER immutable BEFORE UPDATE ON ${schema}.account
  FOR EACH ROW
  WHEN ((OLD.no, OLD.id, OLD.asset, OLD.normal, OLD.code, OLD.opened_at, OLD.batch)
        IS DISTINCT FROM
        (NEW.no, NEW.id, NEW.asset, NEW.normal, NEW.code, NEW.opened_at, NEW.batch))
  EXECUTE FUNCTION ${schema}.refuse_change();

COMMENT ON COLUMN ${schema}.account.batch IS
  'The transaction that opened it; 0 if it was opened before there was a change feed.';
COMMENT ON COLUMN ${schema}.account_change.batch IS
  'The transaction that made the change; the one of the transfer before it if it was made before there was a change feed.';

-- A Partita of version 2 can still run on it.
CREATE OR REPLACE FUNCTION ${schema}.schema_version(
  OUT version integer, OUT understood_by integer)
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT 5, 2 $$;
