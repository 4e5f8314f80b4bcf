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
  SET search_path = pg_catalog, pg_temp
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
  SET search_path = pg_catalog, pg_temp
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

-- The views. Amounts come twice: as decimals in major units, with exactly the asset's digits, for
-- people; and in minor units (cents), as stored, under names that end in _minor.

CREATE FUNCTION ${schema}.major_units(minor_units numeric, scale integer) RETURNS numeric
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  -- A product, since it is exact; a quotient would be rounded to some number of digits.
  RETURN round(minor_units * (10::numeric ^ (-scale))::numeric(31, 30), scale);

CREATE FUNCTION ${schema}.kind_name(kind integer) RETURNS text
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN (ARRAY['DIRECT', 'PENDING', 'POST', 'VOID', 'EXPIRY', 'REVERSAL'])[kind + 1];

CREATE VIEW ${schema}.accounts AS
  SELECT a.id, a.asset, CASE a.normal WHEN 1 THEN 'CREDIT' ELSE 'DEBIT' END AS normal, a.code,
         ${schema}.major_units(b.balance, x.scale) AS balance,
         ${schema}.major_units(b.held, x.scale) AS held,
         ${schema}.major_units(b.expected, x.scale) AS expected,
         ${schema}.major_units(b.available, x.scale) AS available,
         ${schema}.major_units(a.min_balance, x.scale) AS min_balance,
         ${schema}.major_units(a.max_balance, x.scale) AS max_balance,
         coalesce(n.version, 0) AS version, n.recorded_at AS last_recorded_at,
         a.opened_at, a.closed_at, a.last_change, coalesce(a.metadata, '{}') AS metadata,
         b.balance AS balance_minor, b.held AS held_minor, b.expected AS expected_minor,
         b.available AS available_minor, a.min_balance AS min_balance_minor,
         a.max_balance AS max_balance_minor, c.dp AS debits_posted_minor,
         c.cp AS credits_posted_minor, c.dh AS debits_pending_minor, c.ch AS credits_pending_minor
  FROM ${schema}.account a
  JOIN ${schema}.asset x ON x.code = a.asset
  LEFT JOIN LATERAL (
    SELECT * FROM (
      (SELECT t.debit_version AS version, t.recorded_at, t.debit_debits_posted AS dp,
              t.debit_credits_posted AS cp, t.debit_debits_pending AS dh,
              t.debit_credits_pending AS ch
       FROM ${schema}.transfer t WHERE t.debit_no = a.no ORDER BY t.debit_version DESC LIMIT 1)
      UNION ALL
      (SELECT t.credit_version, t.recorded_at, t.credit_debits_posted, t.credit_credits_posted,
              t.credit_debits_pending, t.credit_credits_pending
       FROM ${schema}.transfer t WHERE t.credit_no = a.no ORDER BY t.credit_version DESC LIMIT 1)) s
    ORDER BY s.version DESC LIMIT 1) n ON true
  CROSS JOIN LATERAL (
    SELECT coalesce(n.dp, 0) AS dp, coalesce(n.cp, 0) AS cp,
           coalesce(n.dh, 0) AS dh, coalesce(n.ch, 0) AS ch) c
  CROSS JOIN LATERAL (
    SELECT CASE a.normal WHEN 1 THEN c.cp - c.dp ELSE c.dp - c.cp END AS balance,
           CASE a.normal WHEN 1 THEN c.dh ELSE c.ch END AS held,
           CASE a.normal WHEN 1 THEN c.ch ELSE c.dh END AS expected) o
  CROSS JOIN LATERAL (
    SELECT o.balance, o.held, o.expected,
           least(greatest(o.balance - o.held - coalesce(a.min_balance, 0), 0),
                 170141183460469231731687303715884105727) AS available) b;
COMMENT ON VIEW ${schema}.accounts IS
  'Accounts and where they stand now. Fast for one account (WHERE id = …); all of them take two index look-ups each.';
COMMENT ON COLUMN ${schema}.accounts.id IS 'The account''s name, unique in this ledger, never reused.';
COMMENT ON COLUMN ${schema}.accounts.asset IS 'What its amounts are amounts of.';
COMMENT ON COLUMN ${schema}.accounts.normal IS 'CREDIT or DEBIT: the side that raises its balance.';
COMMENT ON COLUMN ${schema}.accounts.code IS 'The owner''s chart of accounts, 0 to 65535.';
COMMENT ON COLUMN ${schema}.accounts.balance IS 
  'Posted on the normal side less posted on the other, in major units.';
