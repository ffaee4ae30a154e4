-- A person's word on one gate of one canary. Only voiding changes a row, once; a word is never deleted.
CREATE TABLE "gate_decision" (
    "id" UUID NOT NULL,
    "seq" BIGSERIAL NOT NULL,
    "rollout_id" UUID NOT NULL,
    "cluster" TEXT NOT NULL,
    "namespace" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "uid" TEXT NOT NULL,
    "gate" TEXT NOT NULL,
    "verdict" TEXT NOT NULL,
    "bound" JSONB NOT NULL,
    "actor_name" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "decided_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
    "expires_at" TIMESTAMPTZ(6),
    "voided_at" TIMESTAMPTZ(6),
    "voided_why" TEXT,
    CONSTRAINT "gate_decision_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "gate_decision_gate" CHECK ("gate" IN ('confirm-rollout', 'confirm-traffic-increase', 'confirm-promotion', 'rollback')),
    -- Each verdict only at the gates that it can open: a row that no planner made must not open another one.
    CONSTRAINT "gate_decision_verdict" CHECK (
      "verdict" = 'hold' OR ("verdict" = 'rollback' AND "gate" = 'rollback') OR ("verdict" = 'approve' AND "gate" <> 'rollback')
    ),
    -- Whatever lets a call pass is bound to something, and ends by itself.
    CONSTRAINT "gate_decision_bound" CHECK (
      "verdict" = 'hold' OR ("expires_at" IS NOT NULL AND ("bound" ? 'checksum' OR "bound" ? 'templateHash'))
    )
);
CREATE INDEX "gate_decision_cluster_namespace_name_seq_idx" ON "gate_decision"("cluster", "namespace", "name", "seq" DESC);
CREATE INDEX "gate_decision_rollout_id_seq_idx" ON "gate_decision"("rollout_id", "seq" DESC);

CREATE FUNCTION keep_gate_decision() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.voided_at IS NULL AND NEW.voided_at IS NOT NULL
    AND to_jsonb(OLD) - ARRAY['voided_at', 'voided_why'] = to_jsonb(NEW) - ARRAY['voided_at', 'voided_why'] THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION '% on % is refused: a decision can only be voided, once', TG_OP, TG_TABLE_NAME
    USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE TRIGGER gate_decision_keep BEFORE UPDATE OR DELETE ON "gate_decision"
  FOR EACH ROW EXECUTE FUNCTION keep_gate_decision();
CREATE TRIGGER gate_decision_no_truncate BEFORE TRUNCATE ON "gate_decision"
  FOR EACH STATEMENT EXECUTE FUNCTION keep_gate_decision();

-- Each call of a hook with a valid credential, and its answer. A log: nothing is decided by it.
CREATE TABLE "hook_call" (
    "id" BIGSERIAL NOT NULL,
    "at" TIMESTAMPTZ(6) NOT NULL,
    "cluster" TEXT NOT NULL,
    "namespace" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "label" TEXT NOT NULL DEFAULT '',
    "phase" TEXT NOT NULL,
    "checksum" TEXT NOT NULL DEFAULT '',
    "status" INTEGER NOT NULL,
    "reason" TEXT NOT NULL,
    "decision_id" UUID,
    CONSTRAINT "hook_call_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "hook_call_cluster_namespace_name_type_at_idx" ON "hook_call"("cluster", "namespace", "name", "type", "at" DESC);
CREATE INDEX "hook_call_at_idx" ON "hook_call"("at");
-- How often a decision was served. Exists only in SQL: Prisma cannot express it.
CREATE INDEX "hook_call_served" ON "hook_call"("decision_id") WHERE "decision_id" IS NOT NULL AND "status" = 200;

-- What a controller said about a canary, each message once.
CREATE TABLE "controller_message" (
    "id" BIGSERIAL NOT NULL,
    "cluster" TEXT NOT NULL,
    "namespace" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "uid" TEXT,
    "rollout_id" UUID,
    "source" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "message" TEXT NOT NULL,
    "message_digest" TEXT NOT NULL,
    "controller_time" TIMESTAMPTZ(6) NOT NULL,
    "received_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
    "phase" TEXT NOT NULL DEFAULT '',
    "checksum" TEXT NOT NULL DEFAULT '',
    "clock_skewed" BOOLEAN NOT NULL DEFAULT false,
    CONSTRAINT "controller_message_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "controller_message_source" CHECK ("source" IN ('webhook', 'kubernetes'))
);
CREATE UNIQUE INDEX "controller_message_cluster_namespace_name_message_digest_co_key"
  ON "controller_message"("cluster", "namespace", "name", "message_digest", "controller_time");
CREATE INDEX "controller_message_rollout_id_received_at_id_idx" ON "controller_message"("rollout_id", "received_at" DESC, "id");
CREATE INDEX "controller_message_received_at_idx" ON "controller_message"("received_at");
CREATE INDEX "controller_message_unmatched" ON "controller_message"("received_at") WHERE "uid" IS NULL;

-- Messages about canaries that nobody knows are kept for a day. Runs as the owner: the web process may delete these and
-- nothing else.
CREATE FUNCTION delete_unmatched_messages() RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  gone bigint;
BEGIN
  DELETE FROM controller_message WHERE id IN (
    SELECT id FROM controller_message WHERE uid IS NULL AND received_at < clock_timestamp() - interval '1 day'
     ORDER BY received_at LIMIT 10000);
  GET DIAGNOSTICS gone = ROW_COUNT;
  RETURN gone;
END $$;
REVOKE ALL ON FUNCTION delete_unmatched_messages() FROM PUBLIC;

-- What a controller identifies itself with at our hooks; only a hash of the secret.
CREATE TABLE "hook_credential" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "cluster" TEXT NOT NULL,
    "namespaces" TEXT[],
    "secret_hash" TEXT NOT NULL,
    "created_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(6),
    "revoked_at" TIMESTAMPTZ(6),
    "last_used_at" TIMESTAMPTZ(6),
    CONSTRAINT "hook_credential_pkey" PRIMARY KEY ("id")
);

DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'gatehouse_recorder') THEN
    -- The recorder voids decisions whose run has ended, and deletes by age. It cannot make a decision.
    GRANT SELECT, UPDATE ("voided_at", "voided_why") ON "gate_decision" TO gatehouse_recorder;
    GRANT SELECT, DELETE ON "hook_call" TO gatehouse_recorder;
    GRANT SELECT, INSERT, UPDATE, DELETE ON "controller_message" TO gatehouse_recorder;
    GRANT USAGE ON SEQUENCE "controller_message_id_seq" TO gatehouse_recorder;
  END IF;
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'gatehouse_web') THEN
    GRANT SELECT, INSERT, UPDATE ("voided_at", "voided_why") ON "gate_decision" TO gatehouse_web;
    GRANT SELECT, INSERT ON "hook_call", "controller_message" TO gatehouse_web;
    GRANT SELECT, INSERT, UPDATE ("revoked_at", "last_used_at") ON "hook_credential" TO gatehouse_web;
    GRANT USAGE ON SEQUENCE "gate_decision_seq_seq", "hook_call_id_seq", "controller_message_id_seq" TO gatehouse_web;
    GRANT EXECUTE ON FUNCTION delete_unmatched_messages() TO gatehouse_web;
  END IF;
END $$;
