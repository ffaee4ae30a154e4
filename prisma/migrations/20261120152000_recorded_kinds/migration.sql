-- The kinds that are recorded beside Rollouts and AnalysisRuns: templates with every version of their specs, Pods,
-- Deployments and Events; and what Experiments and ReplicaSets lacked to be shown by themselves.

-- What a rollout refers to, so that a template or a Deployment finds the rollouts that use it.
ALTER TABLE "rollout"
    ADD COLUMN "template_refs" JSONB NOT NULL DEFAULT '[]',
    ADD COLUMN "workload_ref" TEXT;
CREATE INDEX "rollout_template_refs_idx" ON "rollout" USING gin ("template_refs" jsonb_path_ops);
CREATE INDEX "rollout_cluster_namespace_workload_ref_idx" ON "rollout"("cluster", "namespace", "workload_ref");

ALTER TABLE "replica_set"
    ADD COLUMN "resource_version" TEXT NOT NULL DEFAULT '',
    ADD COLUMN "owner_kind" TEXT,
    ADD COLUMN "owner_uid" TEXT,
    ADD COLUMN "gone_at" TIMESTAMPTZ(6);
CREATE INDEX "replica_set_owner_uid_idx" ON "replica_set"("owner_uid");

ALTER TABLE "experiment"
    ADD COLUMN "resource_version" TEXT NOT NULL DEFAULT '',
    ADD COLUMN "owner_kind" TEXT,
    ADD COLUMN "owner_name" TEXT,
    ADD COLUMN "revision" INTEGER,
    ADD COLUMN "pod_hash" TEXT,
    ADD COLUMN "created_at" TIMESTAMPTZ(6),
    ADD COLUMN "available_at" TIMESTAMPTZ(6),
    ADD COLUMN "completed_at" TIMESTAMPTZ(6),
    ADD COLUMN "gone_at" TIMESTAMPTZ(6),
    ADD COLUMN "first_seen_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP;
UPDATE "experiment" SET "created_at" = "updated_at", "first_seen_at" = "updated_at";
ALTER TABLE "experiment" ALTER COLUMN "created_at" SET NOT NULL;
CREATE INDEX "experiment_created_at_uid_idx" ON "experiment"("created_at" DESC, "uid");

-- Looked up with every Experiment: which runs were stored before it.
CREATE INDEX "analysis_run_owner_uid_idx" ON "analysis_run"("owner_uid");

-- A gap that is open: the run vanished unseen before it ended, and `count` is the least that was lost.
ALTER TABLE "measurement_gap" ADD COLUMN "open" BOOLEAN NOT NULL DEFAULT false;

CREATE TABLE "pod" (
    "uid" TEXT NOT NULL,
    "cluster" TEXT NOT NULL,
    "namespace" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "owner_kind" TEXT,
    "owner_uid" TEXT,
    "pod_hash" TEXT,
    "phase" TEXT NOT NULL,
    "reason" TEXT,
    "message" TEXT NOT NULL DEFAULT '',
    "ready" BOOLEAN NOT NULL,
    "containers" INTEGER NOT NULL,
    "ready_containers" INTEGER NOT NULL,
    "restarts" INTEGER NOT NULL,
    "node" TEXT,
    "resource_version" TEXT NOT NULL,
    "presence" TEXT NOT NULL DEFAULT 'live',
    "created_at" TIMESTAMPTZ(6) NOT NULL,
    "started_at" TIMESTAMPTZ(6),
    "gone_at" TIMESTAMPTZ(6),
    "updated_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "pod_pkey" PRIMARY KEY ("uid")
);
CREATE INDEX "pod_owner_uid_created_at_uid_idx" ON "pod"("owner_uid", "created_at" DESC, "uid");
CREATE INDEX "pod_cluster_presence_namespace_idx" ON "pod"("cluster", "presence", "namespace");

