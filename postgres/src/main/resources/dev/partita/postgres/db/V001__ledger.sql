-- The ledger's tables. Internal: read through the views that V002 makes.
--
-- ${schema} is the ledger's schema. Nothing here creates a role or grants a right.

CREATE SCHEMA IF NOT EXISTS ${schema};

-- One row: which ledger this is. A restored copy is given a new incarnation.
CREATE TABLE ${schema}.ledger (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  incarnation uuid NOT NULL DEFAULT gen_random_uuid(),
  created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
INSERT INTO ${schema}.ledger DEFAULT VALUES;

-- One row, written and committed by every new writing connection before it answers anything: the
-- commit proves that this server may still acknowledge.
CREATE TABLE ${schema}.barrier (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  passed bigint NOT NULL DEFAULT 0
);
INSERT INTO ${schema}.barrier DEFAULT VALUES;

-- One value per committing transaction, taken after its locks are held, so that it rises along
-- every account's versions.
CREATE SEQUENCE ${schema}.batch AS bigint;

CREATE TABLE ${schema}.asset (
  code text COLLATE "C" PRIMARY KEY CHECK (code ~ '^[A-Z][A-Z0-9_]{0,15}$'),
  scale smallint NOT NULL CHECK (scale BETWEEN 0 AND 30)
);

CREATE TABLE ${schema}.account (
  opened_at timestamptz NOT NULL,
  closed_at timestamptz,
  last_change bigint NOT NULL DEFAULT 0,
  no integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  code integer NOT NULL CHECK (code BETWEEN 0 AND 65535),
  normal smallint NOT NULL CHECK (normal IN (0, 1)), -- 0 DEBIT, 1 CREDIT
  id text COLLATE "C" NOT NULL UNIQUE
    CHECK (id ~ '^[A-Za-z0-9._-]+(:[A-Za-z0-9._-]+)*$' AND length(id) <= 128),
  asset text COLLATE "C" NOT NULL REFERENCES ${schema}.asset (code),
  min_balance numeric(39, 0),
  max_balance numeric(39, 0),
  metadata jsonb,
  -- NaN is greater than every number, so the upper bound refuses it.
  CHECK (min_balance BETWEEN -170141183460469231731687303715884105727
                         AND 170141183460469231731687303715884105727),
  CHECK (max_balance BETWEEN -170141183460469231731687303715884105727
                         AND 170141183460469231731687303715884105727),
  CHECK (min_balance <= max_balance),
  CHECK (isfinite(opened_at) AND isfinite(closed_at))
);

CREATE TABLE ${schema}.account_change (
  number bigint NOT NULL CHECK (number > 0),
  recorded_at timestamptz NOT NULL CHECK (isfinite(recorded_at)),
  after_version bigint NOT NULL CHECK (after_version >= 0),
  account_no integer NOT NULL REFERENCES ${schema}.account (no),
  was_closed boolean NOT NULL,
  closed boolean NOT NULL,
  actor text,
  old_min_balance numeric(39, 0),
  old_max_balance numeric(39, 0),
  min_balance numeric(39, 0),
  max_balance numeric(39, 0),
  old_metadata jsonb,
  metadata jsonb,
  CHECK (old_min_balance BETWEEN -170141183460469231731687303715884105727
                             AND 170141183460469231731687303715884105727
     AND old_max_balance BETWEEN -170141183460469231731687303715884105727
                             AND 170141183460469231731687303715884105727
     AND min_balance BETWEEN -170141183460469231731687303715884105727
                         AND 170141183460469231731687303715884105727
     AND max_balance BETWEEN -170141183460469231731687303715884105727
                         AND 170141183460469231731687303715884105727),
  PRIMARY KEY (account_no, number)
);

-- One row per transfer, never changed. A null counter, code, released amount or metadata is zero or
-- empty: it costs nothing. Fixed-width columns that are always there come first.
CREATE TABLE ${schema}.transfer (
  batch bigint NOT NULL,
  recorded_at timestamptz NOT NULL,
  debit_version bigint NOT NULL,
  credit_version bigint NOT NULL,
  debit_no integer NOT NULL,
  credit_no integer NOT NULL,
  batch_index smallint NOT NULL, -- place among the records of its batch
  kind smallint NOT NULL,        -- 0 DIRECT, 1 PENDING, 2 POST, 3 VOID, 4 EXPIRY, 5 REVERSAL
  flags smallint NOT NULL,       -- what the request named: 1 asset, 2 debit, 4 credit, 8 amount,
                                 -- 16 code, 32 reference; 64 keepRemainder; 128 last of its hold or
                                 -- original; 256 up to the debit side's room, 512 the credit side's
  id uuid NOT NULL,
  amount numeric(39, 0) NOT NULL,
  debit_debits_posted numeric(39, 0),
  debit_credits_posted numeric(39, 0),
  debit_debits_pending numeric(39, 0),
  debit_credits_pending numeric(39, 0),
  credit_debits_posted numeric(39, 0),
  credit_credits_posted numeric(39, 0),
  credit_debits_pending numeric(39, 0),
  credit_credits_pending numeric(39, 0),
  related_id uuid,
  group_id uuid,
  group_index integer,
  group_size integer,
  code integer,
  timeout_seconds integer,
  effective_at timestamptz,
  released numeric(39, 0),
  maximum numeric(39, 0),        -- the amount asked for, where upTo made it a maximum
  reference text COLLATE "C", -- or its index would depend on the C library's version
  metadata jsonb,
  CHECK (debit_no <> credit_no),
  CHECK (kind BETWEEN 0 AND 5),
  CHECK (amount BETWEEN 0 AND 170141183460469231731687303715884105727
     AND debit_debits_posted BETWEEN 0 AND 170141183460469231731687303715884105727
     AND debit_credits_posted BETWEEN 0 AND 170141183460469231731687303715884105727
     AND debit_debits_pending BETWEEN 0 AND 170141183460469231731687303715884105727
     AND debit_credits_pending BETWEEN 0 AND 170141183460469231731687303715884105727
     AND credit_debits_posted BETWEEN 0 AND 170141183460469231731687303715884105727
     AND credit_credits_posted BETWEEN 0 AND 170141183460469231731687303715884105727
     AND credit_debits_pending BETWEEN 0 AND 170141183460469231731687303715884105727
     AND credit_credits_pending BETWEEN 0 AND 170141183460469231731687303715884105727
     AND released BETWEEN 0 AND 170141183460469231731687303715884105727
     AND maximum BETWEEN 0 AND 170141183460469231731687303715884105727),
  CHECK (isfinite(recorded_at) AND isfinite(effective_at)),
  PRIMARY KEY (id)
);

-- A lost update becomes an error; and the way to an account's newest record and to its statement.
CREATE UNIQUE INDEX transfer_debit ON ${schema}.transfer (debit_no, debit_version);
CREATE UNIQUE INDEX transfer_credit ON ${schema}.transfer (credit_no, credit_version);
CREATE INDEX transfer_related ON ${schema}.transfer (related_id) WHERE related_id IS NOT NULL;
CREATE UNIQUE INDEX transfer_group ON ${schema}.transfer (group_id, group_index)
  WHERE group_id IS NOT NULL;
CREATE INDEX transfer_reference ON ${schema}.transfer (reference, batch, batch_index)
  WHERE reference IS NOT NULL;
CREATE INDEX transfer_debit_effective ON ${schema}.transfer (debit_no, effective_at)
  WHERE effective_at IS NOT NULL;
CREATE INDEX transfer_credit_effective ON ${schema}.transfer (credit_no, effective_at)
  WHERE effective_at IS NOT NULL;
CREATE INDEX transfer_batch ON ${schema}.transfer
  USING brin (batch) WITH (pages_per_range = 16, autosummarize = on);
CREATE INDEX transfer_recorded ON ${schema}.transfer
  USING brin (recorded_at) WITH (pages_per_range = 16, autosummarize = on);

-- The open holds only. What is still held of each; the record itself is in transfer.
CREATE TABLE ${schema}.hold (
  batch bigint NOT NULL,
  deadline timestamptz CHECK (isfinite(deadline)),
  debit_no integer NOT NULL,
  credit_no integer NOT NULL,
  batch_index smallint NOT NULL,
  id uuid NOT NULL,
  remaining numeric(39, 0) NOT NULL
    CHECK (remaining BETWEEN 0 AND 170141183460469231731687303715884105727),
  PRIMARY KEY (id)
);
CREATE UNIQUE INDEX hold_recorded ON ${schema}.hold (batch, batch_index);
CREATE INDEX hold_due ON ${schema}.hold (deadline, batch, batch_index) WHERE deadline IS NOT NULL;
CREATE INDEX hold_debit ON ${schema}.hold (debit_no, batch, batch_index);
CREATE INDEX hold_credit ON ${schema}.hold (credit_no, batch, batch_index);

-- Row counts that must hold are asserted where they are made: a wrong one ends the transaction.
CREATE FUNCTION ${schema}.expect_rows(touched bigint, expected bigint) RETURNS void
  LANGUAGE plpgsql AS $$
BEGIN
  IF touched IS DISTINCT FROM expected THEN
    RAISE EXCEPTION 'expected to touch % rows, touched %', expected, touched
      USING ERRCODE = 'data_corrupted';
  END IF;
END
$$;

-- Records are for ever, whoever asks.
CREATE FUNCTION ${schema}.refuse_change() RETURNS trigger
  LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% on %.% is refused: what a ledger recorded is never changed or removed',
    TG_OP, TG_TABLE_SCHEMA, TG_TABLE_NAME
    USING ERRCODE = 'restrict_violation',
          HINT = 'Reverse a transfer with a REVERSAL; change an account through the ledger.';
END
$$;

CREATE TRIGGER immutable BEFORE UPDATE OR DELETE OR TRUNCATE ON ${schema}.transfer
  FOR EACH STATEMENT EXECUTE FUNCTION ${schema}.refuse_change();
CREATE TRIGGER immutable BEFORE UPDATE OR DELETE OR TRUNCATE ON ${schema}.account_change
  FOR EACH STATEMENT EXECUTE FUNCTION ${schema}.refuse_change();
CREATE TRIGGER immutable BEFORE UPDATE OR DELETE OR TRUNCATE ON ${schema}.asset
  FOR EACH STATEMENT EXECUTE FUNCTION ${schema}.refuse_change();
CREATE TRIGGER permanent BEFORE DELETE OR TRUNCATE ON ${schema}.account
  FOR EACH STATEMENT EXECUTE FUNCTION ${schema}.refuse_change();
CREATE TRIGGER permanent BEFORE TRUNCATE ON ${schema}.hold
  FOR EACH STATEMENT EXECUTE FUNCTION ${schema}.refuse_change();
CREATE TRIGGER permanent BEFORE DELETE OR TRUNCATE ON ${schema}.barrier
  FOR EACH STATEMENT EXECUTE FUNCTION ${schema}.refuse_change();
CREATE TRIGGER permanent BEFORE DELETE OR TRUNCATE ON ${schema}.ledger
  FOR EACH STATEMENT EXECUTE FUNCTION ${schema}.refuse_change();
-- Of an account only what its owner may change; UPDATE OF fires by column name, so compare rows.
CREATE TRIGGER immutable BEFORE UPDATE ON ${schema}.account
  FOR EACH ROW
  WHEN ((OLD.no, OLD.id, OLD.asset, OLD.normal, OLD.code, OLD.opened_at)
        IS DISTINCT FROM (NEW.no, NEW.id, NEW.asset, NEW.normal, NEW.code, NEW.opened_at))
  EXECUTE FUNCTION ${schema}.refuse_change();

-- An account's terms change only as the next entry of its log says, which is made before.
CREATE FUNCTION ${schema}.require_logged_change() RETURNS trigger
  LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (
    SELECT FROM ${schema}.account_change c
    WHERE c.account_no = NEW.no AND c.number = NEW.last_change AND c.number = OLD.last_change + 1
      AND (c.old_min_balance, c.old_max_balance, c.old_metadata, c.was_closed)
          IS NOT DISTINCT FROM
          (OLD.min_balance, OLD.max_balance, OLD.metadata, OLD.closed_at IS NOT NULL)
      AND (c.min_balance, c.max_balance, c.metadata,
           CASE WHEN c.closed THEN coalesce(OLD.closed_at, c.recorded_at) END)
          IS NOT DISTINCT FROM
          (NEW.min_balance, NEW.max_balance, NEW.metadata, NEW.closed_at))
  THEN
    RAISE EXCEPTION 'UPDATE on %.% is refused: no entry of the change log says so',
      TG_TABLE_SCHEMA, TG_TABLE_NAME
      USING ERRCODE = 'restrict_violation', HINT = 'Change an account through the ledger.';
  END IF;
  RETURN NEW;
END
$$;

CREATE TRIGGER logged BEFORE UPDATE ON ${schema}.account
  FOR EACH ROW
  WHEN ((OLD.min_balance, OLD.max_balance, OLD.metadata, OLD.closed_at, OLD.last_change)
        IS DISTINCT FROM
        (NEW.min_balance, NEW.max_balance, NEW.metadata, NEW.closed_at, NEW.last_change))
  EXECUTE FUNCTION ${schema}.require_logged_change();
