-- What the cluster still has, among all that was ever there: a complete list is compared with it, and these tables keep
-- every object. They exist only in SQL: Prisma cannot express them.
CREATE INDEX "analysis_run_live" ON "analysis_run"("cluster", "namespace") WHERE "presence" = 'live';
CREATE INDEX "replica_set_live" ON "replica_set"("cluster", "namespace") WHERE "presence" = 'live';
CREATE INDEX "experiment_live" ON "experiment"("cluster", "namespace") WHERE "presence" = 'live';
CREATE INDEX "deployment_live" ON "deployment"("cluster", "namespace") WHERE "presence" = 'live';
-- Pods that are gone, by which they are deleted.
CREATE INDEX "pod_gone" ON "pod"("gone_at") WHERE "gone_at" IS NOT NULL;
