-- Somebody has seen what a rollout waits for: it leaves the inbox until its state changes. The history is the audit log.
CREATE TABLE "acknowledgement" (
    "rollout_id" UUID NOT NULL,
    "view_digest" TEXT NOT NULL,
    "attention_reason" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "acknowledged_by" TEXT NOT NULL,
    "acknowledged_by_name" TEXT NOT NULL,
    "acknowledged_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "acknowledgement_pkey" PRIMARY KEY ("rollout_id")
);

DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'gatehouse_web') THEN
    GRANT SELECT, INSERT, UPDATE, DELETE ON "acknowledgement" TO gatehouse_web;
  END IF;
END $$;
