-- Both roles have their rights on the tables, and so on the new columns.

-- Messages that came as Kubernetes events: one event may stand for several occurrences. A message that the web process
-- stored is noticed by the recorder, which shows its rollout again.
ALTER TABLE "controller_message"
  ADD COLUMN "count" INTEGER NOT NULL DEFAULT 1,
  ADD COLUMN "noticed" BOOLEAN NOT NULL DEFAULT false;
CREATE INDEX "controller_message_rollout_id_controller_time_id_idx"
  ON "controller_message"("rollout_id", "controller_time" DESC, "id");
-- What is still to be noticed. Exists only in SQL: Prisma cannot express it.
CREATE INDEX "controller_message_unnoticed" ON "controller_message"("id") WHERE NOT "noticed" AND "rollout_id" IS NOT NULL;

-- Rollouts whose runs are derived from messages, and may have changed since the last derivation.
ALTER TABLE "rollout" ADD COLUMN "runs_due" BOOLEAN NOT NULL DEFAULT false;
CREATE INDEX "rollout_runs_due" ON "rollout"("id") WHERE "runs_due";
