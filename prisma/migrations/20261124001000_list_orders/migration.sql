-- An index for each order that a list offers, word for word as lib/server/services sorts. Times that may be missing have
-- one for each direction, since rows without them come last in both.
CREATE INDEX "rollout_namespace_name_id_idx" ON "rollout"("namespace", "name", "id");
CREATE INDEX "rollout_by_phase" ON "rollout"((CASE "phase" WHEN 'Degraded' THEN 1 WHEN 'Paused' THEN 2
  WHEN 'Progressing' THEN 3 WHEN 'Healthy' THEN 5 ELSE 4 END), "namespace", "name", "id");
CREATE INDEX "rollout_by_wait" ON "rollout"(
  COALESCE(CASE WHEN "attention_reason" NOT IN ('degraded', 'finding') THEN "attention_since" END, 'infinity'), "id");
CREATE INDEX "rollout_by_wait_desc" ON "rollout"(
  COALESCE(CASE WHEN "attention_reason" NOT IN ('degraded', 'finding') THEN "attention_since" END, '-infinity'), "id");

CREATE INDEX "release_by_state" ON "release"((CASE "state" WHEN 'aborted' THEN 6 WHEN 'paused' THEN 5
  WHEN 'progressing' THEN 4 WHEN 'superseded' THEN 2 WHEN 'promoted' THEN 1 ELSE 3 END), "started_at", "id");
CREATE INDEX "release_by_duration" ON "release"(
  COALESCE(extract(epoch FROM "ended_at" - "started_at")::numeric, 1000000000000), "id");
CREATE INDEX "release_by_duration_desc" ON "release"(
  COALESCE(extract(epoch FROM "ended_at" - "started_at")::numeric, -1), "id");

CREATE INDEX "analysis_run_name_uid_idx" ON "analysis_run"("name", "uid");
CREATE INDEX "analysis_run_by_phase" ON "analysis_run"((CASE "phase" WHEN 'Failed' THEN 7 WHEN 'Error' THEN 6
  WHEN 'Inconclusive' THEN 5 WHEN 'Running' THEN 4 WHEN 'Pending' THEN 3 WHEN '' THEN 3 WHEN 'Successful' THEN 1 ELSE 2 END),
  "created_at", "uid");
-- Runs are found by the name of a metric.
CREATE INDEX "metric_name_run_uid_idx" ON "metric"("name", "run_uid");

CREATE INDEX "experiment_name_uid_idx" ON "experiment"("name", "uid");
CREATE INDEX "experiment_by_phase" ON "experiment"((CASE "phase" WHEN 'Failed' THEN 7 WHEN 'Error' THEN 6
  WHEN 'Inconclusive' THEN 5 WHEN 'Running' THEN 4 WHEN 'Pending' THEN 3 WHEN '' THEN 3 WHEN 'Successful' THEN 1 ELSE 2 END),
  "created_at", "uid");

CREATE INDEX "analysis_template_name_namespace_uid_idx" ON "analysis_template"("name", "namespace", "uid");
CREATE INDEX "analysis_template_version_written_at_template_uid_idx"
  ON "analysis_template_version"("written_at", "template_uid");
