-- The id is the UUIDv5 of these columns, so they are unique as they are. As a second unique index they made an upsert by
-- id fail with a duplicate key at times, when another transaction updated the row meanwhile: PostgreSQL asks only the
-- named index first, and may miss a row that moves.
DROP INDEX "rollout_cluster_namespace_kind_name_uid_key";
CREATE INDEX "rollout_cluster_namespace_kind_name_uid_idx" ON "rollout" ("cluster", "namespace", "kind", "name", "uid");
