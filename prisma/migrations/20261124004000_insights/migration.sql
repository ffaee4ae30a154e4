-- What insights count of each ended release and run. Derived by the recorder; null in rows from before, which are due.
ALTER TABLE "release"
    ADD COLUMN "figured_at" TIMESTAMPTZ(6),
    ADD COLUMN "waiting_seconds" DOUBLE PRECISION,
    ADD COLUMN "committed_at" TIMESTAMPTZ(6);

CREATE TABLE "release_wait" (
    "release_id" UUID NOT NULL,
    "ord" INTEGER NOT NULL,
    "from_at" TIMESTAMPTZ(6) NOT NULL,
    "to_at" TIMESTAMPTZ(6) NOT NULL,
    "activity" TEXT NOT NULL,
    "run_name" TEXT,

    CONSTRAINT "release_wait_pkey" PRIMARY KEY ("release_id", "ord"),
    CONSTRAINT "release_wait_activity" CHECK ("activity" IN ('waiting', 'held')),
    CONSTRAINT "release_wait_release_id_fkey" FOREIGN KEY ("release_id") REFERENCES "release"("id")
        ON DELETE CASCADE ON UPDATE CASCADE
);

ALTER TABLE "analysis_run" ADD COLUMN "figures_version" TEXT;

ALTER TABLE "metric"
    ADD COLUMN "template_kind" TEXT,
    ADD COLUMN "template_namespace" TEXT,
    ADD COLUMN "template_name" TEXT,
    ADD COLUMN "nans" INTEGER,
    ADD COLUMN "margin_median" DOUBLE PRECISION,
    ADD COLUMN "margin_low" DOUBLE PRECISION;

-- What the recorder looks for every second must not mean reading all rows. These exist only in SQL: Prisma cannot
-- express them.
CREATE INDEX "release_figures_due" ON "release" ("updated_at")
    WHERE "ended_at" IS NOT NULL AND "figured_at" IS DISTINCT FROM "updated_at";
CREATE INDEX "analysis_run_figures_due" ON "analysis_run" ("updated_at")
    WHERE "phase" IN ('Successful', 'Failed', 'Error', 'Inconclusive')
        AND "figures_version" IS DISTINCT FROM "resource_version";

-- Whether a release was undone, and when the next one was promoted.
CREATE INDEX "release_promoted" ON "release" ("rollout_id", "ended_at") WHERE "state" = 'promoted';
-- Whether a release had an Inconclusive run.
CREATE INDEX "analysis_run_inconclusive" ON "analysis_run" ("rollout_id", "pod_hash") WHERE "phase" = 'Inconclusive';

DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'gatehouse_recorder') THEN
    GRANT SELECT, INSERT, UPDATE, DELETE ON "release_wait" TO gatehouse_recorder;
  END IF;
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'gatehouse_web') THEN
    GRANT SELECT ON "release_wait" TO gatehouse_web;
  END IF;
END $$;
