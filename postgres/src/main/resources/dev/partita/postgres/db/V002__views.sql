-- What SQL users read, and what the ledger's own reading calls.

-- How far this schema was migrated. Every migration replaces it.
CREATE FUNCTION ${schema}.schema_version(
  OUT version integer,        -- number of the last migration
  OUT understood_by integer)  -- the oldest Partita, by the last migration it knows, that can run on it
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT 2, 2 $$;

-- The version of an account as recorded at an instant, inclusive: that of its last record then, 0
-- before the first. Versions have no gaps and recorded_at never decreases along them, so this is a
-- binary search over two unique indexes: about 30 probes for a billion records.
CREATE FUNCTION ${schema}.version_at(account_no integer, last_version bigint, at timestamptz)
  RETURNS bigint
  LANGUAGE plpgsql STABLE PARALLEL SAFE
  -- A plan made while the table was small would go on reading all of it.
  SET enable_seqscan = off SET plan_cache_mode = force_generic_plan
  AS $$
DECLARE
  known bigint := 0;            -- recorded by then
  unknown bigint;               -- recorded later, or not at all
  probe bigint := last_version; -- the newest first: most questions are about today
  probed_at timestamptz;
BEGIN
  IF last_version IS NULL OR account_no IS NULL OR at IS NULL THEN
    RETURN 0;
  END IF;
  unknown := last_version + 1;
  WHILE unknown - known > 1 LOOP
    SELECT r.recorded_at INTO probed_at FROM (
      SELECT t.recorded_at FROM ${schema}.transfer t
        WHERE t.debit_no = account_no AND t.debit_version = probe
      UNION ALL
      SELECT t.recorded_at FROM ${schema}.transfer t
        WHERE t.credit_no = account_no AND t.credit_version = probe) r;
    IF NOT FOUND THEN
      RAISE EXCEPTION 'account number % has no record of version %, but % records',
        account_no, probe, last_version USING ERRCODE = 'data_corrupted';
    END IF;
    IF probed_at <= at THEN
      known := probe;
    ELSE
      unknown := probe;
    END IF;
    probe := known + (unknown - known) / 2;
  END LOOP;
  RETURN known;
END
$$;

-- An instant of the database's clock since which nobody has the account locked for writing: what is
-- recorded on it later, as seen by a later snapshot, is recorded at or after that instant, since a
-- writer reads the clock while it holds the lock. Null if that cannot be known.
--
-- Why it holds. The clock is read first. Then, in a later snapshot, comes the row's xmax: the last
-- transaction that locked or changed the row. If that has ended, so have all that held the lock
-- before it; whoever takes the lock from now on reads a later clock. What the ended ones recorded is
-- in every snapshot taken after this call, so the caller must read in a statement of its own.
--
-- When it cannot be known: xmax may be a multixact number (someone else holds FOR KEY SHARE), which
-- has its own numbering; all of those are below the next one, so a number at or above that is a
-- transaction. A standby sees locks late and has another clock. An isolation level with one snapshot
-- for all statements would be older than the clock reading.
CREATE FUNCTION ${schema}.quiet_since(account text) RETURNS timestamptz
  LANGUAGE plpgsql VOLATILE PARALLEL RESTRICTED
  SET enable_seqscan = off SET plan_cache_mode = force_generic_plan
  AS $$
DECLARE
  since timestamptz := pg_catalog.clock_timestamp();
  locker bigint;
  may_be_multixact boolean;
  next_transaction bigint;
  distance bigint;
BEGIN
  IF pg_catalog.current_setting('transaction_isolation') <> 'read committed'
     OR pg_catalog.pg_is_in_recovery() THEN
    RETURN NULL;
  END IF;
  SELECT a.xmax::text::bigint, pg_catalog.mxid_age(a.xmax) > 0
    INTO locker, may_be_multixact
    FROM ${schema}.account a WHERE a.id = account;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  IF locker = 0 THEN
    RETURN since;
  END IF;
  IF may_be_multixact THEN
    RETURN NULL;
  END IF;
  -- The full number is the one with these low 32 bits that is nearest to the next transaction's.
  next_transaction :=
    pg_catalog.pg_snapshot_xmax(pg_catalog.pg_current_snapshot())::text::bigint;
  distance := (locker - next_transaction) & 4294967295;
  IF distance >= 2147483648 THEN
    distance := distance - 4294967296;
  END IF;
  locker := next_transaction + distance;
  -- Not pg_current_snapshot's list, which leaves subtransactions out.
  IF locker > 2 AND pg_catalog.pg_xact_status(locker::text::xid8) IN ('committed', 'aborted') THEN
    RETURN since;
  END IF;
  RETURN NULL;
END
$$;
