-- What a metric's source noted beside its values: null for none, and for what was recorded before.
ALTER TABLE "metric" ADD COLUMN "metadata" JSONB;
ALTER TABLE "measurement" ADD COLUMN "metadata" JSONB;
