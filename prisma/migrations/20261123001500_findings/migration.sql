-- Something that the rules of oversight noticed. The recorder writes it; the web acknowledges.
CREATE TABLE "finding" (
    "id" UUID NOT NULL,
    "rule" TEXT NOT NULL,
    "about" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "rollout_id" UUID,
    "cluster" TEXT NOT NULL,
    "namespace" TEXT NOT NULL DEFAULT '',
    "kind" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "severity" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "advice" TEXT,
    "evidence" JSONB NOT NULL,
    "run_key" TEXT,
    "run_uid" TEXT,
    "since" TIMESTAMPTZ(6) NOT NULL,
    "found_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
    "closed_at" TIMESTAMPTZ(6),
    "closed_why" TEXT,
    "acknowledged_at" TIMESTAMPTZ(6),
    "acknowledged_by" TEXT,
    "acknowledged_by_name" TEXT,
    "acknowledge_reason" TEXT,
    CONSTRAINT "finding_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "finding_about" CHECK ("about" IN ('rollout', 'source', 'controller')),
    CONSTRAINT "finding_severity" CHECK ("severity" IN ('info', 'warning', 'critical'))
);
CREATE INDEX "finding_about_subject_idx" ON "finding"("about", "subject");
CREATE INDEX "finding_since_id_idx" ON "finding"("since" DESC, "id");
CREATE INDEX "finding_rollout_id_idx" ON "finding"("rollout_id");
CREATE INDEX "finding_run_uid_idx" ON "finding"("run_uid");
-- Few are open at a time: counts and lists of them read nothing else.
CREATE INDEX "finding_open_idx" ON "finding"("since" DESC, "id") WHERE "closed_at" IS NULL;

CREATE TABLE "finding_review" (
    "rollout_id" UUID NOT NULL,
    "changes" BIGINT NOT NULL DEFAULT 1,
    "reviewed" BIGINT NOT NULL DEFAULT 0,
    "rules" TEXT NOT NULL DEFAULT '',
    "look_at" TIMESTAMPTZ(6),
    "reviewed_at" TIMESTAMPTZ(6),
    CONSTRAINT "finding_review_pkey" PRIMARY KEY ("rollout_id")
);
CREATE INDEX "finding_review_due_idx" ON "finding_review"("rollout_id") WHERE "changes" > "reviewed";
CREATE INDEX "finding_review_look_at_idx" ON "finding_review"("look_at") WHERE "look_at" IS NOT NULL;

-- A pause that Gatehouse placed by itself, or tried to: once for each version and step.
CREATE TABLE "hold" (
    "rollout_id" UUID NOT NULL,
    "run_key" TEXT NOT NULL,
    "step" INTEGER NOT NULL,
    "run_name" TEXT NOT NULL,
    "wanted_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
    "settled_at" TIMESTAMPTZ(6),
    "outcome" TEXT,
    "message" TEXT,
    "action_id" UUID,
    CONSTRAINT "hold_pkey" PRIMARY KEY ("rollout_id", "run_key", "step"),
    CONSTRAINT "hold_outcome" CHECK ("outcome" IN ('placed', 'refused'))
);

-- How far a reader of the change log has come, across restarts.
CREATE TABLE "change_place" (
    "reader" TEXT NOT NULL,
    "xid" xid8 NOT NULL,
    "id" BIGINT NOT NULL,
    CONSTRAINT "change_place_pkey" PRIMARY KEY ("reader")
);

ALTER TABLE "rollout"
    ADD COLUMN "open_findings" INTEGER NOT NULL DEFAULT 0,
    ADD COLUMN "worst_finding" TEXT,
    ADD COLUMN "worst_finding_since" TIMESTAMPTZ(6);

DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'gatehouse_recorder') THEN
    GRANT SELECT, INSERT, UPDATE ON "finding", "finding_review", "change_place", "hold" TO gatehouse_recorder;
    GRANT SELECT ON "acknowledgement" TO gatehouse_recorder;
    -- A hold is an action like any other, of Gatehouse itself.
    GRANT INSERT ON "action" TO gatehouse_recorder;
  END IF;
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'gatehouse_web') THEN
    GRANT SELECT ON "finding" TO gatehouse_web;
    GRANT UPDATE ("acknowledged_at", "acknowledged_by", "acknowledged_by_name", "acknowledge_reason", "updated_at")
      ON "finding" TO gatehouse_web;
    GRANT UPDATE ("open_findings", "worst_finding", "worst_finding_since") ON "rollout" TO gatehouse_web;
  END IF;
END $$;
