-- Sent as the Audit-ID of every request of the action, and shown to nobody: audit events that carry it are of our own
-- requests. Actions from before have none.
ALTER TABLE "action" ADD COLUMN "audit_id" UUID;
CREATE UNIQUE INDEX "action_audit_id_key" ON "action"("audit_id");

-- A client may choose the audit id, and use one for several requests: each of them is an event of its own.
DROP INDEX "kubernetes_audit_event_cluster_audit_id_key";
CREATE UNIQUE INDEX "kubernetes_audit_event_cluster_audit_id_stage_at_key" ON "kubernetes_audit_event"("cluster", "audit_id", "stage_at");

-- When an open change is looked at next: at once if an event of its object arrives, else ever more rarely.
ALTER TABLE "change_attribution" ADD COLUMN "look_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp();
-- Exist only in SQL: Prisma cannot express them.
CREATE INDEX "change_attribution_due" ON "change_attribution"("look_at") WHERE "state" = 'open';
CREATE INDEX "change_attribution_open_object" ON "change_attribution"("cluster", "kind", "namespace", "name") WHERE "state" = 'open';
CREATE INDEX "unasked_change_audit_seq_idx" ON "unasked_change"("audit_seq");

DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'gatehouse_recorder') THEN
    GRANT UPDATE ("look_at") ON "change_attribution" TO gatehouse_recorder;
  END IF;
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'gatehouse_web') THEN
    -- Whoever stores an event has the changes of its object looked at again.
    GRANT UPDATE ("look_at") ON "change_attribution" TO gatehouse_web;
  END IF;
END $$;
