-- Requests for a second person's word, bound to one action on one object in one view; each can be used once.
CREATE TABLE "approval" (
    "id" UUID NOT NULL,
    "rollout_id" UUID NOT NULL,
    "cluster" TEXT NOT NULL,
    "namespace" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "uid" TEXT NOT NULL,
    "view_digest" TEXT NOT NULL,
    "rule" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "requested_by" TEXT NOT NULL,
    "requested_by_name" TEXT NOT NULL,
    "requested_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(6) NOT NULL,
    "decision" TEXT,
    "decided_by" TEXT,
    "decided_by_name" TEXT,
    "decided_at" TIMESTAMPTZ(6),
    "decision_reason" TEXT,
    "action_id" UUID,
    CONSTRAINT "approval_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "approval_rollout_id_requested_at_idx" ON "approval"("rollout_id", "requested_at" DESC);
CREATE INDEX "approval_expires_at_idx" ON "approval"("expires_at");

DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'gatehouse_web') THEN
    GRANT SELECT, INSERT, UPDATE ON "approval" TO gatehouse_web;
  END IF;
END $$;
