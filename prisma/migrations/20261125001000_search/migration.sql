-- What the search reads by index (docs/adr/0046): names, images and hashes by their parts, texts by their words.
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_extension WHERE extname = 'pg_trgm') THEN
    CREATE EXTENSION pg_trgm;
  END IF;
EXCEPTION WHEN OTHERS THEN
  RAISE EXCEPTION 'Gatehouse needs the extension pg_trgm of PostgreSQL, and could not create it: %', SQLERRM
    USING HINT = 'Install the contrib modules of PostgreSQL if they are missing, run CREATE EXTENSION pg_trgm in this '
      || 'database as a role that may, then start Gatehouse again.';
END $$;

-- Words are what stands between punctuation, so that half of v5.3.0 or of error-rate is found too. Bound when they are
-- created, since indexes are also maintained with another search path. Only the beginning of a text counts, since a
-- tsvector has a limit, and a row must not be refused for its text.
CREATE FUNCTION search_words(searched text) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN to_tsvector('simple'::regconfig,
    translate(left(searched, 20000), '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~', '                                '));

-- What a person would look for in an audit entry. The canonical text writes its reason as JSON.
CREATE FUNCTION audit_words(actor_name text, actor_subject text, code text, cluster text, namespace text, name text,
  entry text) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN search_words(actor_name || ' ' || COALESCE(actor_subject, '') || ' ' || code || ' ' || COALESCE(cluster, '')
    || ' ' || COALESCE(namespace, '') || ' ' || COALESCE(name, '') || ' '
    || COALESCE(substring(entry FROM '"reason":"((?:[^"\\]|\\.)*)"'), ''));

-- None of these columns changes while a rollout or a run is under way, or the row is left out until it has a text:
-- the recorder's updates touch no index here.
CREATE INDEX "rollout_address_part" ON "rollout" USING gin (("namespace" || '/' || "name") gin_trgm_ops);
CREATE INDEX "rollout_image_part" ON "rollout" USING gin (("images"::text) gin_trgm_ops);
CREATE INDEX "release_image_part" ON "release" USING gin (("images"::text) gin_trgm_ops) WITH (fastupdate = off);
CREATE INDEX "release_key_start" ON "release" ("run_key" text_pattern_ops);
CREATE INDEX "release_message_words" ON "release" USING gin (search_words("message")) WITH (fastupdate = off)
  WHERE "message" <> '';
CREATE INDEX "analysis_run_name_start" ON "analysis_run" ("name" text_pattern_ops);
CREATE INDEX "analysis_run_message_words" ON "analysis_run" USING gin (search_words("message")) WITH (fastupdate = off)
  WHERE "message" <> '';
CREATE INDEX "experiment_name_part" ON "experiment" USING gin ("name" gin_trgm_ops);
CREATE INDEX "finding_words" ON "finding" USING gin (search_words("title" || ' ' || "namespace" || ' ' || "name"))
  WITH (fastupdate = off);
CREATE INDEX "kube_event_words" ON "kube_event"
  USING gin (search_words("reason" || ' ' || "involved_name" || ' ' || "message")) WITH (fastupdate = off);
CREATE INDEX "audit_entry_words" ON "audit_entry"
  USING gin (audit_words("actor_name", "actor_subject", "code", "cluster", "namespace", "name", "entry"))
  WITH (fastupdate = off);
CREATE INDEX "audit_entry_actor" ON "audit_entry"
  (left("actor_name", 200), left(COALESCE("actor_subject", ''), 200), "seq");
