-- Who may use a credential of the hooks for what. Those from before are Flagger's.
ALTER TABLE "hook_credential" ADD COLUMN "purpose" TEXT NOT NULL DEFAULT 'flagger';
ALTER TABLE "hook_credential" ADD CONSTRAINT "hook_credential_purpose" CHECK ("purpose" IN ('flagger', 'kubernetes-audit'));

-- Writes to watched objects, as the API servers audited them, each once however often it is delivered.
CREATE TABLE "kubernetes_audit_event" (
    "id" BIGSERIAL NOT NULL,
    "cluster" TEXT NOT NULL,
    "audit_id" TEXT NOT NULL,
    "stage_at" TIMESTAMPTZ(6) NOT NULL,
    "received_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
    "verb" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "namespace" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "uid" TEXT,
    "subresource" TEXT NOT NULL DEFAULT '',
    "version_before" TEXT,
    "version_after" TEXT,
    "manager" TEXT NOT NULL,
    "user_agent" TEXT NOT NULL,
    "username" TEXT NOT NULL,
    "user_groups" JSONB NOT NULL,
    "impersonated_by" TEXT,
    "source_ips" JSONB NOT NULL,
    "fields" JSONB,
    CONSTRAINT "kubernetes_audit_event_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "kubernetes_audit_event_cluster_audit_id_key" ON "kubernetes_audit_event"("cluster", "audit_id");
CREATE INDEX "kubernetes_audit_event_cluster_kind_namespace_name_stage_at_idx" ON "kubernetes_audit_event"("cluster", "kind", "namespace", "name", "stage_at");
CREATE INDEX "kubernetes_audit_event_received_at_idx" ON "kubernetes_audit_event"("received_at");

-- How far the audit log files of clusters were read: a restart goes on there.
CREATE TABLE "kubernetes_audit_file" (
    "cluster" TEXT NOT NULL,
    "path" TEXT NOT NULL,
    "inode" TEXT NOT NULL,
    "read_up_to" BIGINT NOT NULL,
    "head_length" INTEGER NOT NULL,
    "head_digest" TEXT NOT NULL,
    "read_at" TIMESTAMPTZ(6) NOT NULL,
    CONSTRAINT "kubernetes_audit_file_pkey" PRIMARY KEY ("cluster")
);

-- Changes without Gatehouse whose person may be found. Changes from before this migration are not searched.
CREATE TABLE "change_attribution" (
    "audit_seq" BIGINT NOT NULL,
    "cluster" TEXT NOT NULL,
    "namespace" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "uid" TEXT,
    "target_kind" TEXT NOT NULL,
    "target_name" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "client" TEXT,
    "window_from" TIMESTAMPTZ(6) NOT NULL,
    "window_to" TIMESTAMPTZ(6) NOT NULL,
    "version_before" TEXT,
    "version_after" TEXT,
    "observed_at" TIMESTAMPTZ(6) NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'open',
    "attributed_seq" BIGINT,
    "audit_event_id" BIGINT,
    CONSTRAINT "change_attribution_pkey" PRIMARY KEY ("audit_seq"),
    CONSTRAINT "change_attribution_state" CHECK ("state" IN ('open', 'named', 'ambiguous', 'unknown')),
    CONSTRAINT "change_attribution_decided" CHECK (("state" IN ('named', 'ambiguous')) = ("attributed_seq" IS NOT NULL))
);
CREATE INDEX "change_attribution_open" ON "change_attribution"("observed_at") WHERE "state" = 'open';
CREATE INDEX "change_attribution_attributed_seq_idx" ON "change_attribution"("attributed_seq");

DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'gatehouse_recorder') THEN
    GRANT SELECT, INSERT, DELETE ON "kubernetes_audit_event" TO gatehouse_recorder;
    GRANT SELECT, INSERT, UPDATE ON "kubernetes_audit_file" TO gatehouse_recorder;
    GRANT SELECT, INSERT, UPDATE ("state", "attributed_seq", "audit_event_id") ON "change_attribution" TO gatehouse_recorder;
    GRANT USAGE ON SEQUENCE "kubernetes_audit_event_id_seq" TO gatehouse_recorder;
  END IF;
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'gatehouse_web') THEN
    GRANT SELECT, INSERT ON "kubernetes_audit_event" TO gatehouse_web;
    GRANT SELECT ON "change_attribution" TO gatehouse_web;
    GRANT USAGE ON SEQUENCE "kubernetes_audit_event_id_seq" TO gatehouse_web;
  END IF;
END $$;