COMMENT ON COLUMN ${schema}.accounts.held IS 'Reserved by open holds, in major units.';
COMMENT ON COLUMN ${schema}.accounts.expected IS 'What open holds would bring in, in major units.';
COMMENT ON COLUMN ${schema}.accounts.available IS 
  'What may still be taken: balance less held less the minimum balance (0 if it has none), never below 0; in major units.';
COMMENT ON COLUMN ${schema}.accounts.min_balance IS 
  'Lowest balance less held that a transfer may leave, in major units; null for none.';
COMMENT ON COLUMN ${schema}.accounts.max_balance IS 
  'Highest balance and expected that a transfer may lead to, in major units; null for none.';
COMMENT ON COLUMN ${schema}.accounts.version IS 
  'How many records were applied to the account: the version of its last entry.';
COMMENT ON COLUMN ${schema}.accounts.last_recorded_at IS 
  'When its last record was made; null if it has none.';
COMMENT ON COLUMN ${schema}.accounts.opened_at IS 'When it was opened.';
COMMENT ON COLUMN ${schema}.accounts.closed_at IS 'When it was closed; null while it is open.';
COMMENT ON COLUMN ${schema}.accounts.last_change IS 
  'Number of the last change of its terms; 0 if they were never changed.';
COMMENT ON COLUMN ${schema}.accounts.metadata IS 'The owner''s notes, text to text.';
COMMENT ON COLUMN ${schema}.accounts.balance_minor IS 'The balance in minor units.';
COMMENT ON COLUMN ${schema}.accounts.held_minor IS 'What is held, in minor units.';
COMMENT ON COLUMN ${schema}.accounts.expected_minor IS 'What is expected, in minor units.';
COMMENT ON COLUMN ${schema}.accounts.available_minor IS 'What is available, in minor units.';
COMMENT ON COLUMN ${schema}.accounts.min_balance_minor IS 
  'The minimum balance in minor units; null for none.';
COMMENT ON COLUMN ${schema}.accounts.max_balance_minor IS 
  'The maximum balance in minor units; null for none.';
COMMENT ON COLUMN ${schema}.accounts.debits_posted_minor IS 
  'Everything ever posted on the debit side, in minor units.';
COMMENT ON COLUMN ${schema}.accounts.credits_posted_minor IS 
  'Everything ever posted on the credit side, in minor units.';
COMMENT ON COLUMN ${schema}.accounts.debits_pending_minor IS 'What open holds would debit, in minor units.';
COMMENT ON COLUMN ${schema}.accounts.credits_pending_minor IS 
  'What open holds would credit, in minor units.';

CREATE VIEW ${schema}.transfers AS
  SELECT t.id, ${schema}.kind_name(t.kind) AS kind, d.asset, d.id AS debit, c.id AS credit,
         ${schema}.major_units(t.amount, x.scale) AS amount,
         ${schema}.major_units(coalesce(t.released, 0), x.scale) AS released,
         t.recorded_at, t.effective_at, t.related_id, t.group_id, t.group_index, t.group_size,
         coalesce(t.code, 0) AS code, t.reference, coalesce(t.metadata, '{}') AS metadata,
         t.timeout_seconds, t.recorded_at + make_interval(secs => t.timeout_seconds) AS deadline,
         ${schema}.major_units(t.maximum, x.scale) AS up_to,
         t.debit_version, t.credit_version, t.batch, t.batch_index,
         t.amount AS amount_minor, coalesce(t.released, 0) AS released_minor,
         t.maximum AS up_to_minor
  FROM ${schema}.transfer t
  JOIN ${schema}.account d ON d.no = t.debit_no
  JOIN ${schema}.account c ON c.no = t.credit_no
  JOIN ${schema}.asset x ON x.code = d.asset;
COMMENT ON VIEW ${schema}.transfers IS
  'Every record: one line for each transfer. Find by id, reference, related_id or group_id, which have indexes.';
