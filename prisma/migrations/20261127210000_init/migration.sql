-- The tables of Gatehouse. prisma/schema.prisma says what each holds. Partitions, functions, triggers, grants, and
-- indexes over expressions or parts of a table are only here: Prisma cannot express them.

DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_extension WHERE extname = 'pg_trgm') THEN
    CREATE EXTENSION pg_trgm;
  END IF;
EXCEPTION WHEN OTHERS THEN
  RAISE EXCEPTION 'Gatehouse needs the extension pg_trgm of PostgreSQL, and could not create it: %', SQLERRM
    USING HINT = 'Install the contrib modules of PostgreSQL if they are missing, run CREATE EXTENSION pg_trgm in this '
      || 'database as a role that may, then start Gatehouse again.';
END $$;

-- Words are what stands between punctuation: half of v5.3.0 or of error-rate is found too. Bound when they are created,
-- since indexes are also maintained with another search path. Only the beginning of a text counts: a tsvector has a
-- limit, and a row must not be refused for its text.
CREATE FUNCTION search_words(searched text) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN to_tsvector('simple'::regconfig,
    translate(left(searched, 20000), '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~', '                                '));

-- What people search an audit entry for. The canonical text writes its reason as JSON.
CREATE FUNCTION audit_words(actor_name text, actor_subject text, code text, cluster text, namespace text, name text,
  entry text) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN search_words(actor_name || ' ' || COALESCE(actor_subject, '') || ' ' || code || ' ' || COALESCE(cluster, '')
    || ' ' || COALESCE(namespace, '') || ' ' || COALESCE(name, '') || ' '
    || COALESCE(substring(entry FROM '"reason":"((?:[^"\\]|\\.)*)"'), ''));

-- Objects of a cluster have no foreign key to their rollout: a run or a ReplicaSet may be seen before its rollout, or
-- belong to none (docs/adr/0015). Rollouts, audit entries, accounts and clusters are never deleted, so a column that
-- names one has an index only if a statement reads by it.

CREATE TABLE cluster (
  name TEXT PRIMARY KEY,
  kube_system_uid TEXT,
  first_seen_at TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP
);

CREATE TABLE source (
  id TEXT PRIMARY KEY,
  cluster TEXT NOT NULL, resource TEXT NOT NULL, kind TEXT NOT NULL, namespace TEXT NOT NULL DEFAULT '',
  state TEXT NOT NULL,
  last_error TEXT, error_code TEXT,
  watch_contact_at TIMESTAMPTZ(6), read_contact_at TIMESTAMPTZ(6), synced_at TIMESTAMPTZ(6),
  resource_version TEXT,
  objects INTEGER NOT NULL DEFAULT 0, stale_after_ms INTEGER NOT NULL DEFAULT 60000,
  history_begins_at TIMESTAMPTZ(6),
  clock_skew_ms INTEGER,
  updated_at TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  FOREIGN KEY (cluster) REFERENCES cluster(name) ON UPDATE CASCADE ON DELETE RESTRICT
);

CREATE TABLE source_hold (
  source_id TEXT PRIMARY KEY,
  id UUID NOT NULL,
  reason TEXT NOT NULL,
  since TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  objects JSONB NOT NULL,
  FOREIGN KEY (source_id) REFERENCES source(id) ON UPDATE CASCADE ON DELETE CASCADE
);

CREATE TABLE evidence (
  digest TEXT PRIMARY KEY,
  content TEXT NOT NULL,
  created_at TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP
);

CREATE TABLE audit_entry (
  seq BIGINT PRIMARY KEY,
  time TIMESTAMPTZ(6) NOT NULL,
  entry TEXT NOT NULL, entry_hash TEXT NOT NULL, previous_hash TEXT NOT NULL, hash TEXT NOT NULL,
  code TEXT NOT NULL,
  source TEXT NOT NULL,
  action TEXT, outcome TEXT,
  action_id UUID,
  actor_name TEXT NOT NULL, actor_subject TEXT,
  cluster TEXT, namespace TEXT, kind TEXT, name TEXT,
  evidence_digest TEXT,
  FOREIGN KEY (evidence_digest) REFERENCES evidence(digest) ON UPDATE CASCADE ON DELETE RESTRICT
);
CREATE INDEX audit_entry_cluster_namespace_name_seq_idx ON audit_entry (cluster, namespace, name, seq DESC);
CREATE INDEX audit_entry_action_id_idx ON audit_entry (action_id);
CREATE INDEX audit_entry_words ON audit_entry
  USING gin (audit_words(actor_name, actor_subject, code, cluster, namespace, name, entry))
  WITH (fastupdate = off);
CREATE INDEX audit_entry_actor ON audit_entry (left(actor_name, 200), left(COALESCE(actor_subject, ''), 200), seq);

CREATE TABLE audit_stream (
  name TEXT PRIMARY KEY,
  seq BIGINT NOT NULL, hash TEXT,
  failing_since TIMESTAMPTZ(6), error TEXT
);

CREATE TABLE source_release (
  id UUID PRIMARY KEY,
  source_id TEXT NOT NULL,
  hold_id UUID NOT NULL,
  uids TEXT[],
  reason TEXT NOT NULL,
  audit_seq BIGINT NOT NULL,
  asked_at TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  done_at TIMESTAMPTZ(6),
  FOREIGN KEY (source_id) REFERENCES source(id) ON UPDATE CASCADE ON DELETE CASCADE,
  FOREIGN KEY (audit_seq) REFERENCES audit_entry(seq) ON UPDATE CASCADE ON DELETE RESTRICT
);

CREATE TABLE source_lease (
  source_id TEXT PRIMARY KEY,
  holder TEXT NOT NULL,
  epoch BIGINT NOT NULL,
  expires_at TIMESTAMPTZ(6) NOT NULL
);

CREATE TABLE rollout (
  id UUID PRIMARY KEY,
  cluster TEXT NOT NULL, namespace TEXT NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL, uid TEXT NOT NULL,
  labels JSONB NOT NULL DEFAULT '{}',
  presence TEXT NOT NULL DEFAULT 'live',
  strategy TEXT,
  phase TEXT NOT NULL,
  provider_phase TEXT,
  message TEXT NOT NULL,
  step INTEGER, step_count INTEGER NOT NULL,
  weight_set DOUBLE PRECISION, weight_actual DOUBLE PRECISION,
  images JSONB NOT NULL DEFAULT '[]',
  attention_reason TEXT, attention_since TIMESTAMPTZ(6), attention_severity TEXT,
  view_digest TEXT NOT NULL, revision_key TEXT NOT NULL,
  revision INTEGER,
  resource_version TEXT NOT NULL,
  derivation_version INTEGER NOT NULL DEFAULT 1,
  runs_due BOOLEAN NOT NULL DEFAULT false,
  object JSONB NOT NULL,
  template_refs JSONB NOT NULL DEFAULT '[]',
  workload_ref TEXT,
  workloads JSONB NOT NULL DEFAULT '[]',
  open_findings INTEGER NOT NULL DEFAULT 0,
  worst_finding TEXT,
  worst_finding_since TIMESTAMPTZ(6), first_seen_at TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at TIMESTAMPTZ(6) NOT NULL,
  gone_at TIMESTAMPTZ(6),
  FOREIGN KEY (cluster) REFERENCES cluster(name) ON UPDATE CASCADE ON DELETE RESTRICT
);
CREATE INDEX rollout_attention_reason_attention_since_idx ON rollout (attention_reason, attention_since);
CREATE INDEX rollout_labels_idx ON rollout USING gin (labels jsonb_path_ops);
CREATE INDEX rollout_template_refs_idx ON rollout USING gin (template_refs jsonb_path_ops);
CREATE INDEX rollout_derivation_version_idx ON rollout (derivation_version);
CREATE INDEX rollout_cluster_namespace_kind_name_uid_idx ON rollout (cluster, namespace, kind, name, uid);
CREATE INDEX rollout_runs_due ON rollout (id) WHERE runs_due;
CREATE INDEX rollout_namespace_name_id_idx ON rollout (namespace, name, id);
CREATE INDEX rollout_by_need ON rollout ((CASE WHEN CASE WHEN attention_reason = 'finding' AND attention_severity = 'critical' THEN 1
  ELSE CASE attention_reason WHEN 'inconclusive' THEN 0 WHEN 'gate' THEN 0
  WHEN 'pause' THEN 0 WHEN 'blueGreenPromotion' THEN 0 WHEN 'degraded' THEN 1 WHEN 'finding' THEN 2
  ELSE CASE phase WHEN 'Paused' THEN 3 WHEN 'Progressing' THEN 3 WHEN 'Healthy' THEN 5 ELSE 4 END END END = 1
  AND attention_severity = 'critical' AND weight_actual > 0 THEN 0 ELSE 1 END),
  (CASE WHEN attention_reason = 'finding' AND attention_severity = 'critical' THEN 1
  ELSE CASE attention_reason WHEN 'inconclusive' THEN 0 WHEN 'gate' THEN 0
  WHEN 'pause' THEN 0 WHEN 'blueGreenPromotion' THEN 0 WHEN 'degraded' THEN 1 WHEN 'finding' THEN 2
  ELSE CASE phase WHEN 'Paused' THEN 3 WHEN 'Progressing' THEN 3 WHEN 'Healthy' THEN 5 ELSE 4 END END END),
  (CASE WHEN attention_reason IS NULL THEN 0
    ELSE (10 * (CASE WHEN weight_actual IS NULL THEN 200000 - 1
      ELSE 200000 - 2 * round(LEAST(100, GREATEST(0, weight_actual)) * 1000) END)
    + COALESCE(array_position(ARRAY['critical', 'warning', 'info'], attention_severity), 3) - 1)::int END),
  COALESCE(attention_since, 'infinity'), namespace, name, id);
