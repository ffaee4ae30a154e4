-- What an action was asked for with (revision, image, the run it is about), and when it was last followed.
ALTER TABLE "action" ADD COLUMN "params" JSONB NOT NULL DEFAULT '{}';
ALTER TABLE "action" ADD COLUMN "followed_at" TIMESTAMPTZ(6);
-- An approval is of one request with its parameters.
ALTER TABLE "approval" ADD COLUMN "params" JSONB NOT NULL DEFAULT '{}';