COMMENT ON COLUMN ${schema}.transfers.id IS 'Its id, chosen by whoever asked for it.';
COMMENT ON COLUMN ${schema}.transfers.kind IS 
  'DIRECT moves; PENDING reserves (a hold); POST captures a hold; VOID and EXPIRY give back what remains of one; REVERSAL undoes a DIRECT or POST.';
COMMENT ON COLUMN ${schema}.transfers.asset IS 'What the amount is an amount of.';
COMMENT ON COLUMN ${schema}.transfers.debit IS 'The account debited.';
COMMENT ON COLUMN ${schema}.transfers.credit IS 'The account credited.';
COMMENT ON COLUMN ${schema}.transfers.amount IS 'What it moved, reserved or gave back, in major units.';
COMMENT ON COLUMN ${schema}.transfers.released IS 
  'What a POST gave back beside what it captured, in major units.';
COMMENT ON COLUMN ${schema}.transfers.recorded_at IS 
  'When it was recorded; never decreases along an account''s versions.';
COMMENT ON COLUMN ${schema}.transfers.effective_at IS 
  'When it counts for, if not when it was recorded; null otherwise.';
COMMENT ON COLUMN ${schema}.transfers.related_id IS 'The hold it resolves or the transfer it undoes.';
COMMENT ON COLUMN ${schema}.transfers.group_id IS 'The group it was recorded with, all or nothing.';
COMMENT ON COLUMN ${schema}.transfers.group_index IS 'Its place in the group, from 0.';
COMMENT ON COLUMN ${schema}.transfers.group_size IS 'How many transfers the group has.';
COMMENT ON COLUMN ${schema}.transfers.code IS 
  'The caller''s code, 0 to 65535; of a hold''s resolution the hold''s unless it gave its own.';
COMMENT ON COLUMN ${schema}.transfers.reference IS 
  'The caller''s reference; of a hold''s resolution the hold''s unless it gave its own.';
COMMENT ON COLUMN ${schema}.transfers.metadata IS 'The caller''s notes, text to text.';
COMMENT ON COLUMN ${schema}.transfers.timeout_seconds IS 'How long a hold lasts; null: for ever.';
COMMENT ON COLUMN ${schema}.transfers.deadline IS 'When a hold with a timeout expires.';
COMMENT ON COLUMN ${schema}.transfers.up_to IS 
  'The most it was asked to move, where less was allowed, in major units.';
COMMENT ON COLUMN ${schema}.transfers.debit_version IS 'Its version on the account debited.';
COMMENT ON COLUMN ${schema}.transfers.credit_version IS 'Its version on the account credited.';
COMMENT ON COLUMN ${schema}.transfers.batch IS 
  'The transaction that recorded it. Numbers rise along every account; those of transactions under way can still turn up below ones already seen.';
COMMENT ON COLUMN ${schema}.transfers.batch_index IS 
  'Its place in that transaction. Order by batch, batch_index is the order of recording.';
COMMENT ON COLUMN ${schema}.transfers.amount_minor IS 'The amount in minor units.';
COMMENT ON COLUMN ${schema}.transfers.released_minor IS 'What was released, in minor units.';
COMMENT ON COLUMN ${schema}.transfers.up_to_minor IS 'The most it was asked to move, in minor units.';

