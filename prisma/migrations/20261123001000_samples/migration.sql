-- What was sampled of rollouts under way. `route` and `weight`: the percentage of the traffic on the new version, by the
-- object that routes it and by the controller's own metrics. `value`: of a metric of its analysis, by the latter.
CREATE TABLE "rollout_sample" (
    "id" BIGSERIAL NOT NULL,
    "rollout_id" UUID NOT NULL,
    "what" TEXT NOT NULL,
    "metric" TEXT NOT NULL DEFAULT '',
    "at" TIMESTAMPTZ(6) NOT NULL,
    "value" DOUBLE PRECISION NOT NULL,
    CONSTRAINT "rollout_sample_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "rollout_sample_what" CHECK ("what" IN ('route', 'weight', 'value'))
);
CREATE UNIQUE INDEX "rollout_sample_rollout_id_what_metric_at_key" ON "rollout_sample"("rollout_id", "what", "metric", "at");
CREATE INDEX "rollout_sample_at_idx" ON "rollout_sample"("at");

-- What it showed of the controller itself, for the rollouts of one kind at a cluster.
CREATE TABLE "sampled_controller" (
    "cluster" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "version" TEXT,
    "default_router" TEXT,
    "seen_at" TIMESTAMPTZ(6) NOT NULL,
    CONSTRAINT "sampled_controller_pkey" PRIMARY KEY ("cluster", "kind")
);

DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'gatehouse_recorder') THEN
    GRANT SELECT, INSERT, DELETE ON "rollout_sample" TO gatehouse_recorder;
    GRANT USAGE ON SEQUENCE "rollout_sample_id_seq" TO gatehouse_recorder;
    GRANT SELECT, INSERT, UPDATE ON "sampled_controller" TO gatehouse_recorder;
  END IF;
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'gatehouse_web') THEN
    GRANT SELECT ON "rollout_sample", "sampled_controller" TO gatehouse_web;
  END IF;
END $$;
