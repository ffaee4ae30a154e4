
-- CreateTable
CREATE TABLE "cluster" (
    "name" TEXT NOT NULL,
    "kube_system_uid" TEXT,
    "first_seen_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "cluster_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "source" (
    "id" TEXT NOT NULL,
    "cluster" TEXT NOT NULL,
    "resource" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "namespace" TEXT NOT NULL DEFAULT '',
    "state" TEXT NOT NULL,
    "last_error" TEXT,
    "watch_contact_at" TIMESTAMPTZ(6),
    "read_contact_at" TIMESTAMPTZ(6),
    "synced_at" TIMESTAMPTZ(6),
    "resource_version" TEXT,
    "objects" INTEGER NOT NULL DEFAULT 0,
    "stale_after_ms" INTEGER NOT NULL DEFAULT 60000,
    "history_begins_at" TIMESTAMPTZ(6),
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "source_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "source_lease" (
    "source_id" TEXT NOT NULL,
    "holder" TEXT NOT NULL,
    "epoch" BIGINT NOT NULL,
    "expires_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "source_lease_pkey" PRIMARY KEY ("source_id")
);

-- CreateTable
CREATE TABLE "rollout" (
    "id" UUID NOT NULL,
    "cluster" TEXT NOT NULL,
    "namespace" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "uid" TEXT NOT NULL,
    "presence" TEXT NOT NULL DEFAULT 'live',
    "strategy" TEXT,
    "phase" TEXT NOT NULL,
    "provider_phase" TEXT,
    "message" TEXT NOT NULL,
    "step" INTEGER,
    "step_count" INTEGER NOT NULL,
    "weight_set" DOUBLE PRECISION,
    "weight_actual" DOUBLE PRECISION,
    "images" JSONB NOT NULL DEFAULT '[]',
    "attention_reason" TEXT,
    "attention_since" TIMESTAMPTZ(6),
    "attention_severity" TEXT,
    "view_digest" TEXT NOT NULL,
    "revision_key" TEXT NOT NULL,
    "revision" INTEGER,
    "resource_version" TEXT NOT NULL,
    "object" JSONB NOT NULL,
    "first_seen_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(6) NOT NULL,
    "gone_at" TIMESTAMPTZ(6),

    CONSTRAINT "rollout_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "replica_set" (
    "uid" TEXT NOT NULL,
    "cluster" TEXT NOT NULL,
    "namespace" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "rollout_id" UUID,
    "pod_hash" TEXT,
    "revision" INTEGER,
    "images" JSONB NOT NULL DEFAULT '[]',
    "replicas" INTEGER NOT NULL,
    "ready" INTEGER NOT NULL,
    "available" INTEGER NOT NULL,
    "desired" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL,
    "presence" TEXT NOT NULL DEFAULT 'live',
    "updated_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "replica_set_pkey" PRIMARY KEY ("uid")
);

-- CreateTable
CREATE TABLE "experiment" (
    "uid" TEXT NOT NULL,
    "cluster" TEXT NOT NULL,
    "namespace" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "rollout_id" UUID,
    "phase" TEXT NOT NULL,
    "message" TEXT NOT NULL,
    "object" JSONB NOT NULL,
    "presence" TEXT NOT NULL DEFAULT 'live',
    "updated_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "experiment_pkey" PRIMARY KEY ("uid")
);

-- CreateTable
CREATE TABLE "observation" (
    "id" BIGSERIAL NOT NULL,
    "rollout_id" UUID NOT NULL,
    "observed_at" TIMESTAMPTZ(6) NOT NULL,
    "resource_version" TEXT NOT NULL,
    "view_digest" TEXT NOT NULL,
    "writer" TEXT,
    "projection" JSONB NOT NULL,

    CONSTRAINT "observation_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "release" (
    "id" UUID NOT NULL,
    "rollout_id" UUID NOT NULL,
    "run_key" TEXT NOT NULL,
    "revision" INTEGER,
    "attempt" INTEGER NOT NULL,
    "state" TEXT NOT NULL,
    "message" TEXT NOT NULL,
    "images" JSONB NOT NULL DEFAULT '[]',
    "started_at" TIMESTAMPTZ(6) NOT NULL,
    "ended_at" TIMESTAMPTZ(6),
    "updated_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "release_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "timeline_event" (
    "id" UUID NOT NULL,
    "rollout_id" UUID NOT NULL,
    "at" TIMESTAMPTZ(6) NOT NULL,
    "ord" INTEGER NOT NULL DEFAULT 0,
    "kind" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "phase" TEXT,
    "run_name" TEXT,

    CONSTRAINT "timeline_event_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "analysis_run" (
    "uid" TEXT NOT NULL,
    "rollout_id" UUID NOT NULL,
    "cluster" TEXT NOT NULL,
    "namespace" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "owner_kind" TEXT,
    "owner_name" TEXT,
    "owner_uid" TEXT,
    "type" TEXT NOT NULL,
    "step_index" INTEGER,
    "revision" INTEGER,
    "pod_hash" TEXT,
    "phase" TEXT NOT NULL,
    "message" TEXT NOT NULL,
    "terminated" BOOLEAN NOT NULL DEFAULT false,
    "spec" JSONB NOT NULL,
    "run_summary" JSONB,
    "dry_run_summary" JSONB,
    "resource_version" TEXT NOT NULL,
    "presence" TEXT NOT NULL DEFAULT 'live',
    "created_at" TIMESTAMPTZ(6) NOT NULL,
    "started_at" TIMESTAMPTZ(6),
    "completed_at" TIMESTAMPTZ(6),
    "gone_at" TIMESTAMPTZ(6),
    "measurements_expired" BOOLEAN NOT NULL DEFAULT false,
    "first_seen_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "analysis_run_pkey" PRIMARY KEY ("uid")
);

-- CreateTable
CREATE TABLE "metric" (
    "run_uid" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "ord" INTEGER NOT NULL DEFAULT 0,
    "phase" TEXT NOT NULL,
    "message" TEXT NOT NULL,
    "dry_run" BOOLEAN NOT NULL DEFAULT false,
    "provider" TEXT,
    "count" INTEGER NOT NULL DEFAULT 0,
    "successful" INTEGER NOT NULL DEFAULT 0,
    "failed" INTEGER NOT NULL DEFAULT 0,
    "inconclusive" INTEGER NOT NULL DEFAULT 0,
    "error" INTEGER NOT NULL DEFAULT 0,
    "consecutive_error" INTEGER NOT NULL DEFAULT 0,
    "consecutive_success" INTEGER NOT NULL DEFAULT 0,
    "query" TEXT,
    "inconsistent" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "metric_pkey" PRIMARY KEY ("run_uid","name")
);

-- CreateTable
CREATE TABLE "measurement" (
    "rollout_id" UUID NOT NULL,
    "run_uid" TEXT NOT NULL,
    "metric" TEXT NOT NULL,
    "seq" INTEGER NOT NULL,
    "started_at" TIMESTAMPTZ(6) NOT NULL,
    "finished_at" TIMESTAMPTZ(6),
    "phase" TEXT NOT NULL,
    "value" TEXT,
    "escaped" BOOLEAN NOT NULL DEFAULT false,
    "parsed_kind" TEXT NOT NULL,
    "parsed" DOUBLE PRECISION,
    "message" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "measurement_pkey" PRIMARY KEY ("rollout_id","run_uid","metric","seq","started_at")
) PARTITION BY RANGE ("started_at");

-- CreateTable
CREATE TABLE "measurement_gap" (
    "run_uid" TEXT NOT NULL,
    "metric" TEXT NOT NULL,
    "after_seq" INTEGER NOT NULL,
    "count" INTEGER NOT NULL,
    "detected_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "measurement_gap_pkey" PRIMARY KEY ("run_uid","metric","after_seq")
);

-- CreateTable
CREATE TABLE "action" (
    "id" UUID NOT NULL,
    "rollout_id" UUID NOT NULL,
    "cluster" TEXT NOT NULL,
    "namespace" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "reason" TEXT,
    "actor_key" TEXT NOT NULL,
    "actor_name" TEXT NOT NULL,
    "view_digest" TEXT NOT NULL,
    "idempotency_key" TEXT,
    "request_hash" TEXT NOT NULL,
    "plan" JSONB NOT NULL DEFAULT '{}',
    "message" TEXT NOT NULL DEFAULT '',
    "intent_seq" BIGINT,
    "outcome_seq" BIGINT,
    "request_id" TEXT NOT NULL,
    "requested_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "applied_at" TIMESTAMPTZ(6),
    "effective_at" TIMESTAMPTZ(6),
    "deadline_at" TIMESTAMPTZ(6),

    CONSTRAINT "action_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "evidence" (
    "digest" TEXT NOT NULL,
    "content" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "evidence_pkey" PRIMARY KEY ("digest")
);

-- CreateTable
CREATE TABLE "audit_entry" (
    "seq" BIGINT NOT NULL,
    "time" TIMESTAMPTZ(6) NOT NULL,
    "entry" TEXT NOT NULL,
    "entry_hash" TEXT NOT NULL,
    "previous_hash" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "code" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "action" TEXT,
    "outcome" TEXT,
    "action_id" UUID,
    "actor_name" TEXT NOT NULL,
    "actor_subject" TEXT,
    "cluster" TEXT,
    "namespace" TEXT,
    "name" TEXT,
    "evidence_digest" TEXT,

    CONSTRAINT "audit_entry_pkey" PRIMARY KEY ("seq")
);

-- CreateTable
CREATE TABLE "user_account" (
    "id" UUID NOT NULL,
    "issuer" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "email" TEXT,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_seen_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "user_account_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "user_session" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "username" TEXT NOT NULL,
    "groups" TEXT[],
    "claims" JSONB NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_seen_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "idle_expires_at" TIMESTAMPTZ(6) NOT NULL,
    "absolute_expires_at" TIMESTAMPTZ(6) NOT NULL,
    "revoked_at" TIMESTAMPTZ(6),

    CONSTRAINT "user_session_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "api_token" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "owner_id" UUID NOT NULL,
    "username" TEXT NOT NULL,
    "groups" TEXT[],
    "token_hash" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(6),
    "last_used_at" TIMESTAMPTZ(6),
    "revoked_at" TIMESTAMPTZ(6),

    CONSTRAINT "api_token_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "quarantine" (
    "id" BIGSERIAL NOT NULL,
    "source_id" TEXT NOT NULL,
    "ref" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "raw" TEXT NOT NULL,
    "at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "quarantine_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "rollout_presence_namespace_name_id_idx" ON "rollout"("presence", "namespace", "name", "id");

-- CreateIndex
CREATE INDEX "rollout_attention_reason_attention_since_idx" ON "rollout"("attention_reason", "attention_since");

-- CreateIndex
CREATE UNIQUE INDEX "rollout_cluster_namespace_kind_name_uid_key" ON "rollout"("cluster", "namespace", "kind", "name", "uid");

-- CreateIndex
CREATE INDEX "replica_set_rollout_id_idx" ON "replica_set"("rollout_id");

-- CreateIndex
CREATE INDEX "experiment_rollout_id_idx" ON "experiment"("rollout_id");

-- CreateIndex
CREATE INDEX "observation_rollout_id_id_idx" ON "observation"("rollout_id", "id");

-- CreateIndex
CREATE INDEX "observation_view_digest_idx" ON "observation"("view_digest");

-- CreateIndex
CREATE UNIQUE INDEX "observation_rollout_id_resource_version_key" ON "observation"("rollout_id", "resource_version");

-- CreateIndex
CREATE INDEX "release_started_at_id_idx" ON "release"("started_at" DESC, "id");

-- CreateIndex
CREATE UNIQUE INDEX "release_rollout_id_run_key_attempt_key" ON "release"("rollout_id", "run_key", "attempt");

-- CreateIndex
CREATE INDEX "timeline_event_rollout_id_at_ord_idx" ON "timeline_event"("rollout_id", "at" DESC, "ord" DESC);

-- CreateIndex
CREATE INDEX "analysis_run_rollout_id_created_at_uid_idx" ON "analysis_run"("rollout_id", "created_at" DESC, "uid");

-- CreateIndex
CREATE INDEX "analysis_run_created_at_uid_idx" ON "analysis_run"("created_at" DESC, "uid");

-- CreateIndex
CREATE INDEX "action_rollout_id_requested_at_idx" ON "action"("rollout_id", "requested_at" DESC);

-- CreateIndex
CREATE INDEX "action_state_idx" ON "action"("state");

-- CreateIndex
CREATE UNIQUE INDEX "action_actor_key_idempotency_key_key" ON "action"("actor_key", "idempotency_key");

-- CreateIndex
CREATE UNIQUE INDEX "audit_entry_hash_key" ON "audit_entry"("hash");

-- CreateIndex
CREATE INDEX "audit_entry_cluster_namespace_name_seq_idx" ON "audit_entry"("cluster", "namespace", "name", "seq" DESC);

-- CreateIndex
CREATE INDEX "audit_entry_action_id_idx" ON "audit_entry"("action_id");

-- CreateIndex
CREATE UNIQUE INDEX "user_account_issuer_subject_key" ON "user_account"("issuer", "subject");

-- CreateIndex
CREATE INDEX "user_session_user_id_idx" ON "user_session"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "api_token_token_hash_key" ON "api_token"("token_hash");

-- CreateIndex
CREATE INDEX "api_token_owner_id_idx" ON "api_token"("owner_id");

-- CreateIndex
CREATE INDEX "quarantine_source_id_ref_idx" ON "quarantine"("source_id", "ref");

-- AddForeignKey
ALTER TABLE "metric" ADD CONSTRAINT "metric_run_uid_fkey" FOREIGN KEY ("run_uid") REFERENCES "analysis_run"("uid") ON DELETE CASCADE ON UPDATE CASCADE;

-- Partitions of measurement: by month, created ahead by the recorder; a default one takes whatever fits none.
CREATE TABLE "measurement_default" PARTITION OF "measurement" DEFAULT;

-- Creates the month's partition where it is missing. Runs as the owner, so that the recorder needs no CREATE right.
-- Rows of that month in the default partition make it keep them there: nothing is moved or lost.
CREATE FUNCTION ensure_measurement_partition(month date) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  first date := date_trunc('month', month)::date;
  partition text := 'measurement_' || to_char(date_trunc('month', month), 'YYYY_MM');
BEGIN
  IF to_regclass('public.' || partition) IS NOT NULL THEN
    RETURN false;
  END IF;
  EXECUTE format('CREATE TABLE %I PARTITION OF measurement FOR VALUES FROM (%L) TO (%L)',
    partition, first || ' 00:00:00+00', (first + interval '1 month')::date || ' 00:00:00+00');
  RETURN true;
EXCEPTION
  WHEN check_violation OR duplicate_table THEN
    RETURN false;
END $$;
REVOKE ALL ON FUNCTION ensure_measurement_partition(date) FROM PUBLIC;

-- What readers follow. An id alone loses late commits: order and resume by (xid, id), and read only rows whose xid
-- lies below pg_snapshot_xmin(pg_current_snapshot()).
CREATE TABLE "change_log" (
    "id" BIGSERIAL NOT NULL,
    "xid" xid8 NOT NULL DEFAULT pg_current_xact_id(),
    "at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
    "kind" TEXT NOT NULL,
    "ref" TEXT NOT NULL,
    "op" TEXT NOT NULL,
    "cluster" TEXT,
    "namespace" TEXT,

    CONSTRAINT "change_log_pkey" PRIMARY KEY ("xid","id")
);
CREATE INDEX "change_log_at_idx" ON "change_log"("at");

-- One NOTIFY per transaction: equal payloads of a transaction are sent once. It only wakes; readers read the table.
CREATE FUNCTION notify_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('gatehouse_change', '');
  RETURN NULL;
END $$;
CREATE TRIGGER change_log_notify AFTER INSERT ON "change_log" FOR EACH STATEMENT EXECUTE FUNCTION notify_change();

-- The audit log and its evidence only grow, for every role.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% on % is refused: the audit log is append-only', TG_OP, TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE TRIGGER audit_entry_append_only BEFORE UPDATE OR DELETE ON "audit_entry"
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_entry_no_truncate BEFORE TRUNCATE ON "audit_entry"
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER evidence_append_only BEFORE UPDATE OR DELETE ON "evidence"
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER evidence_no_truncate BEFORE TRUNCATE ON "evidence"
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Grants, where the two process roles exist.
DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'gatehouse_recorder') THEN
    GRANT USAGE ON SCHEMA public TO gatehouse_recorder;
    GRANT SELECT, INSERT, UPDATE, DELETE ON
      "cluster", "source", "source_lease", "rollout", "replica_set", "experiment", "observation", "release",
      "timeline_event", "analysis_run", "metric", "measurement", "measurement_gap", "quarantine", "change_log"
      TO gatehouse_recorder;
    GRANT SELECT, UPDATE ON "action" TO gatehouse_recorder;
    GRANT SELECT, INSERT ON "audit_entry", "evidence" TO gatehouse_recorder;
    GRANT USAGE ON SEQUENCE "observation_id_seq", "quarantine_id_seq", "change_log_id_seq" TO gatehouse_recorder;
    GRANT EXECUTE ON FUNCTION ensure_measurement_partition(date) TO gatehouse_recorder;
  END IF;
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'gatehouse_web') THEN
    GRANT USAGE ON SCHEMA public TO gatehouse_web;
    GRANT SELECT ON
      "cluster", "source", "source_lease", "rollout", "replica_set", "experiment", "observation", "release",
      "timeline_event", "analysis_run", "metric", "measurement", "measurement_gap", "quarantine", "change_log"
      TO gatehouse_web;
    GRANT SELECT, INSERT, UPDATE ON "action", "user_account", "user_session", "api_token" TO gatehouse_web;
    GRANT SELECT, INSERT ON "audit_entry", "evidence" TO gatehouse_web;
    GRANT INSERT ON "change_log" TO gatehouse_web;
    GRANT USAGE ON SEQUENCE "change_log_id_seq" TO gatehouse_web;
  END IF;
END $$;
