-- What a source holds back because it is not believed yet, the release of it by a person, and how far the cluster's
-- clock is from ours.

ALTER TABLE "source" ADD COLUMN "clock_skew_ms" INTEGER;

CREATE TABLE "source_hold" (
    "source_id" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "reason" TEXT NOT NULL,
    "since" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "objects" JSONB NOT NULL,
    CONSTRAINT "source_hold_pkey" PRIMARY KEY ("source_id")
);

CREATE TABLE "source_release" (
    "id" UUID NOT NULL,
    "source_id" TEXT NOT NULL,
    "hold_id" UUID NOT NULL,
    "uids" TEXT[],
    "reason" TEXT NOT NULL,
    "actor_name" TEXT NOT NULL,
    "audit_seq" BIGINT NOT NULL,
    "asked_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "done_at" TIMESTAMPTZ(6),
    CONSTRAINT "source_release_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "source_release_source_id_done_at_idx" ON "source_release"("source_id", "done_at");

DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'gatehouse_recorder') THEN
    GRANT SELECT, INSERT, UPDATE, DELETE ON "source_hold" TO gatehouse_recorder;
    GRANT SELECT, UPDATE ON "source_release" TO gatehouse_recorder;
  END IF;
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'gatehouse_web') THEN
    GRANT SELECT ON "source_hold" TO gatehouse_web;
    GRANT SELECT, INSERT ON "source_release" TO gatehouse_web;
  END IF;
END $$;