CREATE TABLE "deployment" (
    "uid" TEXT NOT NULL,
    "cluster" TEXT NOT NULL,
    "namespace" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "images" JSONB NOT NULL DEFAULT '[]',
    "generation" BIGINT,
    "desired" INTEGER NOT NULL,
    "replicas" INTEGER NOT NULL,
    "ready" INTEGER NOT NULL,
    "available" INTEGER NOT NULL,
    "updated" INTEGER NOT NULL,
    "resource_version" TEXT NOT NULL,
    "presence" TEXT NOT NULL DEFAULT 'live',
    "created_at" TIMESTAMPTZ(6) NOT NULL,
    "gone_at" TIMESTAMPTZ(6),
    "updated_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "deployment_pkey" PRIMARY KEY ("uid")
);
CREATE INDEX "deployment_cluster_namespace_name_idx" ON "deployment"("cluster", "namespace", "name");

-- Both kinds; the namespace of a ClusterAnalysisTemplate is the empty text.
CREATE TABLE "analysis_template" (
    "uid" TEXT NOT NULL,
    "cluster" TEXT NOT NULL,
    "namespace" TEXT NOT NULL DEFAULT '',
    "kind" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "spec_hash" TEXT NOT NULL,
    "template_refs" JSONB NOT NULL DEFAULT '[]',
    "resource_version" TEXT NOT NULL,
    "presence" TEXT NOT NULL DEFAULT 'live',
    "created_at" TIMESTAMPTZ(6) NOT NULL,
    "first_seen_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "gone_at" TIMESTAMPTZ(6),
    "updated_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "analysis_template_pkey" PRIMARY KEY ("uid")
);
CREATE INDEX "analysis_template_cluster_kind_namespace_name_idx" ON "analysis_template"("cluster", "kind", "namespace", "name");
CREATE INDEX "analysis_template_template_refs_idx" ON "analysis_template" USING gin ("template_refs" jsonb_path_ops);

-- Every spec that a template was seen with, in order; going back to an earlier spec is a version too.
CREATE TABLE "analysis_template_version" (
    "template_uid" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "spec_hash" TEXT NOT NULL,
    "spec" JSONB NOT NULL,
    "generation" BIGINT,
    "resource_version" TEXT NOT NULL,
    "writer" TEXT,
    "written_at" TIMESTAMPTZ(6) NOT NULL,
    "observed_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "analysis_template_version_pkey" PRIMARY KEY ("template_uid","version")
);
CREATE INDEX "analysis_template_version_spec_hash_idx" ON "analysis_template_version"("spec_hash");
ALTER TABLE "analysis_template_version" ADD CONSTRAINT "analysis_template_version_template_uid_fkey"
    FOREIGN KEY ("template_uid") REFERENCES "analysis_template"("uid") ON DELETE CASCADE ON UPDATE CASCADE;

-- Events of the watched kinds, as the cluster counts them. They outlive the cluster's hour and end by retention.
CREATE TABLE "kube_event" (
    "uid" TEXT NOT NULL,
    "cluster" TEXT NOT NULL,
    "namespace" TEXT NOT NULL,
    "involved_kind" TEXT NOT NULL,
    "involved_name" TEXT NOT NULL,
    "involved_uid" TEXT NOT NULL,
    "rollout_id" UUID,
    "type" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "message" TEXT NOT NULL,
    "reporter" TEXT,
    "count" INTEGER NOT NULL,
    "first_at" TIMESTAMPTZ(6) NOT NULL,
    "last_at" TIMESTAMPTZ(6) NOT NULL,
    "resource_version" TEXT NOT NULL,
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "kube_event_pkey" PRIMARY KEY ("uid")
);
CREATE INDEX "kube_event_rollout_id_last_at_uid_idx" ON "kube_event"("rollout_id", "last_at" DESC, "uid");
CREATE INDEX "kube_event_last_at_idx" ON "kube_event"("last_at");
-- What waits for its rollout to be known. Exists only in SQL: Prisma cannot express it.
CREATE INDEX "kube_event_unlinked" ON "kube_event"("updated_at") WHERE "rollout_id" IS NULL;

DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'gatehouse_recorder') THEN
    GRANT SELECT, INSERT, UPDATE, DELETE ON
      "pod", "deployment", "analysis_template", "analysis_template_version", "kube_event" TO gatehouse_recorder;
  END IF;
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'gatehouse_web') THEN
    GRANT SELECT ON
      "pod", "deployment", "analysis_template", "analysis_template_version", "kube_event" TO gatehouse_web;
  END IF;
END $$;
