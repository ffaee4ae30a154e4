-- The pod templates of workloads that rollouts name or control: they are the versions of rollouts without a template of their own.
ALTER TABLE "deployment" ADD COLUMN "template_digest" TEXT;

-- The pod templates of the wanted and of the stable revision, as far as the provider knew them. Null in older observations.
ALTER TABLE "observation" ADD COLUMN "template_digest" TEXT;
ALTER TABLE "observation" ADD COLUMN "stable_template_digest" TEXT;

CREATE INDEX "observation_template_idx" ON "observation" ("rollout_id", "run_key", "id")
  WHERE "template_digest" IS NOT NULL;
