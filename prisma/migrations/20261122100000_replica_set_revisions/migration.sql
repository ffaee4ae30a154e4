-- Every revision that the ReplicaSet's pod template has been, the present one with those before it. Rows from before
-- have none: then "revision" is all that is known of them.
ALTER TABLE "replica_set" ADD COLUMN "revisions" JSONB NOT NULL DEFAULT '[]';
