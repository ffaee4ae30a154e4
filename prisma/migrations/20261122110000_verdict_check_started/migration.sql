-- A replay that was started and did not end is not started again for the same version. Both are null where none is under way.
ALTER TABLE "analysis_run"
    ADD COLUMN "verdict_check_started_version" TEXT,
    ADD COLUMN "verdict_check_started_at" TIMESTAMPTZ(6);
