-- Parts of recorded objects that rarely change: each is stored once, by the digest of its content.
CREATE TABLE "recorded_part" (
    "digest" TEXT NOT NULL,
    "content" JSONB NOT NULL,

    CONSTRAINT "recorded_part_pkey" PRIMARY KEY ("digest")
);

-- The object of each observation, so that a release can be shown as it was at any moment. Null in older observations.
ALTER TABLE "observation" ADD COLUMN "object" JSONB;
ALTER TABLE "observation" ADD COLUMN "spec_digest" TEXT;

-- The pod template of each revision, to compare releases.
ALTER TABLE "replica_set" ADD COLUMN "template_digest" TEXT;

DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'gatehouse_recorder') THEN
    GRANT SELECT, INSERT ON "recorded_part" TO gatehouse_recorder;
  END IF;
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'gatehouse_web') THEN
    GRANT SELECT ON "recorded_part" TO gatehouse_web;
  END IF;
END $$;
