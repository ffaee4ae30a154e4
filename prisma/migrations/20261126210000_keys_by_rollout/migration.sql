-- The keys of a rollout's history begin with the rollout, so that a distributed PostgreSQL can spread these tables by it
-- (docs/scaling.md). What 0.1.0 names in ON CONFLICT stays unique by itself until it is no longer served.

-- Observations: their id was named by nothing but the old key.
ALTER TABLE "observation" DROP CONSTRAINT "observation_pkey", ADD CONSTRAINT "observation_pkey" PRIMARY KEY ("rollout_id", "id");
DROP INDEX "observation_rollout_id_id_idx";

-- Releases, and when they waited.
ALTER TABLE "release_wait" DROP CONSTRAINT "release_wait_release_id_fkey";
ALTER TABLE "release" DROP CONSTRAINT "release_pkey", ADD CONSTRAINT "release_pkey" PRIMARY KEY ("rollout_id", "id");
CREATE UNIQUE INDEX "release_id_key" ON "release"("id");
ALTER TABLE "release_wait" ADD COLUMN "rollout_id" UUID;
UPDATE "release_wait" w SET "rollout_id" = l."rollout_id" FROM "release" l WHERE l."id" = w."release_id";
ALTER TABLE "release_wait"
    ALTER COLUMN "rollout_id" SET NOT NULL,
    DROP CONSTRAINT "release_wait_pkey",
    ADD CONSTRAINT "release_wait_pkey" PRIMARY KEY ("rollout_id", "release_id", "ord"),
    ADD CONSTRAINT "release_wait_rollout_id_release_id_fkey" FOREIGN KEY ("rollout_id", "release_id")
        REFERENCES "release"("rollout_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "timeline_event" DROP CONSTRAINT "timeline_event_pkey", ADD CONSTRAINT "timeline_event_pkey" PRIMARY KEY ("rollout_id", "id");
CREATE UNIQUE INDEX "timeline_event_id_key" ON "timeline_event"("id");

-- Runs, their metrics and what was lost of them. A run whose Experiment is seen late moves to another rollout, and its
-- metrics and gaps follow by their foreign keys.
ALTER TABLE "metric" DROP CONSTRAINT "metric_run_uid_fkey";
ALTER TABLE "analysis_run" DROP CONSTRAINT "analysis_run_pkey", ADD CONSTRAINT "analysis_run_pkey" PRIMARY KEY ("rollout_id", "uid");
CREATE UNIQUE INDEX "analysis_run_uid_key" ON "analysis_run"("uid");

ALTER TABLE "metric" ADD COLUMN "rollout_id" UUID;
UPDATE "metric" m SET "rollout_id" = a."rollout_id" FROM "analysis_run" a WHERE a."uid" = m."run_uid";
ALTER TABLE "metric"
    ALTER COLUMN "rollout_id" SET NOT NULL,
    DROP CONSTRAINT "metric_pkey",
    ADD CONSTRAINT "metric_pkey" PRIMARY KEY ("rollout_id", "run_uid", "name"),
    ADD CONSTRAINT "metric_rollout_id_run_uid_fkey" FOREIGN KEY ("rollout_id", "run_uid")
        REFERENCES "analysis_run"("rollout_id", "uid") ON DELETE CASCADE ON UPDATE CASCADE;
CREATE UNIQUE INDEX "metric_run_uid_name_key" ON "metric"("run_uid", "name");

ALTER TABLE "measurement_gap" ADD COLUMN "rollout_id" UUID;
UPDATE "measurement_gap" g SET "rollout_id" = a."rollout_id" FROM "analysis_run" a WHERE a."uid" = g."run_uid";
-- Of a run that is not stored: no page and no count can show it.
DELETE FROM "measurement_gap" WHERE "rollout_id" IS NULL;
ALTER TABLE "measurement_gap"
    ALTER COLUMN "rollout_id" SET NOT NULL,
    DROP CONSTRAINT "measurement_gap_pkey",
    ADD CONSTRAINT "measurement_gap_pkey" PRIMARY KEY ("rollout_id", "run_uid", "metric", "after_seq"),
    ADD CONSTRAINT "measurement_gap_rollout_id_run_uid_fkey" FOREIGN KEY ("rollout_id", "run_uid")
        REFERENCES "analysis_run"("rollout_id", "uid") ON DELETE CASCADE ON UPDATE CASCADE;
CREATE UNIQUE INDEX "measurement_gap_run_uid_metric_after_seq_key" ON "measurement_gap"("run_uid", "metric", "after_seq");

-- Samples have no id of their own any more; 0.1.0 still deletes by it.
ALTER TABLE "rollout_sample" DROP CONSTRAINT "rollout_sample_pkey", ADD CONSTRAINT "rollout_sample_pkey" PRIMARY KEY ("rollout_id", "what", "metric", "at");
DROP INDEX "rollout_sample_rollout_id_what_metric_at_key";

-- 0.1.0 does not name the rollout of a metric or a gap.
CREATE FUNCTION take_rollout_of_run() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT "rollout_id" INTO NEW."rollout_id" FROM "analysis_run" WHERE "uid" = NEW."run_uid";
  RETURN NEW;
END $$;
CREATE TRIGGER "metric_rollout" BEFORE INSERT ON "metric"
    FOR EACH ROW WHEN (NEW."rollout_id" IS NULL) EXECUTE FUNCTION take_rollout_of_run();
CREATE TRIGGER "measurement_gap_rollout" BEFORE INSERT ON "measurement_gap"
    FOR EACH ROW WHEN (NEW."rollout_id" IS NULL) EXECUTE FUNCTION take_rollout_of_run();
