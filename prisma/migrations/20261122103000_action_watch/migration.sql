-- An action without effect yet is watched on: until when, when the cluster itself is asked next, and which recorded
-- version was judged last. All null once nothing more is awaited, as for all actions from before.
ALTER TABLE "action" ADD COLUMN "watch_until" TIMESTAMPTZ(6);
ALTER TABLE "action" ADD COLUMN "look_at" TIMESTAMPTZ(6);
ALTER TABLE "action" ADD COLUMN "judged_version" TEXT;
-- Of an action without effect: awaited, superseded or given-up. Null for those from before.
ALTER TABLE "action" ADD COLUMN "effect_why" TEXT;
CREATE INDEX "action_watched" ON "action"("look_at") WHERE "watch_until" IS NOT NULL;