CREATE VIEW ${schema}.entries AS
  SELECT a.id AS account, t.debit_version AS version, t.recorded_at, t.effective_at,
         ${schema}.kind_name(t.kind) AS kind, 'DEBIT' AS side, o.id AS counterparty, a.asset,
         ${schema}.major_units(t.amount, x.scale) AS amount,
         ${schema}.major_units(m.change, x.scale) AS change,
         ${schema}.major_units(m.balance, x.scale) AS balance,
         ${schema}.major_units(m.held, x.scale) AS held,
         ${schema}.major_units(m.expected, x.scale) AS expected,
         t.id AS transfer_id, t.related_id, t.group_id, t.group_index,
         coalesce(t.code, 0) AS code, t.reference, coalesce(t.metadata, '{}') AS metadata,
         t.batch, t.batch_index, t.amount AS amount_minor, m.change AS change_minor,
         m.balance AS balance_minor, m.held AS held_minor, m.expected AS expected_minor
  FROM ${schema}.account a
  JOIN ${schema}.transfer t ON t.debit_no = a.no
  JOIN ${schema}.account o ON o.no = t.credit_no
  JOIN ${schema}.asset x ON x.code = a.asset
  CROSS JOIN LATERAL (
    SELECT CASE WHEN t.kind IN (0, 2, 5) THEN CASE WHEN a.normal = 0 THEN 1 ELSE -1 END * t.amount ELSE 0 END
             AS change,
           CASE a.normal WHEN 1 THEN 1 ELSE -1 END * (coalesce(t.debit_credits_posted, 0)
             - coalesce(t.debit_debits_posted, 0)) AS balance,
           coalesce(CASE a.normal WHEN 1 THEN t.debit_debits_pending
                                  ELSE t.debit_credits_pending END, 0) AS held,
           coalesce(CASE a.normal WHEN 1 THEN t.debit_credits_pending
                                  ELSE t.debit_debits_pending END, 0) AS expected) m
  UNION ALL
  SELECT a.id AS account, t.credit_version AS version, t.recorded_at, t.effective_at,
         ${schema}.kind_name(t.kind) AS kind, 'CREDIT' AS side, o.id AS counterparty, a.asset,
         ${schema}.major_units(t.amount, x.scale) AS amount,
         ${schema}.major_units(m.change, x.scale) AS change,
         ${schema}.major_units(m.balance, x.scale) AS balance,
         ${schema}.major_units(m.held, x.scale) AS held,
         ${schema}.major_units(m.expected, x.scale) AS expected,
         t.id AS transfer_id, t.related_id, t.group_id, t.group_index,
         coalesce(t.code, 0) AS code, t.reference, coalesce(t.metadata, '{}') AS metadata,
         t.batch, t.batch_index, t.amount AS amount_minor, m.change AS change_minor,
         m.balance AS balance_minor, m.held AS held_minor, m.expected AS expected_minor
  FROM ${schema}.account a
  JOIN ${schema}.transfer t ON t.credit_no = a.no
  JOIN ${schema}.account o ON o.no = t.debit_no
  JOIN ${schema}.asset x ON x.code = a.asset
  CROSS JOIN LATERAL (
    SELECT CASE WHEN t.kind IN (0, 2, 5) THEN CASE WHEN a.normal = 1 THEN 1 ELSE -1 END * t.amount ELSE 0 END
             AS change,
           CASE a.normal WHEN 1 THEN 1 ELSE -1 END * (coalesce(t.credit_credits_posted, 0)
             - coalesce(t.credit_debits_posted, 0)) AS balance,
           coalesce(CASE a.normal WHEN 1 THEN t.credit_debits_pending
                                  ELSE t.credit_credits_pending END, 0) AS held,
           coalesce(CASE a.normal WHEN 1 THEN t.credit_credits_pending
                                  ELSE t.credit_debits_pending END, 0) AS expected) m;
COMMENT ON VIEW ${schema}.entries IS
  'Two lines for each transfer, one on each account, with the balance after it. To read an account''s lines in order use the function statement, which is fast however many there are.';
COMMENT ON COLUMN ${schema}.entries.account IS 'The account whose line this is.';
COMMENT ON COLUMN ${schema}.entries.version IS 
  'The line''s place among the account''s lines, from 1 without gaps.';
COMMENT ON COLUMN ${schema}.entries.recorded_at IS 
  'When it was recorded; never decreases along an account''s versions.';
COMMENT ON COLUMN ${schema}.entries.effective_at IS 
  'When it counts for, if not when it was recorded; null otherwise.';
COMMENT ON COLUMN ${schema}.entries.kind IS 
  'DIRECT moves; PENDING reserves (a hold); POST captures a hold; VOID and EXPIRY give back what remains of one; REVERSAL undoes a DIRECT or POST.';
COMMENT ON COLUMN ${schema}.entries.side IS 'Whether the account was debited or credited.';
COMMENT ON COLUMN ${schema}.entries.counterparty IS 'The account on the other side.';
COMMENT ON COLUMN ${schema}.entries.asset IS 'What the amount is an amount of.';
COMMENT ON COLUMN ${schema}.entries.amount IS 'What it moved, reserved or gave back, in major units.';
COMMENT ON COLUMN ${schema}.entries.change IS 
  'What the line changed the balance by, in major units; 0 for PENDING, VOID and EXPIRY.';
