-- Somebody looks after what a rollout waits for. Counts until it expires, and only for the wait that it was given for.
CREATE TABLE "inbox_claim" (
    "rollout_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "attention_reason" TEXT NOT NULL,
    "attention_since" TIMESTAMPTZ(6) NOT NULL,
    "revision_key" TEXT NOT NULL,
    "claimed_by" TEXT NOT NULL,
    "claimed_by_name" TEXT NOT NULL,
    "claimed_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(6) NOT NULL,
    CONSTRAINT "inbox_claim_pkey" PRIMARY KEY ("rollout_id")
);

-- What a rollout waits for is put off for everybody: until a time, or without one until its view changes. It ends at
-- once when the wait becomes another one, or its severity changes.
CREATE TABLE "inbox_snooze" (
    "rollout_id" UUID NOT NULL,
    "view_digest" TEXT NOT NULL,
    "attention_reason" TEXT NOT NULL,
    "attention_since" TIMESTAMPTZ(6) NOT NULL,
    "attention_severity" TEXT,
    "revision_key" TEXT NOT NULL,
    "until" TIMESTAMPTZ(6),
    "reason" TEXT NOT NULL,
    "snoozed_by" TEXT NOT NULL,
    "snoozed_by_name" TEXT NOT NULL,
    "snoozed_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "inbox_snooze_pkey" PRIMARY KEY ("rollout_id")
);

DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'gatehouse_web') THEN
    GRANT SELECT, INSERT, UPDATE, DELETE ON "inbox_claim" TO gatehouse_web;
    GRANT SELECT, INSERT, UPDATE, DELETE ON "inbox_snooze" TO gatehouse_web;
  END IF;
END $$;
