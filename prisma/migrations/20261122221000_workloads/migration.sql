-- Workloads as far as a rollout that depends on them is judged by them: Deployments with their conditions, and
-- DaemonSets beside them.
ALTER TABLE "deployment"
  ADD COLUMN "kind" TEXT NOT NULL DEFAULT 'Deployment',
  ADD COLUMN "observed_generation" BIGINT,
  ADD COLUMN "strategy" TEXT,
  ADD COLUMN "progress_deadline_seconds" INTEGER,
  ADD COLUMN "conditions" JSONB NOT NULL DEFAULT '[]';

-- The next list writes the new columns of the rows that are there.
UPDATE "deployment" SET "resource_version" = '' WHERE "presence" = 'live';

-- The workloads that a rollout names, as `Kind/name`: a change of one shows the rollout again.
ALTER TABLE "rollout" ADD COLUMN "workloads" JSONB NOT NULL DEFAULT '[]';
CREATE INDEX "rollout_workloads_idx" ON "rollout" USING GIN ("workloads");
