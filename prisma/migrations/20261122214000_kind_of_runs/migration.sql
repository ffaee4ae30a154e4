-- The kind of the object that a run was recorded from names its provider.
ALTER TABLE "analysis_run" ADD COLUMN "kind" TEXT NOT NULL DEFAULT 'AnalysisRun';