CREATE INDEX rollout_by_wait ON rollout (
  COALESCE(CASE WHEN attention_reason NOT IN ('degraded', 'finding') THEN attention_since END, 'infinity'), id);
CREATE INDEX rollout_by_wait_desc ON rollout (
  COALESCE(CASE WHEN attention_reason NOT IN ('degraded', 'finding') THEN attention_since END, '-infinity'), id);

CREATE TABLE recorded_part (
  digest TEXT PRIMARY KEY,
  content JSONB NOT NULL
);

CREATE TABLE replica_set (
  uid TEXT PRIMARY KEY,
  cluster TEXT NOT NULL, namespace TEXT NOT NULL, name TEXT NOT NULL,
  rollout_id UUID,
  owner_kind TEXT, owner_uid TEXT, pod_hash TEXT,
  revision INTEGER,
  revisions JSONB NOT NULL DEFAULT '[]', images JSONB NOT NULL DEFAULT '[]',
  template_digest TEXT,
  replicas INTEGER NOT NULL, ready INTEGER NOT NULL, available INTEGER NOT NULL, desired INTEGER NOT NULL,
  resource_version TEXT NOT NULL DEFAULT '',
  created_at TIMESTAMPTZ(6) NOT NULL,
  presence TEXT NOT NULL DEFAULT 'live',
  gone_at TIMESTAMPTZ(6),
  updated_at TIMESTAMPTZ(6) NOT NULL,
  FOREIGN KEY (template_digest) REFERENCES recorded_part(digest) ON UPDATE CASCADE ON DELETE RESTRICT
);
CREATE INDEX replica_set_rollout_id_idx ON replica_set (rollout_id);
CREATE INDEX replica_set_owner_uid_idx ON replica_set (owner_uid);
CREATE INDEX replica_set_live ON replica_set (cluster, namespace) WHERE presence = 'live';

CREATE TABLE pod (
  uid TEXT PRIMARY KEY,
  cluster TEXT NOT NULL, namespace TEXT NOT NULL, name TEXT NOT NULL,
  owner_kind TEXT, owner_uid TEXT, pod_hash TEXT,
  phase TEXT NOT NULL,
  reason TEXT,
  message TEXT NOT NULL DEFAULT '',
  ready BOOLEAN NOT NULL,
  containers INTEGER NOT NULL, ready_containers INTEGER NOT NULL, restarts INTEGER NOT NULL,
  node TEXT,
  resource_version TEXT NOT NULL,
  presence TEXT NOT NULL DEFAULT 'live',
  created_at TIMESTAMPTZ(6) NOT NULL, started_at TIMESTAMPTZ(6), gone_at TIMESTAMPTZ(6),
  updated_at TIMESTAMPTZ(6) NOT NULL
);
CREATE INDEX pod_owner_uid_created_at_uid_idx ON pod (owner_uid, created_at DESC, uid);
CREATE INDEX pod_cluster_presence_namespace_idx ON pod (cluster, presence, namespace);
CREATE INDEX pod_gone ON pod (gone_at) WHERE gone_at IS NOT NULL;

CREATE TABLE deployment (
  uid TEXT PRIMARY KEY,
  cluster TEXT NOT NULL, namespace TEXT NOT NULL, kind TEXT NOT NULL DEFAULT 'Deployment', name TEXT NOT NULL,
  images JSONB NOT NULL DEFAULT '[]',
  generation BIGINT, observed_generation BIGINT,
  desired INTEGER NOT NULL, replicas INTEGER NOT NULL, ready INTEGER NOT NULL, available INTEGER NOT NULL,
  updated INTEGER NOT NULL,
  strategy TEXT,
  progress_deadline_seconds INTEGER,
  conditions JSONB NOT NULL DEFAULT '[]',
  template_digest TEXT,
  resource_version TEXT NOT NULL,
  presence TEXT NOT NULL DEFAULT 'live',
  created_at TIMESTAMPTZ(6) NOT NULL, gone_at TIMESTAMPTZ(6),
  updated_at TIMESTAMPTZ(6) NOT NULL,
  FOREIGN KEY (template_digest) REFERENCES recorded_part(digest) ON UPDATE CASCADE ON DELETE RESTRICT
);
CREATE INDEX deployment_cluster_namespace_name_idx ON deployment (cluster, namespace, name);

CREATE TABLE experiment (
  uid TEXT PRIMARY KEY,
  cluster TEXT NOT NULL, namespace TEXT NOT NULL, name TEXT NOT NULL,
  rollout_id UUID,
  owner_kind TEXT, owner_name TEXT,
  revision INTEGER,
  pod_hash TEXT,
  phase TEXT NOT NULL, message TEXT NOT NULL,
  object JSONB NOT NULL,
  resource_version TEXT NOT NULL DEFAULT '',
  presence TEXT NOT NULL DEFAULT 'live',
  created_at TIMESTAMPTZ(6) NOT NULL, available_at TIMESTAMPTZ(6), completed_at TIMESTAMPTZ(6), gone_at TIMESTAMPTZ(6),
  first_seen_at TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  clock_skew_ms INTEGER,
  updated_at TIMESTAMPTZ(6) NOT NULL
);
CREATE INDEX experiment_rollout_id_idx ON experiment (rollout_id);
CREATE INDEX experiment_created_at_uid_idx ON experiment (created_at DESC, uid);
CREATE INDEX experiment_live ON experiment (cluster, namespace) WHERE presence = 'live';
CREATE INDEX experiment_name_uid_idx ON experiment (name, uid);
CREATE INDEX experiment_by_phase ON experiment ((CASE phase WHEN 'Failed' THEN 7 WHEN 'Error' THEN 6
  WHEN 'Inconclusive' THEN 5 WHEN 'Running' THEN 4 WHEN 'Pending' THEN 3 WHEN '' THEN 3 WHEN 'Successful' THEN 1
  ELSE 2 END),
  created_at, uid);

CREATE TABLE analysis_template (
  uid TEXT PRIMARY KEY,
  cluster TEXT NOT NULL, namespace TEXT NOT NULL DEFAULT '', kind TEXT NOT NULL, name TEXT NOT NULL,
  version INTEGER NOT NULL,
  spec_hash TEXT NOT NULL,
  template_refs JSONB NOT NULL DEFAULT '[]',
  resource_version TEXT NOT NULL,
  presence TEXT NOT NULL DEFAULT 'live',
  created_at TIMESTAMPTZ(6) NOT NULL, first_seen_at TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  gone_at TIMESTAMPTZ(6),
  updated_at TIMESTAMPTZ(6) NOT NULL,
  FOREIGN KEY (cluster) REFERENCES cluster(name) ON UPDATE CASCADE ON DELETE RESTRICT
);
CREATE INDEX analysis_template_name_namespace_uid_idx ON analysis_template (name, namespace, uid);

CREATE TABLE analysis_template_version (
  template_uid TEXT NOT NULL,
  version INTEGER NOT NULL,
  spec_hash TEXT NOT NULL,
  spec JSONB NOT NULL,
  resource_version TEXT NOT NULL,
  writer TEXT,
  written_at TIMESTAMPTZ(6) NOT NULL, observed_at TIMESTAMPTZ(6) NOT NULL,
  PRIMARY KEY (template_uid, version),
  FOREIGN KEY (template_uid) REFERENCES analysis_template(uid) ON UPDATE CASCADE ON DELETE CASCADE
);

