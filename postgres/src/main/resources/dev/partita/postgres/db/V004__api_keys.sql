-- The keys that callers of a server present. Of each only the SHA-256 is here: whoever reads this
-- table cannot call. A slow hash would add nothing, as the secret in a key is 256 random bits.
--
-- Written by the schema's owner alone: a server only reads it, so that none can make itself a key.

CREATE TABLE ${schema}.api_key (
  created_at timestamptz NOT NULL DEFAULT clock_timestamp() CHECK (isfinite(created_at)),
  revoked_at timestamptz CHECK (isfinite(revoked_at)),
  id text COLLATE "C" PRIMARY KEY CHECK (id ~ '^[A-Za-z0-9]{10}$'),
  -- Unique for ever: it is the actor in the changes that were made with the key.
  name text COLLATE "C" NOT NULL UNIQUE CHECK (name ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$'),
  hash bytea NOT NULL CHECK (octet_length(hash) = 32),
  scopes text[] NOT NULL CHECK (
    cardinality(scopes) BETWEEN 1 AND 3
    AND scopes <@ ARRAY['read', 'post', 'admin']
    AND array_position(scopes, NULL) IS NULL)
);

CREATE TRIGGER permanent BEFORE DELETE OR TRUNCATE ON ${schema}.api_key
  FOR EACH STATEMENT EXECUTE FUNCTION ${schema}.refuse_change();
-- A key is revoked once and for ever; nothing else about it changes.
CREATE TRIGGER immutable BEFORE UPDATE ON ${schema}.api_key
  FOR EACH ROW
  WHEN (OLD.revoked_at IS NOT NULL OR NEW.revoked_at IS NULL
        OR (OLD.created_at, OLD.id, OLD.name, OLD.hash, OLD.scopes)
           IS DISTINCT FROM (NEW.created_at, NEW.id, NEW.name, NEW.hash, NEW.scopes))
  EXECUTE FUNCTION ${schema}.refuse_change();

-- Nothing that a Partita of version 2 knows has changed.
CREATE OR REPLACE FUNCTION ${schema}.schema_version(
  OUT version integer, OUT understood_by integer)
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT 4, 2 $$;