COMMENT ON COLUMN ${schema}.entries.balance IS 'The account''s balance after this line, in major units.';
COMMENT ON COLUMN ${schema}.entries.held IS 'What was held after this line, in major units.';
COMMENT ON COLUMN ${schema}.entries.expected IS 'What was expected after this line, in major units.';
COMMENT ON COLUMN ${schema}.entries.transfer_id IS 'The transfer that this is one side of.';
COMMENT ON COLUMN ${schema}.entries.related_id IS 'The hold it resolves or the transfer it undoes.';
COMMENT ON COLUMN ${schema}.entries.group_id IS 'The group it was recorded with, all or nothing.';
COMMENT ON COLUMN ${schema}.entries.group_index IS 'Its place in the group, from 0.';
COMMENT ON COLUMN ${schema}.entries.code IS 
  'The caller''s code, 0 to 65535; of a hold''s resolution the hold''s unless it gave its own.';
COMMENT ON COLUMN ${schema}.entries.reference IS 
  'The caller''s reference; of a hold''s resolution the hold''s unless it gave its own.';
COMMENT ON COLUMN ${schema}.entries.metadata IS 'The caller''s notes, text to text.';
COMMENT ON COLUMN ${schema}.entries.batch IS 
  'The transaction that recorded it. Numbers rise along every account; those of transactions under way can still turn up below ones already seen.';
COMMENT ON COLUMN ${schema}.entries.batch_index IS 
  'Its place in that transaction. Order by batch, batch_index is the order of recording.';
COMMENT ON COLUMN ${schema}.entries.amount_minor IS 'The amount in minor units.';
COMMENT ON COLUMN ${schema}.entries.change_minor IS 'What the line changed the balance by, in minor units.';
COMMENT ON COLUMN ${schema}.entries.balance_minor IS 'The balance after this line, in minor units.';
COMMENT ON COLUMN ${schema}.entries.held_minor IS 'What was held after this line, in minor units.';
COMMENT ON COLUMN ${schema}.entries.expected_minor IS 'What was expected after this line, in minor units.';

CREATE VIEW ${schema}.holds AS
  SELECT h.id, d.asset, d.id AS debit, c.id AS credit,
         ${schema}.major_units(t.amount, x.scale) AS amount,
         ${schema}.major_units(h.remaining, x.scale) AS remaining,
         t.recorded_at, h.deadline, coalesce(t.code, 0) AS code, t.reference,
         coalesce(t.metadata, '{}') AS metadata, h.batch, h.batch_index,
         t.amount AS amount_minor, h.remaining AS remaining_minor
  FROM ${schema}.hold h
  JOIN ${schema}.transfer t ON t.id = h.id
  JOIN ${schema}.account d ON d.no = h.debit_no
  JOIN ${schema}.account c ON c.no = h.credit_no
  JOIN ${schema}.asset x ON x.code = d.asset;
COMMENT ON VIEW ${schema}.holds IS
  'Open holds: PENDING transfers that were neither captured in full, voided nor expired.';
COMMENT ON COLUMN ${schema}.holds.id IS 'The PENDING transfer''s id.';
COMMENT ON COLUMN ${schema}.holds.asset IS 'What the amount is an amount of.';
COMMENT ON COLUMN ${schema}.holds.debit IS 'The account it would debit.';
COMMENT ON COLUMN ${schema}.holds.credit IS 'The account it would credit.';
COMMENT ON COLUMN ${schema}.holds.amount IS 'What it reserved at first, in major units.';
COMMENT ON COLUMN ${schema}.holds.remaining IS 'What is still reserved, in major units.';
COMMENT ON COLUMN ${schema}.holds.recorded_at IS 'When it was recorded.';
COMMENT ON COLUMN ${schema}.holds.deadline IS 'When it expires; null: never.';
COMMENT ON COLUMN ${schema}.holds.code IS 'The caller''s code, 0 to 65535.';
COMMENT ON COLUMN ${schema}.holds.reference IS 'The caller''s reference.';
COMMENT ON COLUMN ${schema}.holds.metadata IS 'The caller''s notes, text to text.';
COMMENT ON COLUMN ${schema}.holds.batch IS 'The transaction that recorded it.';
COMMENT ON COLUMN ${schema}.holds.batch_index IS 'Its place in that transaction.';
COMMENT ON COLUMN ${schema}.holds.amount_minor IS 'What it reserved at first, in minor units.';
COMMENT ON COLUMN ${schema}.holds.remaining_minor IS 'What is still reserved, in minor units.';

