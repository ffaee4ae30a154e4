-- A line of the change log names the rollout that the changed thing belongs to (or the top owner of a run that no
-- rollout owns), so that readers whose rights name single rollouts hear of it too. Null where that is not known.
ALTER TABLE "change_log" ADD COLUMN "name" TEXT;

-- Analysis runs and Experiments that were told to end early and were not looked at yet: a queue. `holders` are the field
-- managers that hold spec.terminate, as managedFields told at that moment; with the object they are not kept.
CREATE TABLE "termination" (
    "uid" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "holders" JSONB NOT NULL,
    "observed_at" TIMESTAMPTZ(6) NOT NULL,
    "is_first_sight" BOOLEAN NOT NULL,
    CONSTRAINT "termination_pkey" PRIMARY KEY ("uid")
);

-- What was terminated: the uid and name of the run or Experiment. Empty for what was done to the rollout itself.
ALTER TABLE "unasked_change" ADD COLUMN "subject_uid" TEXT NOT NULL DEFAULT '';
ALTER TABLE "unasked_change" ADD COLUMN "subject_name" TEXT;
ALTER TABLE "unasked_change" DROP CONSTRAINT "unasked_change_pkey";
ALTER TABLE "unasked_change" ADD CONSTRAINT "unasked_change_pkey"
  PRIMARY KEY ("rollout_id", "observation_id", "action", "subject_uid");

DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'gatehouse_recorder') THEN
    GRANT SELECT, INSERT, DELETE ON "termination" TO gatehouse_recorder;
  END IF;
END $$;
