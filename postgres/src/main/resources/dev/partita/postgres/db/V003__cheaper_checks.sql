-- The same rules about a transfer's values, in one expression.
--
-- PostgreSQL reads the text of every CHECK anew for each INSERT or COPY. Eleven ranges of two
-- numbers each took longer to read than a small batch took to insert. The least and the greatest
-- of all amounts say the same: they leave nulls out, and NaN is greater than every number.

ALTER TABLE ${schema}.transfer
  DROP CONSTRAINT transfer_check,
  DROP CONSTRAINT transfer_kind_check,
  DROP CONSTRAINT transfer_check1,
  DROP CONSTRAINT transfer_check2,
  ADD CONSTRAINT transfer_values CHECK (
    debit_no <> credit_no
    AND kind BETWEEN 0 AND 5
    AND isfinite(recorded_at)
    AND isfinite(effective_at)
    AND least(amount, debit_debits_posted, debit_credits_posted, debit_debits_pending,
              debit_credits_pending, credit_debits_posted, credit_credits_posted,
              credit_debits_pending, credit_credits_pending, released, maximum) >= 0
    AND greatest(amount, debit_debits_posted, debit_credits_posted, debit_debits_pending,
                 debit_credits_pending, credit_debits_posted, credit_credits_posted,
                 credit_debits_pending, credit_credits_pending, released, maximum)
        <= 170141183460469231731687303715884105727);

-- Nothing that a Partita of version 2 knows has changed.
CREATE OR REPLACE FUNCTION ${schema}.schema_version(
  OUT version integer, OUT understood_by integer)
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT 3, 2 $$;