CREATE TABLE kube_event (
  uid TEXT PRIMARY KEY,
  cluster TEXT NOT NULL, namespace TEXT NOT NULL, involved_kind TEXT NOT NULL, involved_name TEXT NOT NULL,
  involved_uid TEXT NOT NULL,
  rollout_id UUID,
  type TEXT NOT NULL, reason TEXT NOT NULL, message TEXT NOT NULL,
  reporter TEXT,
  count INTEGER NOT NULL,
  first_at TIMESTAMPTZ(6) NOT NULL, last_at TIMESTAMPTZ(6) NOT NULL,
  resource_version TEXT NOT NULL,
  updated_at TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE INDEX kube_event_rollout_id_last_at_uid_idx ON kube_event (rollout_id, last_at DESC, uid);
CREATE INDEX kube_event_last_at_idx ON kube_event (last_at);
CREATE INDEX kube_event_words ON kube_event
  USING gin (search_words(reason || ' ' || involved_name || ' ' || message)) WITH (fastupdate = off);

CREATE TABLE observation (
  id BIGSERIAL,
  rollout_id UUID NOT NULL,
  observed_at TIMESTAMPTZ(6) NOT NULL,
  resource_version TEXT NOT NULL, view_digest TEXT NOT NULL,
  writer TEXT,
  provider TEXT NOT NULL DEFAULT '', run_key TEXT NOT NULL DEFAULT '',
  revision INTEGER, step INTEGER,
  weight_set DOUBLE PRECISION,
  abort_asked BOOLEAN NOT NULL DEFAULT false,
  projection JSONB NOT NULL,
  object JSONB,
  spec_digest TEXT, template_digest TEXT, stable_template_digest TEXT,
  PRIMARY KEY (rollout_id, id),
  FOREIGN KEY (rollout_id) REFERENCES rollout(id) ON UPDATE CASCADE ON DELETE CASCADE,
  FOREIGN KEY (spec_digest) REFERENCES recorded_part(digest) ON UPDATE CASCADE ON DELETE RESTRICT,
  FOREIGN KEY (template_digest) REFERENCES recorded_part(digest) ON UPDATE CASCADE ON DELETE RESTRICT,
  FOREIGN KEY (stable_template_digest) REFERENCES recorded_part(digest) ON UPDATE CASCADE ON DELETE RESTRICT
);
CREATE UNIQUE INDEX observation_rollout_id_resource_version_key ON observation (rollout_id, resource_version);

CREATE TABLE release (
  id UUID PRIMARY KEY,
  rollout_id UUID NOT NULL,
  run_key TEXT NOT NULL,
  revision INTEGER, attempt INTEGER NOT NULL,
  state TEXT NOT NULL, message TEXT NOT NULL,
  images JSONB NOT NULL DEFAULT '[]',
  started_at TIMESTAMPTZ(6) NOT NULL, ended_at TIMESTAMPTZ(6), updated_at TIMESTAMPTZ(6) NOT NULL,
  figured_at TIMESTAMPTZ(6),
  waiting_seconds DOUBLE PRECISION,
  committed_at TIMESTAMPTZ(6),
  FOREIGN KEY (rollout_id) REFERENCES rollout(id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE INDEX release_started_at_id_idx ON release (started_at DESC, id);
CREATE UNIQUE INDEX release_rollout_id_run_key_attempt_key ON release (rollout_id, run_key, attempt);
CREATE INDEX release_by_state ON release ((CASE state WHEN 'aborted' THEN 6 WHEN 'paused' THEN 5
  WHEN 'progressing' THEN 4 WHEN 'superseded' THEN 2 WHEN 'promoted' THEN 1 ELSE 3 END), started_at, id);
CREATE INDEX release_by_duration ON release (
  COALESCE(extract(epoch FROM ended_at - started_at)::numeric, 1000000000000), id);
CREATE INDEX release_by_duration_desc ON release (
  COALESCE(extract(epoch FROM ended_at - started_at)::numeric, -1), id);
CREATE INDEX release_figures_due ON release (updated_at)
    WHERE ended_at IS NOT NULL AND figured_at IS DISTINCT FROM updated_at;
CREATE INDEX release_promoted ON release (rollout_id, ended_at) WHERE state = 'promoted';
CREATE INDEX release_image_part ON release USING gin ((images::text) gin_trgm_ops) WITH (fastupdate = off);
CREATE INDEX release_key_start ON release (run_key text_pattern_ops);
CREATE INDEX release_message_words ON release USING gin (search_words(message)) WITH (fastupdate = off)
  WHERE message <> '';
CREATE INDEX release_rollout_id_started_at_id_idx ON release (rollout_id, started_at DESC, id);
CREATE INDEX release_by_abort ON release (COALESCE(ended_at, updated_at) DESC, id) WHERE state = 'aborted';

CREATE TABLE release_wait (
  release_id UUID NOT NULL,
  ord INTEGER NOT NULL,
  from_at TIMESTAMPTZ(6) NOT NULL, to_at TIMESTAMPTZ(6) NOT NULL,
  activity TEXT NOT NULL,
  run_name TEXT,
  PRIMARY KEY (release_id, ord),
  FOREIGN KEY (release_id) REFERENCES release(id) ON UPDATE CASCADE ON DELETE CASCADE,
  CONSTRAINT release_wait_activity CHECK (activity IN ('waiting', 'held'))
);

CREATE TABLE timeline_event (
  id UUID NOT NULL, rollout_id UUID NOT NULL,
  at TIMESTAMPTZ(6) NOT NULL,
  ord INTEGER NOT NULL DEFAULT 0,
  kind TEXT NOT NULL, text TEXT NOT NULL,
  phase TEXT, run_name TEXT,
  PRIMARY KEY (rollout_id, id),
  FOREIGN KEY (rollout_id) REFERENCES rollout(id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE INDEX timeline_event_rollout_id_at_ord_idx ON timeline_event (rollout_id, at DESC, ord DESC);

CREATE TABLE analysis_run (
  uid TEXT NOT NULL,
  rollout_id UUID NOT NULL,
  cluster TEXT NOT NULL, namespace TEXT NOT NULL, kind TEXT NOT NULL DEFAULT 'AnalysisRun',
  name TEXT COLLATE "C" NOT NULL, -- so that one index finds the beginning of a name too
  owner_kind TEXT, owner_name TEXT, owner_uid TEXT,
  type TEXT NOT NULL,
  step_index INTEGER, revision INTEGER,
  pod_hash TEXT,
  phase TEXT NOT NULL, message TEXT NOT NULL,
  terminated BOOLEAN NOT NULL DEFAULT false,
  spec JSONB NOT NULL,
  run_summary JSONB, dry_run_summary JSONB,
  resource_version TEXT NOT NULL,
  presence TEXT NOT NULL DEFAULT 'live',
  created_at TIMESTAMPTZ(6) NOT NULL, started_at TIMESTAMPTZ(6), completed_at TIMESTAMPTZ(6), gone_at TIMESTAMPTZ(6),
  measurements_packed BOOLEAN NOT NULL DEFAULT false,
  measurements_expired BOOLEAN NOT NULL DEFAULT false,
  verdict_check JSONB, verdict_check_version TEXT, verdict_checked_at TIMESTAMPTZ(6),
  verdict_check_started_version TEXT, verdict_check_started_at TIMESTAMPTZ(6),
  figures_version TEXT,
  first_seen_at TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP, clock_skew_ms INTEGER,
  updated_at TIMESTAMPTZ(6) NOT NULL,
  PRIMARY KEY (rollout_id, uid)
);
CREATE INDEX analysis_run_rollout_id_created_at_uid_idx ON analysis_run (rollout_id, created_at DESC, uid);
CREATE INDEX analysis_run_created_at_uid_idx ON analysis_run (created_at DESC, uid);
CREATE INDEX analysis_run_due ON analysis_run (updated_at)
    WHERE phase IN ('Successful', 'Failed', 'Error', 'Inconclusive')
        AND (verdict_check_version IS DISTINCT FROM resource_version OR figures_version IS DISTINCT FROM resource_version);
CREATE INDEX analysis_run_to_pack ON analysis_run ((COALESCE(completed_at, gone_at)))
    WHERE NOT measurements_packed AND COALESCE(completed_at, gone_at) IS NOT NULL;
CREATE INDEX analysis_run_owner_uid_idx ON analysis_run (owner_uid);
CREATE INDEX analysis_run_live ON analysis_run (cluster, namespace) WHERE presence = 'live';
CREATE INDEX analysis_run_name_uid_idx ON analysis_run (name, uid);
CREATE INDEX analysis_run_by_phase ON analysis_run ((CASE phase WHEN 'Failed' THEN 7 WHEN 'Error' THEN 6
  WHEN 'Inconclusive' THEN 5 WHEN 'Running' THEN 4 WHEN 'Pending' THEN 3 WHEN '' THEN 3 WHEN 'Successful' THEN 1
  ELSE 2 END),
  created_at, uid);
CREATE INDEX analysis_run_message_words ON analysis_run USING gin (search_words(message)) WITH (fastupdate = off)
  WHERE message <> '';
CREATE INDEX analysis_run_rollout_id_pod_hash_created_at_idx ON analysis_run (rollout_id, pod_hash, created_at);
CREATE UNIQUE INDEX analysis_run_uid_key ON analysis_run (uid);

CREATE TABLE metric (
  id BIGSERIAL PRIMARY KEY,
  rollout_id UUID NOT NULL,
  run_uid TEXT NOT NULL, name TEXT NOT NULL,
  ord INTEGER NOT NULL DEFAULT 0,
  phase TEXT NOT NULL, message TEXT NOT NULL,
  dry_run BOOLEAN NOT NULL DEFAULT false,
  provider TEXT,
  count INTEGER NOT NULL DEFAULT 0, successful INTEGER NOT NULL DEFAULT 0, failed INTEGER NOT NULL DEFAULT 0,
  inconclusive INTEGER NOT NULL DEFAULT 0, error INTEGER NOT NULL DEFAULT 0,
  consecutive_error INTEGER NOT NULL DEFAULT 0, consecutive_success INTEGER NOT NULL DEFAULT 0,
  query TEXT,
  inconsistent BOOLEAN NOT NULL DEFAULT false,
  template_kind TEXT, template_namespace TEXT, template_name TEXT,
  nans INTEGER,
  margin_median DOUBLE PRECISION, margin_low DOUBLE PRECISION,
  metadata JSONB,
  FOREIGN KEY (rollout_id, run_uid) REFERENCES analysis_run(rollout_id, uid) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE UNIQUE INDEX metric_rollout_id_run_uid_name_key ON metric (rollout_id, run_uid, name);
CREATE INDEX metric_name_run_uid_idx ON metric (name, run_uid);

CREATE TABLE measurement (
  metric_id BIGINT NOT NULL,
  started_at TIMESTAMPTZ(6) NOT NULL, finished_at TIMESTAMPTZ(6),
  parsed DOUBLE PRECISION,
  seq INTEGER NOT NULL,
  superseded BOOLEAN NOT NULL DEFAULT false, escaped BOOLEAN NOT NULL DEFAULT false,
  phase TEXT NOT NULL, parsed_kind TEXT NOT NULL,
  value TEXT,
  message TEXT NOT NULL DEFAULT '', metadata TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (metric_id, seq, started_at),
  CONSTRAINT measurement_phase CHECK (phase IN ('P', 'R', 'S', 'F', 'E', 'I') OR phase LIKE '?%'),
  CONSTRAINT measurement_parsed_kind CHECK (parsed_kind IN ('n', 'a', 'N', '+', '-', 'o', 's', 'e', 'u'))
) PARTITION BY RANGE (started_at);

CREATE TABLE packed_measurement (
  metric_id BIGINT NOT NULL REFERENCES metric(id) ON UPDATE CASCADE ON DELETE CASCADE,
  started_at TIMESTAMPTZ(6) NOT NULL,
  first_seq INTEGER NOT NULL, last_seq INTEGER NOT NULL,
  phases TEXT NOT NULL, kinds TEXT NOT NULL,
  starts INTEGER[], durations SMALLINT[],
  start_times TIMESTAMPTZ(6)[], end_times TIMESTAMPTZ(6)[],
  parsed DOUBLE PRECISION[],
  seqs INTEGER[],
  superseded BOOLEAN[], escaped BOOLEAN[],
  odd_phases TEXT[], "values" TEXT[], messages TEXT[], metadata TEXT[],
  PRIMARY KEY (metric_id, first_seq)
);
-- Rows are packed in the order of their runs' ends: a range of pages has the rows of a few days.
CREATE INDEX packed_measurement_started_at_idx ON packed_measurement USING brin (started_at);

-- The measurements of a packed row. PostgreSQL inlines it: a plan of the view below shows the lists' unnest alone.
CREATE FUNCTION unpack_measurements(p packed_measurement)
RETURNS TABLE (started_at timestamptz, finished_at timestamptz, parsed float8, seq int, superseded boolean,
  escaped boolean, phase text, parsed_kind text, value text, message text, metadata text)
LANGUAGE sql STABLE AS $$
  SELECT COALESCE(u.start_time, p.started_at + u.start * interval '1 second'),
    CASE WHEN p.end_times IS NULL THEN p.started_at + (u.start + u.duration) * interval '1 second' ELSE u.end_time END,
    u.parsed,
    COALESCE(u.seq, p.first_seq + u.place::int - 1),
    COALESCE(u.superseded, false),
    COALESCE(u.escaped, false),
    COALESCE(u.odd_phase, u.phase, p.phases),
    COALESCE(u.kind, p.kinds),
    CASE WHEN p."values" IS NULL THEN '' ELSE u.value END,
    COALESCE(u.message, ''),
    COALESCE(u.metadata, '')
  FROM unnest(p.starts, p.durations, p.start_times, p.end_times, p.parsed, p.seqs, p.superseded, p.escaped, p.odd_phases,
    string_to_array(p.phases, NULL), string_to_array(p.kinds, NULL), p."values", p.messages, p.metadata)
    WITH ORDINALITY u (start, duration, start_time, end_time, parsed, seq, superseded, escaped, odd_phase,
      phase, kind, value, message, metadata, place)
$$;

-- All measurements, as rows. A condition on first_seq, last_seq or since leaves out packed rows without unpacking them:
-- a condition on seq or started_at alone cannot.
CREATE VIEW recorded_measurement AS
  SELECT metric_id, started_at, finished_at, parsed, seq, superseded, escaped, phase, parsed_kind, value, message, metadata,
    seq AS first_seq, seq AS last_seq, started_at AS since
  FROM measurement
  UNION ALL
  SELECT p.metric_id, m.started_at, m.finished_at, m.parsed, m.seq, m.superseded, m.escaped, m.phase, m.parsed_kind,
    m.value, m.message, m.metadata, p.first_seq, p.last_seq, p.started_at
  FROM packed_measurement p CROSS JOIN LATERAL unpack_measurements(p) m;

CREATE TABLE measurement_gap (
  metric_id BIGINT NOT NULL,
  after_seq INTEGER NOT NULL, count INTEGER NOT NULL,
  open BOOLEAN NOT NULL DEFAULT false,
  PRIMARY KEY (metric_id, after_seq),
  FOREIGN KEY (metric_id) REFERENCES metric(id) ON UPDATE CASCADE ON DELETE CASCADE
);

CREATE TABLE action (
  id UUID PRIMARY KEY,
  rollout_id UUID NOT NULL,
  cluster TEXT NOT NULL, namespace TEXT NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL, action TEXT NOT NULL,
  state TEXT NOT NULL,
  reason TEXT,
  actor_key TEXT NOT NULL, actor_name TEXT NOT NULL, actor_username TEXT,
  view_digest TEXT NOT NULL,
  idempotency_key TEXT,
  request_hash TEXT NOT NULL,
  plan JSONB NOT NULL DEFAULT '{}', params JSONB NOT NULL DEFAULT '{}',
  message TEXT NOT NULL DEFAULT '',
  intent_seq BIGINT, outcome_seq BIGINT, group_seq BIGINT,
  request_id TEXT NOT NULL,
  requested_at TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP, applied_at TIMESTAMPTZ(6),
  effective_at TIMESTAMPTZ(6), deadline_at TIMESTAMPTZ(6), followed_at TIMESTAMPTZ(6), watch_until TIMESTAMPTZ(6),
  look_at TIMESTAMPTZ(6),
  judged_version TEXT, effect_why TEXT,
  audit_id UUID,
  FOREIGN KEY (intent_seq) REFERENCES audit_entry(seq) ON UPDATE CASCADE ON DELETE RESTRICT,
  FOREIGN KEY (outcome_seq) REFERENCES audit_entry(seq) ON UPDATE CASCADE ON DELETE RESTRICT,
  FOREIGN KEY (group_seq) REFERENCES audit_entry(seq) ON UPDATE CASCADE ON DELETE RESTRICT
);
CREATE INDEX action_rollout_id_requested_at_idx ON action (rollout_id, requested_at DESC);
CREATE INDEX action_requested_at_id_idx ON action (requested_at DESC, id);
CREATE INDEX action_state_idx ON action (state);
CREATE UNIQUE INDEX action_actor_key_idempotency_key_key ON action (actor_key, idempotency_key);
CREATE INDEX action_group ON action (group_seq) WHERE group_seq IS NOT NULL;
CREATE INDEX action_watched ON action (look_at) WHERE watch_until IS NOT NULL;
CREATE UNIQUE INDEX action_audit_id_key ON action (audit_id);

CREATE TABLE user_account (
  id UUID PRIMARY KEY,
  issuer TEXT NOT NULL, subject TEXT NOT NULL, name TEXT NOT NULL,
  email TEXT,
  created_at TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  last_seen_at TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE UNIQUE INDEX user_account_issuer_subject_key ON user_account (issuer, subject);

CREATE TABLE user_session (
  id UUID PRIMARY KEY,
  user_id UUID NOT NULL,
  username TEXT NOT NULL,
  groups TEXT[],
  claims JSONB NOT NULL DEFAULT '{}',
  created_at TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  last_seen_at TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP, idle_expires_at TIMESTAMPTZ(6) NOT NULL,
  absolute_expires_at TIMESTAMPTZ(6) NOT NULL, revoked_at TIMESTAMPTZ(6), authenticated_at TIMESTAMPTZ(6),
  user_agent TEXT, address TEXT,
  FOREIGN KEY (user_id) REFERENCES user_account(id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE INDEX user_session_user_id_idx ON user_session (user_id);

CREATE TABLE api_token (
  id UUID PRIMARY KEY,
  name TEXT NOT NULL, role TEXT NOT NULL,
  owner_id UUID NOT NULL,
  username TEXT NOT NULL,
  groups TEXT[],
  token_hash TEXT NOT NULL,
  created_at TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP, expires_at TIMESTAMPTZ(6), last_used_at TIMESTAMPTZ(6),
  revoked_at TIMESTAMPTZ(6),
  restricted BOOLEAN NOT NULL DEFAULT false,
  FOREIGN KEY (owner_id) REFERENCES user_account(id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE UNIQUE INDEX api_token_token_hash_key ON api_token (token_hash);

CREATE TABLE device_request (
  id UUID PRIMARY KEY,
  device_code_hash TEXT NOT NULL, user_code_hash TEXT NOT NULL, device_name TEXT NOT NULL,
  address TEXT, peer TEXT, user_agent TEXT,
  created_at TIMESTAMPTZ(6) NOT NULL, expires_at TIMESTAMPTZ(6) NOT NULL,
  interval_seconds INTEGER NOT NULL DEFAULT 5,
  polled_at TIMESTAMPTZ(6),
  state TEXT NOT NULL DEFAULT 'pending',
  decided_at TIMESTAMPTZ(6),
  owner_id UUID,
  username TEXT,
  groups TEXT[] DEFAULT ARRAY[]::text[],
  role TEXT,
  expires_in_days INTEGER,
  FOREIGN KEY (owner_id) REFERENCES user_account(id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE UNIQUE INDEX device_request_user_code_hash_key ON device_request (user_code_hash);

CREATE TABLE freeze_period (
  id UUID PRIMARY KEY,
  reason TEXT NOT NULL,
  clusters TEXT[], namespaces TEXT[], rollouts TEXT[],
  starts_at TIMESTAMPTZ(6) NOT NULL, ends_at TIMESTAMPTZ(6) NOT NULL,
  made_by TEXT NOT NULL, made_by_name TEXT NOT NULL,
  ended_by_name TEXT
);

CREATE TABLE setting (
  kind TEXT PRIMARY KEY,
  value JSONB NOT NULL,
  changed_at TIMESTAMPTZ(6) NOT NULL,
  changed_by TEXT NOT NULL
);

CREATE TABLE saved_view (
  id UUID PRIMARY KEY,
  owner_id UUID NOT NULL,
  list TEXT NOT NULL, name TEXT NOT NULL, query TEXT NOT NULL,
  shared BOOLEAN NOT NULL DEFAULT false,
  created_at TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  FOREIGN KEY (owner_id) REFERENCES user_account(id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE UNIQUE INDEX saved_view_owner_id_list_name_key ON saved_view (owner_id, list, name);

CREATE TABLE quarantine (
  source_id TEXT NOT NULL, ref TEXT NOT NULL, reason TEXT NOT NULL, raw TEXT NOT NULL,
  at TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  PRIMARY KEY (source_id, ref),
  FOREIGN KEY (source_id) REFERENCES source(id) ON UPDATE CASCADE ON DELETE CASCADE
);

CREATE TABLE config_event (
  id BIGSERIAL PRIMARY KEY,
  code TEXT NOT NULL, content TEXT NOT NULL,
  at TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp()
);

CREATE TABLE retention_run (
  name TEXT PRIMARY KEY,
  holder TEXT,
  expires_at TIMESTAMPTZ(6), done_at TIMESTAMPTZ(6),
  outcome TEXT, message TEXT
);

CREATE TABLE approval (
  id UUID PRIMARY KEY,
  rollout_id UUID NOT NULL,
  cluster TEXT NOT NULL, namespace TEXT NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL, action TEXT NOT NULL,
  params JSONB NOT NULL DEFAULT '{}',
  uid TEXT NOT NULL, view_digest TEXT NOT NULL, rule TEXT NOT NULL, reason TEXT NOT NULL,
  requested_by TEXT NOT NULL, requested_by_name TEXT NOT NULL, requested_username TEXT,
  requested_at TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP, expires_at TIMESTAMPTZ(6) NOT NULL,
  decision TEXT, decided_by TEXT, decided_by_name TEXT, decided_username TEXT,
  decided_at TIMESTAMPTZ(6),
  decision_reason TEXT,
  votes JSONB NOT NULL DEFAULT '[]',
  action_id UUID,
  also_actions TEXT[] DEFAULT '{}'::text[],
  passes_pauses INTEGER[] DEFAULT '{}'::integer[],
  target_version TEXT,
  agent_id UUID, agent_name TEXT,
  FOREIGN KEY (rollout_id) REFERENCES rollout(id) ON UPDATE CASCADE ON DELETE RESTRICT,
  FOREIGN KEY (action_id) REFERENCES action(id) ON UPDATE CASCADE ON DELETE RESTRICT
);
CREATE INDEX approval_rollout_id_requested_at_idx ON approval (rollout_id, requested_at DESC);
CREATE INDEX approval_expires_at_idx ON approval (expires_at);

CREATE TABLE wait_mark (
  rollout_id UUID NOT NULL,
  kind TEXT NOT NULL,
  id UUID,
  view_digest TEXT NOT NULL, attention_reason TEXT NOT NULL, attention_since TIMESTAMPTZ(6) NOT NULL,
  attention_severity TEXT,
  revision_key TEXT NOT NULL,
  until TIMESTAMPTZ(6),
  reason TEXT,
  marked_by TEXT NOT NULL, marked_by_name TEXT NOT NULL, marked_at TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  PRIMARY KEY (rollout_id, kind),
  FOREIGN KEY (rollout_id) REFERENCES rollout(id) ON UPDATE CASCADE ON DELETE CASCADE,
  CONSTRAINT wait_mark_kind CHECK (kind IN ('claim', 'snooze', 'acknowledgement')),
  CONSTRAINT wait_mark_claim CHECK (kind <> 'claim' OR (id IS NOT NULL AND until IS NOT NULL)),
  CONSTRAINT wait_mark_reason CHECK (kind = 'claim' OR reason IS NOT NULL)
);

CREATE TABLE unasked_change (
  rollout_id UUID NOT NULL,
  observation_id BIGINT NOT NULL,
  action TEXT NOT NULL,
  client TEXT,
  at TIMESTAMPTZ(6) NOT NULL,
  audit_seq BIGINT NOT NULL,
  subject_uid TEXT NOT NULL DEFAULT '', subject_name TEXT,
  cluster TEXT NOT NULL, namespace TEXT NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL, uid TEXT,
  target_kind TEXT NOT NULL, target_name TEXT NOT NULL,
  window_from TIMESTAMPTZ(6), window_to TIMESTAMPTZ(6),
  version_before TEXT, version_after TEXT,
  state TEXT,
  attributed_seq BIGINT, audit_event_id BIGINT,
  look_at TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (rollout_id, observation_id, action, subject_uid),
  FOREIGN KEY (audit_seq) REFERENCES audit_entry(seq) ON UPDATE CASCADE ON DELETE RESTRICT,
  FOREIGN KEY (attributed_seq) REFERENCES audit_entry(seq) ON UPDATE CASCADE ON DELETE RESTRICT,
  CONSTRAINT unasked_change_state CHECK (state IN ('open', 'named', 'ambiguous', 'unknown')),
  CONSTRAINT unasked_change_decided CHECK (
    COALESCE(state IN ('named', 'ambiguous'), false) = (attributed_seq IS NOT NULL)),
  CONSTRAINT unasked_change_written CHECK (state IS NULL OR (window_from IS NOT NULL AND window_to IS NOT NULL))
);
CREATE UNIQUE INDEX unasked_change_audit_seq_key ON unasked_change (audit_seq);
CREATE INDEX unasked_change_attributed_seq_idx ON unasked_change (attributed_seq);
CREATE INDEX unasked_change_due ON unasked_change (look_at) WHERE state = 'open';
CREATE INDEX unasked_change_open_object ON unasked_change (cluster, kind, namespace, name) WHERE state = 'open';

CREATE TABLE termination (
  uid TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  holders JSONB NOT NULL,
  observed_at TIMESTAMPTZ(6) NOT NULL,
  is_first_sight BOOLEAN NOT NULL
);

CREATE TABLE gate_decision (
  id UUID PRIMARY KEY,
  seq BIGSERIAL,
  rollout_id UUID NOT NULL,
  cluster TEXT NOT NULL, namespace TEXT NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL, uid TEXT NOT NULL,
  gate TEXT NOT NULL, verdict TEXT NOT NULL,
  bound JSONB NOT NULL,
  overrode UUID[] DEFAULT '{}',
  actor_name TEXT NOT NULL, reason TEXT NOT NULL,
  decided_at TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(), expires_at TIMESTAMPTZ(6), voided_at TIMESTAMPTZ(6),
  FOREIGN KEY (rollout_id) REFERENCES rollout(id) ON UPDATE CASCADE ON DELETE RESTRICT,
  FOREIGN KEY (id) REFERENCES action(id) ON UPDATE CASCADE ON DELETE RESTRICT,
  CONSTRAINT gate_decision_gate CHECK (
    gate IN ('confirm-rollout', 'confirm-traffic-increase', 'confirm-promotion', 'rollback')
  ),
  -- Each verdict only at the gates that it can open: a row that no planner made must not open another one.
  CONSTRAINT gate_decision_verdict CHECK (
    verdict = 'hold' OR (verdict = 'rollback' AND gate = 'rollback') OR (verdict = 'approve' AND gate <> 'rollback')
  ),
  -- What lets a call pass is bound to a state, and ends by itself.
  CONSTRAINT gate_decision_bound CHECK (
    verdict = 'hold' OR (expires_at IS NOT NULL AND (bound ? 'checksum' OR bound ? 'templateHash'))
  )
);
CREATE INDEX gate_decision_cluster_namespace_name_seq_idx ON gate_decision (cluster, namespace, name, seq DESC);

CREATE TABLE hook_call (
  id BIGSERIAL PRIMARY KEY,
  at TIMESTAMPTZ(6) NOT NULL,
  cluster TEXT NOT NULL, namespace TEXT NOT NULL, name TEXT NOT NULL, type TEXT NOT NULL,
  label TEXT NOT NULL DEFAULT '',
  phase TEXT NOT NULL,
  checksum TEXT NOT NULL DEFAULT '',
  status INTEGER NOT NULL,
  reason TEXT NOT NULL,
  decision_id UUID,
  FOREIGN KEY (decision_id) REFERENCES gate_decision(id) ON UPDATE CASCADE ON DELETE RESTRICT
);
CREATE INDEX hook_call_cluster_namespace_name_type_at_idx ON hook_call (cluster, namespace, name, type, at DESC);

CREATE TABLE controller_message (
  id BIGSERIAL PRIMARY KEY,
  cluster TEXT NOT NULL, namespace TEXT NOT NULL, name TEXT NOT NULL, uid TEXT,
  rollout_id UUID,
  source TEXT NOT NULL, type TEXT NOT NULL, message TEXT NOT NULL, message_digest TEXT NOT NULL,
  controller_time TIMESTAMPTZ(6) NOT NULL, received_at TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
  phase TEXT NOT NULL DEFAULT '', checksum TEXT NOT NULL DEFAULT '',
  count INTEGER NOT NULL DEFAULT 1,
  noticed BOOLEAN NOT NULL DEFAULT false,
  CONSTRAINT controller_message_source CHECK (source IN ('webhook', 'kubernetes'))
);
CREATE UNIQUE INDEX controller_message_cluster_namespace_name_message_digest_co_key
  ON controller_message (cluster, namespace, name, message_digest, controller_time);
CREATE INDEX controller_message_rollout_id_controller_time_id_idx
  ON controller_message (rollout_id, controller_time DESC, id);
CREATE INDEX controller_message_unnoticed ON controller_message (id) WHERE NOT noticed AND rollout_id IS NOT NULL;

CREATE TABLE hook_credential (
  id UUID PRIMARY KEY,
  name TEXT NOT NULL, cluster TEXT NOT NULL,
  namespaces TEXT[],
  purpose TEXT NOT NULL DEFAULT 'flagger',
  secret_hash TEXT NOT NULL, created_by TEXT NOT NULL,
  created_at TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP, expires_at TIMESTAMPTZ(6), revoked_at TIMESTAMPTZ(6),
  last_used_at TIMESTAMPTZ(6),
  CONSTRAINT hook_credential_purpose CHECK (purpose IN ('flagger', 'kubernetes-audit'))
);

CREATE TABLE kubernetes_audit_event (
  id BIGSERIAL PRIMARY KEY,
  cluster TEXT NOT NULL, audit_id TEXT NOT NULL,
  stage_at TIMESTAMPTZ(6) NOT NULL, received_at TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
  verb TEXT NOT NULL, kind TEXT NOT NULL, namespace TEXT NOT NULL, name TEXT NOT NULL, uid TEXT,
  subresource TEXT NOT NULL DEFAULT '',
  version_before TEXT, version_after TEXT,
  manager TEXT NOT NULL, user_agent TEXT NOT NULL, username TEXT NOT NULL,
  user_groups JSONB NOT NULL,
  impersonated_by TEXT,
  source_ips JSONB NOT NULL,
  fields JSONB
);
CREATE INDEX kubernetes_audit_event_cluster_kind_namespace_name_stage_at_idx
  ON kubernetes_audit_event (cluster, kind, namespace, name, stage_at);
CREATE UNIQUE INDEX kubernetes_audit_event_cluster_audit_id_stage_at_key
  ON kubernetes_audit_event (cluster, audit_id, stage_at);

CREATE TABLE kubernetes_audit_file (
  cluster TEXT PRIMARY KEY,
  path TEXT NOT NULL, inode TEXT NOT NULL,
  read_up_to BIGINT NOT NULL,
  head_length INTEGER NOT NULL, head_digest TEXT NOT NULL,
  read_at TIMESTAMPTZ(6) NOT NULL
);

CREATE TABLE cluster_account (
  cluster TEXT NOT NULL, username TEXT NOT NULL,
  unlimited TEXT,
  unlimited_since TIMESTAMPTZ(6), checked_at TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (cluster, username)
);

CREATE TABLE change_log (
  id BIGSERIAL,
  xid XID8 NOT NULL DEFAULT pg_current_xact_id(),
  at TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
  kind TEXT NOT NULL, ref TEXT NOT NULL, op TEXT NOT NULL,
  cluster TEXT, namespace TEXT, object_kind TEXT, name TEXT,
  PRIMARY KEY (xid, id)
);

CREATE TABLE finding (
  id UUID PRIMARY KEY,
  rule TEXT NOT NULL, about TEXT NOT NULL, subject TEXT NOT NULL,
  rollout_id UUID,
  cluster TEXT NOT NULL, namespace TEXT NOT NULL DEFAULT '', kind TEXT NOT NULL, name TEXT NOT NULL,
  severity TEXT NOT NULL, title TEXT NOT NULL,
  advice TEXT,
  evidence JSONB NOT NULL,
  run_key TEXT, run_uid TEXT,
  since TIMESTAMPTZ(6) NOT NULL, found_at TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
  updated_at TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(), closed_at TIMESTAMPTZ(6), closed_why TEXT,
  acknowledged_at TIMESTAMPTZ(6), acknowledged_by TEXT, acknowledged_by_name TEXT, acknowledge_reason TEXT,
  FOREIGN KEY (rollout_id) REFERENCES rollout(id) ON UPDATE CASCADE ON DELETE CASCADE,
  CONSTRAINT finding_about CHECK (about IN ('rollout', 'cluster', 'source', 'controller')),
  CONSTRAINT finding_severity CHECK (severity IN ('info', 'warning', 'critical'))
);
CREATE INDEX finding_since_id_idx ON finding (since DESC, id);
CREATE INDEX finding_rollout_id_idx ON finding (rollout_id);
CREATE INDEX finding_open_idx ON finding (since DESC, id) WHERE closed_at IS NULL;
CREATE INDEX finding_words ON finding USING gin (search_words(title || ' ' || namespace || ' ' || name))
  WITH (fastupdate = off);

CREATE TABLE hold (
  rollout_id UUID NOT NULL,
  run_key TEXT NOT NULL,
  step INTEGER NOT NULL,
  run_name TEXT NOT NULL,
  wanted_at TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(), settled_at TIMESTAMPTZ(6),
  outcome TEXT, message TEXT,
  action_id UUID,
  PRIMARY KEY (rollout_id, run_key, step),
  FOREIGN KEY (rollout_id) REFERENCES rollout(id) ON UPDATE CASCADE ON DELETE RESTRICT,
  FOREIGN KEY (action_id) REFERENCES action(id) ON UPDATE CASCADE ON DELETE RESTRICT,
  CONSTRAINT hold_outcome CHECK (outcome IN ('placed', 'refused'))
);

CREATE TABLE scheduled_action (
  id UUID PRIMARY KEY,
  rollout_id UUID NOT NULL,
  cluster TEXT NOT NULL, namespace TEXT NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL, action TEXT NOT NULL,
  params JSONB NOT NULL DEFAULT '{}', expect JSONB NOT NULL,
  reason TEXT,
  due_at TIMESTAMPTZ(6) NOT NULL,
  requested_by TEXT NOT NULL, requested_by_name TEXT NOT NULL, requested_username TEXT NOT NULL,
  requested_at TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  identity JSONB NOT NULL,
  state TEXT NOT NULL DEFAULT 'pending', message TEXT NOT NULL DEFAULT '',
  claim INTEGER NOT NULL DEFAULT 0, claimed_at TIMESTAMPTZ(6), ended_at TIMESTAMPTZ(6),
  action_id UUID,
  FOREIGN KEY (rollout_id) REFERENCES rollout(id) ON UPDATE CASCADE ON DELETE RESTRICT,
  FOREIGN KEY (action_id) REFERENCES action(id) ON UPDATE CASCADE ON DELETE RESTRICT,
  CONSTRAINT scheduled_action_state CHECK (
    state IN ('pending', 'running', 'done', 'refused', 'superseded', 'missed', 'withdrawn'))
);
-- One open request for each rollout and action. Also finds those that are due.
CREATE UNIQUE INDEX scheduled_action_open ON scheduled_action (rollout_id, action)
  WHERE state IN ('pending', 'running');
CREATE TABLE barrier_hold (
  rollout_id UUID NOT NULL,
  run_key TEXT NOT NULL,
  step INTEGER NOT NULL,
  set_name TEXT NOT NULL,
  tries INTEGER NOT NULL DEFAULT 1,
  wanted_at TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(), settled_at TIMESTAMPTZ(6),
  outcome TEXT, message TEXT,
  action_id UUID,
  tried_at TIMESTAMPTZ(6), ended_at TIMESTAMPTZ(6),
  lift_action_id UUID,
  PRIMARY KEY (rollout_id, run_key, step),
  FOREIGN KEY (rollout_id) REFERENCES rollout(id) ON UPDATE CASCADE ON DELETE RESTRICT,
  FOREIGN KEY (action_id) REFERENCES action(id) ON UPDATE CASCADE ON DELETE RESTRICT,
  FOREIGN KEY (lift_action_id) REFERENCES action(id) ON UPDATE CASCADE ON DELETE RESTRICT,
  CONSTRAINT barrier_hold_outcome CHECK (outcome IN ('placed', 'refused'))
);
CREATE INDEX barrier_hold_open_idx ON barrier_hold (wanted_at)
  WHERE (outcome IS NULL OR outcome = 'placed') AND ended_at IS NULL;

CREATE TABLE rollout_review (
  rollout_id UUID PRIMARY KEY,
  changes BIGINT NOT NULL DEFAULT 1, reviewed BIGINT NOT NULL DEFAULT 0,
  rules TEXT NOT NULL DEFAULT '',
  look_at TIMESTAMPTZ(6), reviewed_at TIMESTAMPTZ(6),
  observation_id BIGINT,
  explained JSONB NOT NULL DEFAULT '[]',
  FOREIGN KEY (rollout_id) REFERENCES rollout(id) ON UPDATE CASCADE ON DELETE CASCADE
);

CREATE TABLE change_place (
  reader TEXT PRIMARY KEY,
  xid XID8 NOT NULL,
  id BIGINT NOT NULL
);

CREATE TABLE rollout_sample (
  rollout_id UUID NOT NULL,
  what TEXT NOT NULL,
  metric TEXT NOT NULL DEFAULT '',
  at TIMESTAMPTZ(6) NOT NULL,
  value DOUBLE PRECISION NOT NULL,
  PRIMARY KEY (rollout_id, what, metric, at),
  FOREIGN KEY (rollout_id) REFERENCES rollout(id) ON UPDATE CASCADE ON DELETE CASCADE,
  CONSTRAINT rollout_sample_what CHECK (what IN ('route', 'weight', 'value'))
);
CREATE INDEX rollout_sample_at_idx ON rollout_sample (at);

CREATE TABLE sampled_controller (
  cluster TEXT NOT NULL, kind TEXT NOT NULL,
  version TEXT, default_router TEXT,
  seen_at TIMESTAMPTZ(6) NOT NULL,
  PRIMARY KEY (cluster, kind)
);

CREATE TABLE controller_sample (
  cluster TEXT NOT NULL, component TEXT NOT NULL, series TEXT NOT NULL,
  labels TEXT NOT NULL DEFAULT '',
  at TIMESTAMPTZ(6) NOT NULL,
  value DOUBLE PRECISION NOT NULL,
  PRIMARY KEY (cluster, component, at, series, labels)
);
CREATE INDEX controller_sample_at_idx ON controller_sample (at);

CREATE TABLE controller_scrape (
  cluster TEXT NOT NULL, component TEXT NOT NULL,
  at TIMESTAMPTZ(6) NOT NULL,
  state JSONB NOT NULL,
  PRIMARY KEY (cluster, component)
);

CREATE TABLE notifiable_event (
  id UUID PRIMARY KEY,
  seq BIGSERIAL,
  kind TEXT NOT NULL, severity TEXT NOT NULL, cluster TEXT NOT NULL, namespace TEXT NOT NULL,
  object_kind TEXT,
  name TEXT NOT NULL, title TEXT NOT NULL, sentence TEXT NOT NULL,
  facts JSONB NOT NULL DEFAULT '[]',
  path TEXT NOT NULL,
  at TIMESTAMPTZ(6) NOT NULL, queued_at TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(), planned_at TIMESTAMPTZ(6),
  matter JSONB,
  CONSTRAINT notifiable_event_severity CHECK (severity IN ('info', 'warning', 'critical'))
);
CREATE INDEX notifiable_event_queued_at_idx ON notifiable_event (queued_at);
CREATE INDEX notifiable_event_unplanned ON notifiable_event (seq) WHERE planned_at IS NULL;

CREATE TABLE notification_pending (
  event_id UUID NOT NULL,
  channel TEXT NOT NULL, channel_type TEXT NOT NULL,
  seq BIGINT NOT NULL,
  routes JSONB NOT NULL DEFAULT '[]',
  event JSONB NOT NULL,
  since TIMESTAMPTZ(6) NOT NULL,
  PRIMARY KEY (channel, event_id)
);

CREATE TABLE notification (
  id UUID PRIMARY KEY,
  channel TEXT NOT NULL, channel_type TEXT NOT NULL, shape TEXT NOT NULL, severity TEXT NOT NULL, title TEXT NOT NULL,
  routes JSONB NOT NULL DEFAULT '[]',
  events JSONB NOT NULL,
  state TEXT NOT NULL DEFAULT 'queued',
  attempts INTEGER NOT NULL DEFAULT 0,
  created_at TIMESTAMPTZ(6) NOT NULL, next_attempt_at TIMESTAMPTZ(6) NOT NULL, give_up_at TIMESTAMPTZ(6) NOT NULL,
  last_attempt_at TIMESTAMPTZ(6), last_error TEXT,
  sent_at TIMESTAMPTZ(6), ended_at TIMESTAMPTZ(6),
  incident_id UUID, incident_step INTEGER,
  receipt JSONB,
  CONSTRAINT notification_ended CHECK ((state IN ('sent', 'failed', 'suppressed')) = (ended_at IS NOT NULL)),
  CONSTRAINT notification_sent CHECK ((state = 'sent') = (sent_at IS NOT NULL)),
  CONSTRAINT notification_step CHECK ((incident_id IS NULL) = (incident_step IS NULL)),
  CONSTRAINT notification_shape CHECK (
    shape IN ('single', 'group', 'digest', 'test', 'trigger', 'acknowledge', 'resolve', 'refresh')),
  CONSTRAINT notification_state CHECK (state IN ('queued', 'sending', 'sent', 'failed', 'suppressed'))
);
CREATE INDEX notification_created_at_id_idx ON notification (created_at DESC, id);
CREATE INDEX notification_due ON notification (channel, next_attempt_at) WHERE state IN ('queued', 'sending');

CREATE TABLE notification_matter (
  channel TEXT NOT NULL,
  matter_id UUID NOT NULL,
  channel_type TEXT NOT NULL,
  rollout_id UUID,
  cause TEXT NOT NULL,
  since TIMESTAMPTZ(6) NOT NULL,
  routes JSONB NOT NULL DEFAULT '[]',
  event JSONB NOT NULL,
  incident_id UUID,
  told_at TIMESTAMPTZ(6),
  PRIMARY KEY (channel, matter_id)
);

CREATE TABLE notification_incident (
  id UUID PRIMARY KEY,
  channel TEXT NOT NULL, channel_type TEXT NOT NULL, group_key TEXT NOT NULL,
  opened_at TIMESTAMPTZ(6) NOT NULL, acknowledged_at TIMESTAMPTZ(6),
  steps INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE reported_release (
  channel TEXT NOT NULL,
  release_id UUID NOT NULL,
  repository TEXT, commit TEXT, status TEXT,
  steps INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (channel, release_id),
  FOREIGN KEY (release_id) REFERENCES release(id) ON UPDATE CASCADE ON DELETE CASCADE,
  CONSTRAINT reported_release_status CHECK (status IN ('in_progress', 'success', 'failure', 'inactive'))
);

CREATE TABLE notification_place (
  name TEXT PRIMARY KEY,
  begins_at TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
  audit_seq BIGINT NOT NULL
);

CREATE TABLE attention_change (
  id BIGSERIAL PRIMARY KEY,
  rollout_id UUID NOT NULL,
  reason TEXT NOT NULL,
  since TIMESTAMPTZ(6) NOT NULL,
  severity TEXT NOT NULL, message TEXT NOT NULL,
  step INTEGER, step_count INTEGER NOT NULL, revision INTEGER,
  is_first_sight BOOLEAN NOT NULL,
  at TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
  FOREIGN KEY (rollout_id) REFERENCES rollout(id) ON UPDATE CASCADE ON DELETE CASCADE
);

-- Partitions of measurement: one a month, created ahead by the recorder. The default partition takes what fits in none.
CREATE TABLE measurement_default PARTITION OF measurement DEFAULT;

-- Creates the partition of a month if it is missing. Runs as the owner: the recorder may not create tables. If the
-- default partition has rows of that month, they stay there: nothing is moved or lost.
CREATE FUNCTION ensure_measurement_partition(month date) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  first date := date_trunc('month', month)::date;
  partition text := 'measurement_' || to_char(date_trunc('month', month), 'YYYY_MM');
BEGIN
  IF to_regclass('public.' || partition) IS NOT NULL THEN
    RETURN false;
  END IF;
  EXECUTE format('CREATE TABLE %I PARTITION OF measurement FOR VALUES FROM (%L) TO (%L)',
    partition, first || ' 00:00:00+00', (first + interval '1 month')::date || ' 00:00:00+00');
  RETURN true;
EXCEPTION
  WHEN check_violation OR duplicate_table THEN
    RETURN false;
END $$;
REVOKE ALL ON FUNCTION ensure_measurement_partition(date) FROM PUBLIC;

-- Drops the partition of one whole month and marks its runs as expired, so that a gap is told apart from retention.
-- Runs as the owner: the recorder may drop old months and nothing else. Refuses a month that does not end before the
-- bound, and a bound less than a day old. Returns the number of dropped rows.
CREATE FUNCTION drop_measurement_partition(month date, older_than timestamptz) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '2s' AS $$
DECLARE
  first timestamptz := date_trunc('month', month)::timestamp AT TIME ZONE 'UTC';
  ends timestamptz := (date_trunc('month', month) + interval '1 month')::timestamp AT TIME ZONE 'UTC';
  partition text := 'measurement_' || to_char(date_trunc('month', month), 'YYYY_MM');
  gone bigint;
BEGIN
  IF older_than > clock_timestamp() - interval '1 day' THEN
    RAISE EXCEPTION 'the bound % is less than a day old', older_than USING ERRCODE = 'invalid_parameter_value';
  END IF;
  IF ends > older_than THEN
    RAISE EXCEPTION '% holds measurements from after %', partition, older_than 
      USING ERRCODE = 'invalid_parameter_value';
  END IF;
  IF NOT EXISTS (
    SELECT FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
     WHERE i.inhparent = 'public.measurement'::regclass AND c.relname = partition
  ) THEN
    RETURN 0;
  END IF;
  EXECUTE format('LOCK TABLE %I IN SHARE ROW EXCLUSIVE MODE', partition);
  EXECUTE format('SELECT count(*) FROM %I', partition) INTO gone;
  EXECUTE format('UPDATE analysis_run SET measurements_expired = true
    WHERE NOT measurements_expired
      AND uid IN (SELECT run_uid FROM metric WHERE id IN (SELECT metric_id FROM %I))', partition);
  EXECUTE format('DROP TABLE %I', partition);
  RETURN gone;
END $$;
REVOKE ALL ON FUNCTION drop_measurement_partition(date, timestamptz) FROM PUBLIC;

-- Drops the partition of a month whose measurements were packed. Up to 10 000 others, of runs that are not over, move to
-- the default partition. Runs as the owner, and loses nothing. Returns whether it was dropped.
CREATE FUNCTION drop_packed_measurement_partition(month date) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '2s' AS $$
DECLARE
  ends timestamptz := (date_trunc('month', month) + interval '1 month')::timestamp AT TIME ZONE 'UTC';
  partition text := 'measurement_' || to_char(date_trunc('month', month), 'YYYY_MM');
  others bigint;
BEGIN
  IF ends > clock_timestamp() - interval '30 days' OR NOT EXISTS (
    SELECT FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
     WHERE i.inhparent = 'public.measurement'::regclass AND c.relname = partition
  ) THEN
    RETURN false;
  END IF;
  EXECUTE format('SELECT count(*) FROM (SELECT FROM %I LIMIT 10001) AS other', partition) INTO others;
  IF others > 10000 THEN
    RETURN false;
  END IF;
  EXECUTE format('ALTER TABLE measurement DETACH PARTITION %I', partition);
  EXECUTE format('INSERT INTO measurement SELECT * FROM %I', partition);
  EXECUTE format('DROP TABLE %I', partition);
  RETURN true;
END $$;
REVOKE ALL ON FUNCTION drop_packed_measurement_partition(date) FROM PUBLIC;

-- Deletes messages about canaries that are not known, after a day. Runs as the owner: the web process may delete these
-- and nothing else.
CREATE FUNCTION delete_unmatched_messages() RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  gone bigint;
BEGIN
  DELETE FROM controller_message WHERE id IN (
    SELECT id FROM controller_message WHERE rollout_id IS NULL AND received_at < clock_timestamp() - interval '1 day'
     ORDER BY received_at LIMIT 10000);
  GET DIAGNOSTICS gone = ROW_COUNT;
  RETURN gone;
END $$;
REVOKE ALL ON FUNCTION delete_unmatched_messages() FROM PUBLIC;

-- One NOTIFY for each transaction: PostgreSQL merges equal payloads. It only wakes readers, who read the table.
CREATE FUNCTION notify_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('gatehouse_change', '');
  RETURN NULL;
END $$;
CREATE TRIGGER change_log_notify AFTER INSERT ON change_log FOR EACH STATEMENT EXECUTE FUNCTION notify_change();

-- The audit log and its evidence only grow, for every role.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% on % is refused: the audit log is append-only', TG_OP, TG_TABLE_NAME
    USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE TRIGGER audit_entry_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_entry
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER evidence_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON evidence
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- A decision at a gate can be voided once; it is never deleted.
CREATE FUNCTION keep_gate_decision() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.voided_at IS NULL AND NEW.voided_at IS NOT NULL
    AND to_jsonb(OLD) - 'voided_at' = to_jsonb(NEW) - 'voided_at' THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION '% on % is refused: a decision can only be voided, once', TG_OP, TG_TABLE_NAME
    USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE TRIGGER gate_decision_keep BEFORE UPDATE OR DELETE ON gate_decision
  FOR EACH ROW EXECUTE FUNCTION keep_gate_decision();
CREATE TRIGGER gate_decision_no_truncate BEFORE TRUNCATE ON gate_decision
  FOR EACH STATEMENT EXECUTE FUNCTION keep_gate_decision();

-- The rights of the two processes, if their roles exist. The web process updates columns, not rows: who requested what,
-- whose token it is and its hash stay as they were written.
DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'gatehouse_recorder') THEN
    GRANT USAGE ON SCHEMA public TO gatehouse_recorder;
    GRANT SELECT ON
          config_event, wait_mark, gate_decision, cluster_account, freeze_period, setting TO gatehouse_recorder;
    GRANT SELECT, UPDATE ON source_release TO gatehouse_recorder;
    GRANT SELECT, INSERT ON
          recorded_part, evidence, audit_entry, unasked_change TO gatehouse_recorder;
    GRANT SELECT, DELETE ON hook_call TO gatehouse_recorder;
    GRANT SELECT, INSERT, UPDATE ON
          action, retention_run, kubernetes_audit_file, finding, hold, barrier_hold, rollout_review, change_place,
          sampled_controller, controller_scrape, audit_stream
          TO gatehouse_recorder;
    GRANT SELECT, INSERT, DELETE ON
          termination, kubernetes_audit_event, rollout_sample, controller_sample
          TO gatehouse_recorder;
    -- Not DELETE: what people did would go with the row.
    GRANT SELECT, INSERT, UPDATE ON cluster, source, rollout TO gatehouse_recorder;
    GRANT SELECT, INSERT, UPDATE, DELETE ON
          source_hold, source_lease, replica_set, pod, deployment, experiment,
          analysis_template, analysis_template_version, kube_event, observation, release, release_wait, timeline_event,
          analysis_run, metric, measurement, measurement_gap, quarantine, controller_message, change_log,
          notifiable_event, notification_pending, notification, notification_matter, notification_incident,
          attention_change, reported_release, notification_place
          TO gatehouse_recorder;
    GRANT UPDATE (voided_at) ON gate_decision TO gatehouse_recorder;
    GRANT UPDATE (state, attributed_seq, audit_event_id, look_at) ON unasked_change TO gatehouse_recorder;
    GRANT USAGE ON SEQUENCE
          observation_id_seq, metric_id_seq, change_log_id_seq, controller_message_id_seq,
          kubernetes_audit_event_id_seq, notifiable_event_seq_seq, attention_change_id_seq
          TO gatehouse_recorder;
    GRANT EXECUTE ON FUNCTION ensure_measurement_partition(date) TO gatehouse_recorder;
    GRANT EXECUTE ON FUNCTION drop_measurement_partition(date, timestamptz) TO gatehouse_recorder;
    GRANT EXECUTE ON FUNCTION drop_packed_measurement_partition(date) TO gatehouse_recorder;
    GRANT SELECT ON recorded_measurement TO gatehouse_recorder;
    GRANT SELECT, INSERT, DELETE ON packed_measurement TO gatehouse_recorder;
  END IF;
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'gatehouse_web') THEN
    GRANT USAGE ON SCHEMA public TO gatehouse_web;
    GRANT SELECT ON
          cluster, source, source_hold, source_lease, rollout, replica_set, pod, deployment, experiment,
          analysis_template, analysis_template_version, kube_event, observation, recorded_part, release, release_wait,
          timeline_event, analysis_run, metric, measurement, measurement_gap, quarantine, retention_run, unasked_change,
          finding, rollout_sample, sampled_controller, controller_sample, controller_scrape,
          notifiable_event, notification_pending, notification_incident, rollout_review, audit_stream
          TO gatehouse_web;
    GRANT SELECT, INSERT ON
          source_release, action, evidence, audit_entry, user_account, api_token, config_event, approval, gate_decision,
          hook_call, controller_message, hook_credential, kubernetes_audit_event, change_log, notification, freeze_period,
          scheduled_action
          TO gatehouse_web;
    GRANT SELECT, INSERT, UPDATE ON user_session, cluster_account, setting TO gatehouse_web;
    GRANT SELECT, INSERT, DELETE ON device_request TO gatehouse_web;
    GRANT SELECT, INSERT, UPDATE, DELETE ON saved_view, wait_mark TO gatehouse_web;
    GRANT UPDATE (ends_at, ended_by_name) ON freeze_period TO gatehouse_web;
    GRANT UPDATE (
          open_findings, worst_finding, worst_finding_since, attention_reason, attention_since, attention_severity)
          ON rollout TO gatehouse_web;
    GRANT UPDATE (
          state, idempotency_key, plan, message, intent_seq, outcome_seq, applied_at, effective_at, deadline_at,
          watch_until, look_at, effect_why)
          ON action TO gatehouse_web;
    GRANT UPDATE (name, email, last_seen_at) ON user_account TO gatehouse_web;
    GRANT UPDATE (last_used_at, revoked_at, restricted) ON api_token TO gatehouse_web;
    GRANT UPDATE (
          interval_seconds, polled_at, state, decided_at, owner_id, username, groups, role, expires_in_days)
          ON device_request TO gatehouse_web;
    GRANT UPDATE (
          decision, decided_by, decided_by_name, decided_at, decision_reason, action_id, decided_username, votes)
          ON approval TO gatehouse_web;
    GRANT UPDATE (state, message, claim, claimed_at, ended_at, action_id, identity)
          ON scheduled_action TO gatehouse_web;
    GRANT UPDATE (voided_at) ON gate_decision TO gatehouse_web;
    GRANT UPDATE (revoked_at, last_used_at) ON hook_credential TO gatehouse_web;
    GRANT UPDATE (look_at) ON unasked_change TO gatehouse_web;
    GRANT UPDATE (
          updated_at, acknowledged_at, acknowledged_by, acknowledged_by_name, acknowledge_reason)
          ON finding TO gatehouse_web;
    GRANT UPDATE (state, next_attempt_at, give_up_at, ended_at) ON notification TO gatehouse_web;
    GRANT USAGE ON SEQUENCE
          change_log_id_seq, config_event_id_seq, gate_decision_seq_seq, hook_call_id_seq, controller_message_id_seq,
          kubernetes_audit_event_id_seq
          TO gatehouse_web;
    GRANT EXECUTE ON FUNCTION delete_unmatched_messages() TO gatehouse_web;
    GRANT SELECT ON packed_measurement, recorded_measurement TO gatehouse_web;
  END IF;
END $$;
