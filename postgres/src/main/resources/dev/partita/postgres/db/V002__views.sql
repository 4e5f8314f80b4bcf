-- What SQL users read, and what the ledger's own reading calls.

-- How far this schema was migrated. Every migration replaces it.
CREATE FUNCTION ${schema}.schema_version(
  OUT version integer,        -- number of the last migration
  OUT understood_by integer)  -- the oldest Partita, by the last migration it knows, that can run on it
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT 2, 2 $$;
