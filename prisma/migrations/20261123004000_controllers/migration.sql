-- Values of controllers' own metrics. `labels` is JSON with sorted names, or empty.
CREATE TABLE "controller_sample" (
    "id" BIGSERIAL NOT NULL,
    "cluster" TEXT NOT NULL,
    "component" TEXT NOT NULL,
    "series" TEXT NOT NULL,
    "labels" TEXT NOT NULL DEFAULT '',
    "at" TIMESTAMPTZ(6) NOT NULL,
    "value" DOUBLE PRECISION NOT NULL,
    CONSTRAINT "controller_sample_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "controller_sample_cluster_component_at_series_labels_key" ON "controller_sample"("cluster", "component", "at", "series", "labels");
CREATE INDEX "controller_sample_at_idx" ON "controller_sample"("at");

-- What is known of the scrapes of one component: the newest attempt, and since when they succeed or fail.
CREATE TABLE "controller_scrape" (
    "cluster" TEXT NOT NULL,
    "component" TEXT NOT NULL,
    "at" TIMESTAMPTZ(6) NOT NULL,
    "state" JSONB NOT NULL,
    CONSTRAINT "controller_scrape_pkey" PRIMARY KEY ("cluster", "component")
);

DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'gatehouse_recorder') THEN
    GRANT SELECT, INSERT, DELETE ON "controller_sample" TO gatehouse_recorder;
    GRANT USAGE ON SEQUENCE "controller_sample_id_seq" TO gatehouse_recorder;
    GRANT SELECT, INSERT, UPDATE ON "controller_scrape" TO gatehouse_recorder;
  END IF;
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'gatehouse_web') THEN
    GRANT SELECT ON "controller_sample", "controller_scrape" TO gatehouse_web;
  END IF;
END $$;
