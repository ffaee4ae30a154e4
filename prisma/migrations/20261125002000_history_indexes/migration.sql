-- The releases of one rollout, newest first, however many it had.
CREATE INDEX "release_rollout_id_started_at_id_idx" ON "release"("rollout_id", "started_at" DESC, "id");
-- The runs of one release, among all runs of its rollout.
CREATE INDEX "analysis_run_rollout_id_pod_hash_created_at_idx" ON "analysis_run"("rollout_id", "pod_hash", "created_at");
-- Who aborted what, the last aborted first; word for word as lib/server/services/releases/list-aborts.ts sorts. It exists
-- only in SQL: Prisma cannot express it.
CREATE INDEX "release_by_abort" ON "release"(COALESCE("ended_at", "updated_at") DESC, "id") WHERE "state" = 'aborted';
