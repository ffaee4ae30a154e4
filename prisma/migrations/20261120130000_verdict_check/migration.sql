-- The verdict check is stored with its run. All three are null in runs from before: the recorder finds them as due.
ALTER TABLE "analysis_run"
    ADD COLUMN "verdict_check" JSONB,
    ADD COLUMN "verdict_check_version" TEXT,
    ADD COLUMN "verdict_checked_at" TIMESTAMPTZ(6);

-- What the recorder looks for every second must not mean reading all runs. Exists only in SQL: Prisma cannot express it.
CREATE INDEX "analysis_run_verdict_check_due" ON "analysis_run" ("updated_at")
    WHERE "phase" IN ('Successful', 'Failed', 'Error', 'Inconclusive')
        AND "verdict_check_version" IS DISTINCT FROM "resource_version";
