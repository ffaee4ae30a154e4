-- Which file the config was last loaded from, refused or held, so that replicas write one audit entry between them.
-- `content` is the file's SHA-256, or why it could not be read.
CREATE TABLE "config_event" (
    "id" BIGSERIAL NOT NULL,
    "code" TEXT NOT NULL,
    "content" TEXT NOT NULL,
    "at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "config_event_pkey" PRIMARY KEY ("id")
);

-- An admin's word that a file may replace another although it removes most of what there was.
CREATE TABLE "config_confirmation" (
    "digest" TEXT NOT NULL,
    "replaces" TEXT NOT NULL,
    "confirmed_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
    "confirmed_by" TEXT NOT NULL,
    "reason" TEXT NOT NULL,

    CONSTRAINT "config_confirmation_pkey" PRIMARY KEY ("digest","replaces")
);

-- One row: who deletes by age at the moment, and when that was last done to its end.
CREATE TABLE "retention_run" (
    "name" TEXT NOT NULL,
    "holder" TEXT,
    "expires_at" TIMESTAMPTZ(6),
    "started_at" TIMESTAMPTZ(6),
    "done_at" TIMESTAMPTZ(6),
    "outcome" TEXT,
    "message" TEXT,

    CONSTRAINT "retention_run_pkey" PRIMARY KEY ("name")
);

-- Drops the partition of one whole month and marks its runs, so that a run without measurements is told apart from one
-- with a gap. Runs as the owner: the recorder may then drop old months and nothing else. Refuses a month that does not
-- lie before the bound as a whole, and a bound less than a day old. Returns how many rows went.
CREATE FUNCTION drop_measurement_partition(month date, older_than timestamptz) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '2s' AS $$
DECLARE
  first timestamptz := date_trunc('month', month)::timestamp AT TIME ZONE 'UTC';
  ends timestamptz := (date_trunc('month', month) + interval '1 month')::timestamp AT TIME ZONE 'UTC';
  partition text := 'measurement_' || to_char(date_trunc('month', month), 'YYYY_MM');
  gone bigint;
BEGIN
  IF older_than > clock_timestamp() - interval '1 day' THEN
    RAISE EXCEPTION 'the bound % is less than a day old', older_than USING ERRCODE = 'invalid_parameter_value';
  END IF;
  IF ends > older_than THEN
    RAISE EXCEPTION '% holds measurements from after %', partition, older_than USING ERRCODE = 'invalid_parameter_value';
  END IF;
  IF NOT EXISTS (
    SELECT FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
     WHERE i.inhparent = 'public.measurement'::regclass AND c.relname = partition
  ) THEN
    RETURN 0;
  END IF;
  EXECUTE format('LOCK TABLE %I IN SHARE ROW EXCLUSIVE MODE', partition);
  EXECUTE format('SELECT count(*) FROM %I', partition) INTO gone;
  EXECUTE format('UPDATE analysis_run SET measurements_expired = true
    WHERE NOT measurements_expired AND uid IN (SELECT run_uid FROM %I)', partition);
  EXECUTE format('DROP TABLE %I', partition);
  RETURN gone;
END $$;
REVOKE ALL ON FUNCTION drop_measurement_partition(date, timestamptz) FROM PUBLIC;

DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'gatehouse_recorder') THEN
    GRANT SELECT ON "config_event", "config_confirmation" TO gatehouse_recorder;
    GRANT SELECT, INSERT, UPDATE ON "retention_run" TO gatehouse_recorder;
    GRANT EXECUTE ON FUNCTION drop_measurement_partition(date, timestamptz) TO gatehouse_recorder;
  END IF;
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'gatehouse_web') THEN
    GRANT SELECT, INSERT ON "config_event" TO gatehouse_web;
    GRANT SELECT, INSERT, UPDATE ON "config_confirmation" TO gatehouse_web;
    GRANT USAGE ON SEQUENCE "config_event_id_seq" TO gatehouse_web;
    GRANT SELECT ON "retention_run" TO gatehouse_web;
  END IF;
END $$;
