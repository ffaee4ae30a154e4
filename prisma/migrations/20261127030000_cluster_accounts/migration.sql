-- Gatehouse's own accounts at clusters, as the web processes found them: whose word about a person is believed in audit
-- events, and which of them can be anybody.
CREATE TABLE "cluster_account" (
    "cluster" TEXT NOT NULL,
    "username" TEXT NOT NULL,
    "unlimited" TEXT,
    "unlimited_since" TIMESTAMPTZ(6),
    "checked_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
    CONSTRAINT "cluster_account_pkey" PRIMARY KEY ("cluster", "username")
);

ALTER TABLE "finding" DROP CONSTRAINT "finding_about",
    ADD CONSTRAINT "finding_about" CHECK ("about" IN ('rollout', 'cluster', 'source', 'controller'));

DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'gatehouse_recorder') THEN
    GRANT SELECT ON "cluster_account" TO gatehouse_recorder;
  END IF;
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'gatehouse_web') THEN
    GRANT SELECT, INSERT, UPDATE ON "cluster_account" TO gatehouse_web;
  END IF;
END $$;