CREATE VIEW ${schema}.account_changes AS
  SELECT a.id AS account, y.number, y.recorded_at, y.actor, y.after_version,
         ${schema}.major_units(y.old_min_balance, x.scale) AS old_min_balance,
         ${schema}.major_units(y.min_balance, x.scale) AS min_balance,
         ${schema}.major_units(y.old_max_balance, x.scale) AS old_max_balance,
         ${schema}.major_units(y.max_balance, x.scale) AS max_balance,
         y.was_closed, y.closed, coalesce(y.old_metadata, '{}') AS old_metadata,
         coalesce(y.metadata, '{}') AS metadata
  FROM ${schema}.account_change y
  JOIN ${schema}.account a ON a.no = y.account_no
  JOIN ${schema}.asset x ON x.code = a.asset;
COMMENT ON VIEW ${schema}.account_changes IS
  'Who changed which account''s terms, when, from what to what.';
COMMENT ON COLUMN ${schema}.account_changes.account IS 'The account changed.';
COMMENT ON COLUMN ${schema}.account_changes.number IS 
  'The change''s place among the account''s changes, from 1 without gaps.';
COMMENT ON COLUMN ${schema}.account_changes.recorded_at IS 'When it was made.';
COMMENT ON COLUMN ${schema}.account_changes.actor IS 'Who made it; null if nobody was named.';
COMMENT ON COLUMN ${schema}.account_changes.after_version IS 
  'The account''s version when it took effect: it applies to later ones.';
COMMENT ON COLUMN ${schema}.account_changes.old_min_balance IS 
  'The minimum balance before, in major units; null for none.';
COMMENT ON COLUMN ${schema}.account_changes.min_balance IS 
  'The minimum balance since, in major units; null for none.';
COMMENT ON COLUMN ${schema}.account_changes.old_max_balance IS 
  'The maximum balance before, in major units; null for none.';
COMMENT ON COLUMN ${schema}.account_changes.max_balance IS 
  'The maximum balance since, in major units; null for none.';
COMMENT ON COLUMN ${schema}.account_changes.was_closed IS 'Whether it was closed before.';
COMMENT ON COLUMN ${schema}.account_changes.closed IS 'Whether it is closed since.';
COMMENT ON COLUMN ${schema}.account_changes.old_metadata IS 'The owner''s notes before.';
COMMENT ON COLUMN ${schema}.account_changes.metadata IS 'The owner''s notes since.';

CREATE VIEW ${schema}.trial_balance AS
  SELECT s.asset, s.code, s.normal, s.accounts,
         ${schema}.major_units(s.dp, x.scale) AS debits_posted,
         ${schema}.major_units(s.cp, x.scale) AS credits_posted,
         ${schema}.major_units(s.dh, x.scale) AS debits_pending,
         ${schema}.major_units(s.ch, x.scale) AS credits_pending,
         s.dp AS debits_posted_minor, s.cp AS credits_posted_minor,
         s.dh AS debits_pending_minor, s.ch AS credits_pending_minor
  FROM (
    SELECT v.asset, v.code, v.normal, count(*) AS accounts, sum(v.debits_posted_minor) AS dp,
           sum(v.credits_posted_minor) AS cp, sum(v.debits_pending_minor) AS dh,
           sum(v.credits_pending_minor) AS ch
    FROM ${schema}.accounts v GROUP BY v.asset, v.code, v.normal) s
  JOIN ${schema}.asset x ON x.code = s.asset
  ORDER BY s.asset, s.code, s.normal DESC;
COMMENT ON VIEW ${schema}.trial_balance IS
  'What all accounts together were debited and credited, by asset, code and normal side. In every asset debits equal credits.';
COMMENT ON COLUMN ${schema}.trial_balance.asset IS 'The accounts'' asset.';
COMMENT ON COLUMN ${schema}.trial_balance.code IS 'The accounts'' code.';
COMMENT ON COLUMN ${schema}.trial_balance.normal IS 'The accounts'' normal side, CREDIT or DEBIT.';
COMMENT ON COLUMN ${schema}.trial_balance.accounts IS 'How many accounts there are.';
COMMENT ON COLUMN ${schema}.trial_balance.debits_posted IS 
  'Everything posted on their debit sides, in major units.';
