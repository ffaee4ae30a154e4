-- What every provider says of a state, as columns: no statement has to look into a provider's own projection.
ALTER TABLE "observation"
  ADD COLUMN "provider" TEXT NOT NULL DEFAULT '',
  ADD COLUMN "run_key" TEXT NOT NULL DEFAULT '',
  ADD COLUMN "revision" INTEGER,
  ADD COLUMN "step" INTEGER,
  ADD COLUMN "weight_set" DOUBLE PRECISION,
  ADD COLUMN "abort_asked" BOOLEAN NOT NULL DEFAULT false;
UPDATE "observation" SET
  "provider" = CASE WHEN "projection" ? 'view' THEN 'argo' ELSE '' END,
  "run_key" = COALESCE("projection" ->> 'currentPodHash', ''),
  "revision" = ("projection" #>> '{view,revision}')::float8::int,
  "step" = ("projection" #>> '{view,step}')::float8::int,
  "weight_set" = ("projection" #>> '{view,weight}')::float8,
  "abort_asked" = COALESCE(("projection" ->> 'abort')::boolean, false);
