-- Changes that somebody made to a rollout without Gatehouse, each with its audit entry, and how far the observations of
-- each rollout have been looked through. What was observed before this migration is not gone through.
CREATE TABLE "unasked_change" (
    "rollout_id" UUID NOT NULL,
    "observation_id" BIGINT NOT NULL,
    "action" TEXT NOT NULL,
    "client" TEXT,
    "at" TIMESTAMPTZ(6) NOT NULL,
    "audit_seq" BIGINT NOT NULL,
    CONSTRAINT "unasked_change_pkey" PRIMARY KEY ("rollout_id", "observation_id", "action")
);

CREATE TABLE "observation_review" (
    "rollout_id" UUID NOT NULL,
    "observation_id" BIGINT NOT NULL,
    "explained" JSONB NOT NULL DEFAULT '[]',
    CONSTRAINT "observation_review_pkey" PRIMARY KEY ("rollout_id")
);
INSERT INTO "observation_review" ("rollout_id", "observation_id")
  SELECT "rollout_id", max("id") FROM "observation" GROUP BY "rollout_id";

DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'gatehouse_recorder') THEN
    GRANT SELECT, INSERT ON "unasked_change" TO gatehouse_recorder;
    GRANT SELECT, INSERT, UPDATE ON "observation_review" TO gatehouse_recorder;
  END IF;
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'gatehouse_web') THEN
    GRANT SELECT ON "unasked_change" TO gatehouse_web;
  END IF;
END $$;
