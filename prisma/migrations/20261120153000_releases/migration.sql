-- Which version of the derivation made a rollout's releases and timeline. Those from before have 1: the recorder derives
-- them again, from the stored observations.
ALTER TABLE "rollout" ADD COLUMN "derivation_version" INTEGER NOT NULL DEFAULT 1;

-- The recorder looks for lower ones every second.
CREATE INDEX "rollout_derivation_version_idx" ON "rollout" ("derivation_version");