COMMENT ON COLUMN ${schema}.trial_balance.credits_posted IS 
  'Everything posted on their credit sides, in major units.';
COMMENT ON COLUMN ${schema}.trial_balance.debits_pending IS 
  'What open holds would debit them, in major units.';
COMMENT ON COLUMN ${schema}.trial_balance.credits_pending IS 
  'What open holds would credit them, in major units.';
COMMENT ON COLUMN ${schema}.trial_balance.debits_posted_minor IS 
  'Everything posted on their debit sides, in minor units.';
COMMENT ON COLUMN ${schema}.trial_balance.credits_posted_minor IS 
  'Everything posted on their credit sides, in minor units.';
COMMENT ON COLUMN ${schema}.trial_balance.debits_pending_minor IS 
  'What open holds would debit them, in minor units.';
COMMENT ON COLUMN ${schema}.trial_balance.credits_pending_minor IS 
  'What open holds would credit them, in minor units.';

-- An account's lines in order of their versions, from one of them on. The name is resolved and the
-- range of versions known before the lines are read, so it takes what the page takes, however long
-- the account is; the view alone would sort all of it.
--
-- With its owner's rights, so that a role needs none on the tables; it shows what entries shows.
CREATE FUNCTION ${schema}.statement(
    account text,
    from_version bigint DEFAULT NULL,   -- the line to begin with; the latest or the first one if null
    max_lines integer DEFAULT 100,      -- at most 10,000
    newest_first boolean DEFAULT true)
  RETURNS SETOF ${schema}.entries
  LANGUAGE plpgsql STABLE PARALLEL SAFE SECURITY DEFINER
  SET search_path = pg_catalog, pg_temp
  SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
  SET jit = off SET plan_cache_mode = force_generic_plan
  AS $$
DECLARE
  account_no integer;
  low bigint;
  high bigint;
BEGIN
  SELECT a.no INTO account_no FROM ${schema}.account a WHERE a.id = statement.account;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'no account % in this ledger', coalesce(quote_literal(account), 'null')
      USING ERRCODE = 'no_data_found';
  END IF;
  IF max_lines IS NULL OR max_lines NOT BETWEEN 1 AND 10000 THEN
    RAISE EXCEPTION 'max_lines must be 1 … 10000, was %', coalesce(max_lines::text, 'null')
      USING ERRCODE = 'invalid_parameter_value';
  END IF;
  IF newest_first THEN
    high := from_version;
    IF high IS NULL THEN
      SELECT greatest(
        (SELECT max(t.debit_version) FROM ${schema}.transfer t WHERE t.debit_no = account_no),
        (SELECT max(t.credit_version) FROM ${schema}.transfer t WHERE t.credit_no = account_no))
        INTO high;
    END IF;
    low := high - max_lines + 1;
    RETURN QUERY SELECT * FROM ${schema}.entries e
      WHERE e.account = statement.account AND e.version BETWEEN low AND high
      ORDER BY e.version DESC;
  ELSE
    low := coalesce(from_version, 1);
    high := low + max_lines - 1;
    RETURN QUERY SELECT * FROM ${schema}.entries e
      WHERE e.account = statement.account AND e.version BETWEEN low AND high
      ORDER BY e.version;
  END IF;
END
$$;
REVOKE ALL ON FUNCTION ${schema}.statement FROM PUBLIC;
COMMENT ON FUNCTION ${schema}.statement IS
  'An account''s lines in order of their versions, from one of them on; the latest 100 by default.';
COMMENT ON FUNCTION ${schema}.version_at IS
  'The version of an account (by its number and newest version) as recorded at an instant.';
COMMENT ON FUNCTION ${schema}.quiet_since IS
  'An instant since which nobody has had the account locked; null if that cannot be known.';
COMMENT ON FUNCTION ${schema}.schema_version IS 'How far this schema was migrated.';
COMMENT ON FUNCTION ${schema}.major_units IS
  'An amount of minor units (cents) as a decimal in major units, with exactly the scale''s digits.';
COMMENT ON FUNCTION ${schema}.kind_name IS 'The name of a stored kind of transfer.';
