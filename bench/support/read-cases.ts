import { deepRollout, longRun, recordCluster } from "./fill-records.ts";

/** A request, and one statement by hand that reads the same data. */
export type ReadCase = {
  name: string;
  path: string;
  sql: string;
  /** A list whose page 1000 is compared with its first: rows of a page, and how the statement reaches it. */
  deep?: { limit: number };
  /** Bytes that the answer may have. */
  mostBytes?: number;
};

const listBytes = 200_000;
const { namespace, name } = deepRollout;
const rolloutPath = `/api/v1/rollouts/${recordCluster}/${namespace}/Rollout/${name}`;
const ofDeep = `(SELECT id FROM rollout WHERE cluster = '${recordCluster}' AND namespace = '${namespace}' AND kind = 'Rollout' AND name = '${name}')`;

const rolloutColumns = `r.id, r.cluster, r.namespace, r.kind, r.name, r.uid, r.presence, r.strategy, r.phase, r.message, r.step,
  r.step_count, r.weight_set, r.weight_actual, r.images, r.attention_reason, r.attention_since, r.attention_severity,
  r.open_findings, r.worst_finding, r.view_digest, r.revision_key, r.revision, r.updated_at`;

const actsOf = `(SELECT json_agg(json_build_object('entry', e.entry, 'state', x.state)) FROM action x
  JOIN audit_entry e ON e.action_id = x.id WHERE x.rollout_id = l.rollout_id AND x.plan ->> 'runKey' = l.run_key)`;
const releaseColumns = `l.*, r.cluster, r.namespace, r.kind, r.name, ${actsOf} AS acts,
  (SELECT json_agg(a.phase) FROM analysis_run a WHERE a.rollout_id = l.rollout_id AND a.pod_hash = l.run_key) AS runs,
  (SELECT count(*) FROM finding f WHERE f.rollout_id = l.rollout_id AND f.run_key = l.run_key AND f.closed_at IS NULL) AS findings`;
const releases = `SELECT ${releaseColumns} FROM release l JOIN rollout r ON r.id = l.rollout_id`;

const runs = `SELECT a.uid, a.rollout_id, a.cluster, a.namespace, a.kind, a.name, a.type, a.step_index, a.revision, a.pod_hash,
  a.phase, a.message, a.terminated, a.presence, a.started_at, a.completed_at, a.first_seen_at, r.kind AS owner_kind,
  r.name AS owner, a.verdict_check ->> 'state' AS verdict,
  (SELECT count(*) FROM metric t JOIN measurement m ON m.metric_id = t.id
    WHERE t.rollout_id = a.rollout_id AND t.run_uid = a.uid AND NOT m.superseded) AS measurements,
  (SELECT sum(g.count) FROM metric t JOIN measurement_gap g ON g.metric_id = t.id
    WHERE t.rollout_id = a.rollout_id AND t.run_uid = a.uid) AS lost
  FROM analysis_run a LEFT JOIN rollout r ON r.id = a.rollout_id`;

const needOfRollout = `CASE r.attention_reason WHEN 'inconclusive' THEN 0 WHEN 'gate' THEN 0 WHEN 'pause' THEN 0 WHEN 'blueGreenPromotion' THEN 0
  WHEN 'degraded' THEN 1 WHEN 'finding' THEN 2 ELSE CASE r.phase WHEN 'Paused' THEN 3 WHEN 'Progressing' THEN 3 WHEN 'Healthy' THEN 5 ELSE 4 END END`;
const phaseOfRun = (
  column: string,
) => `CASE ${column} WHEN 'Failed' THEN 7 WHEN 'Error' THEN 6 WHEN 'Inconclusive' THEN 5
  WHEN 'Running' THEN 4 WHEN 'Pending' THEN 3 WHEN '' THEN 3 WHEN 'Successful' THEN 1 ELSE 2 END`;
const waits = "CASE WHEN r.attention_reason NOT IN ('degraded', 'finding') THEN r.attention_since END";
const seconds = "extract(epoch FROM l.ended_at - l.started_at)::numeric";

type Order = { sort: string; by: string };

/** `rows`: as many as the page asks for at a time. `limit`: rows of the pages of which the list has a thousand. */
type List = { path: string; rows: number; limit: number };

function listCases(list: string, order: Order[], select: string, { path, rows, limit }: List): ReadCase[] {
  return order.map(({ sort, by }, index) => ({
    name: `${list}-by-${sort}`,
    path: `${path}?limit=${rows}&sort=${sort}`,
    sql: `${select} ORDER BY ${by} LIMIT ${rows + 1}`,
    mostBytes: listBytes,
    // Every order pages in the same way; of each list, the usual order and another are followed to page 1000.
    ...(index < 2 ? { deep: { limit } } : {}),
  }));
}

const rolloutList = `SELECT ${rolloutColumns} FROM rollout r WHERE r.presence IN ('live', 'absent')`;
const experiments = `SELECT e.uid, e.cluster, e.namespace, e.name, e.phase, e.message, e.created_at, e.completed_at, e.object,
  r.kind, r.name AS owner FROM experiment e LEFT JOIN rollout r ON r.id = e.rollout_id`;
const templates = `SELECT t.*, v.spec, v.written_at, (SELECT count(*) FROM rollout r WHERE r.cluster = t.cluster AND r.namespace = t.namespace
  AND r.presence = 'live' AND r.template_refs @> to_jsonb(ARRAY[t.kind || '/' || t.name])) AS used_by
  FROM analysis_template t JOIN analysis_template_version v ON v.template_uid = t.uid AND v.version = t.version`;

const lists: ReadCase[] = [
  ...listCases(
    "rollouts",
    [
      { sort: "name", by: "r.namespace, r.name, r.id" },
      { sort: "need", by: `${needOfRollout}, COALESCE(r.attention_since, 'infinity'), r.namespace, r.name, r.id` },
      { sort: "cluster", by: "r.cluster, r.namespace, r.kind, r.name, r.uid" },
      { sort: "waitingSince", by: `COALESCE(${waits}, 'infinity'), r.id` },
      { sort: "-waitingSince", by: `COALESCE(${waits}, '-infinity') DESC, r.id DESC` },
    ],
    rolloutList,
    { path: "/api/v1/rollouts", rows: 100, limit: 10 },
  ),
  ...listCases(
    "releases",
    [
      { sort: "-startedAt", by: "l.started_at DESC, l.id" },
      {
        sort: "state",
        by: "CASE l.state WHEN 'aborted' THEN 6 WHEN 'paused' THEN 5 WHEN 'progressing' THEN 4 WHEN 'superseded' THEN 2 WHEN 'promoted' THEN 1 ELSE 3 END DESC, l.started_at DESC, l.id DESC",
      },
      { sort: "duration", by: `COALESCE(${seconds}, 1000000000000), l.id` },
      { sort: "-duration", by: `COALESCE(${seconds}, -1) DESC, l.id DESC` },
    ],
    releases,
    { path: "/api/v1/releases", rows: 50, limit: 50 },
  ),
  ...listCases(
    "runs",
    [
      { sort: "-startedAt", by: "a.created_at DESC, a.uid" },
      { sort: "name", by: "a.name, a.uid" },
      { sort: "phase", by: `${phaseOfRun("a.phase")} DESC, a.created_at DESC, a.uid DESC` },
    ],
    runs,
    { path: "/api/v1/analysis-runs", rows: 100, limit: 50 },
  ),
  ...listCases(
    "experiments",
    [
      { sort: "-createdAt", by: "e.created_at DESC, e.uid" },
      { sort: "name", by: "e.name, e.uid" },
      { sort: "phase", by: `${phaseOfRun("e.phase")} DESC, e.created_at DESC, e.uid DESC` },
    ],
    experiments,
    { path: "/api/v1/experiments", rows: 100, limit: 5 },
  ),
  ...listCases(
    "templates",
    [
      { sort: "name", by: "t.name, t.namespace, t.uid" },
      { sort: "cluster", by: "t.cluster, t.kind, t.namespace, t.name, t.uid" },
      { sort: "writtenAt", by: "v.written_at, v.template_uid" },
    ],
    templates,
    { path: "/api/v1/templates", rows: 100, limit: 1 },
  ).map(({ deep: _, ...each }) => each),
  {
    name: "audit-by--time",
    path: "/api/v1/audit?limit=50",
    sql: "SELECT a.*, x.state, x.effective_at FROM audit_entry a LEFT JOIN action x ON x.id = a.action_id ORDER BY a.seq DESC LIMIT 51",
    mostBytes: listBytes,
    deep: { limit: 20 },
  },
  {
    name: "audit-aborts",
    path: "/api/v1/aborts?limit=50",
    sql: `SELECT l.id, l.revision, l.attempt, l.images, l.message, r.cluster, r.namespace, r.kind, r.name, ${actsOf} AS acts
      FROM release l JOIN rollout r ON r.id = l.rollout_id WHERE l.state = 'aborted'
      ORDER BY COALESCE(l.ended_at, l.updated_at) DESC, l.id LIMIT 51`,
    mostBytes: listBytes,
    deep: { limit: 10 },
  },
];

/** The fill has lists of one number alone. */
const textOfValue = "'[' || m.parsed::text || ']'";
const evidence = `(SELECT json_agg(json_build_object('metric', to_json(t), 'values', (SELECT json_agg(v.value) FROM
    (SELECT ${textOfValue} AS value FROM measurement m WHERE m.metric_id = t.id AND NOT m.superseded
     ORDER BY m.seq DESC LIMIT 30) v)))
  FROM (SELECT uid FROM analysis_run a WHERE a.rollout_id = r.id AND a.pod_hash = r.revision_key ORDER BY a.created_at DESC LIMIT 2) a
    JOIN metric t ON t.rollout_id = r.id AND t.run_uid = a.uid)`;
const inbox = `SELECT ${rolloutColumns}, r.object, ${evidence} AS evidence FROM rollout r
  WHERE r.presence = 'live' AND r.attention_reason IS NOT NULL`;

const measured = (
  uid: string,
) => `SELECT t.name AS metric, m.seq, m.started_at, m.finished_at, m.phase, ${textOfValue} AS value, m.parsed, m.message
  FROM analysis_run a JOIN metric t ON t.rollout_id = a.rollout_id AND t.run_uid = a.uid JOIN measurement m ON m.metric_id = t.id
  WHERE a.uid = ${uid} AND NOT m.superseded ORDER BY t.name, m.seq`;

const runDetail = (
  uid: string,
) => `SELECT a.*, r.object, (SELECT json_agg(to_json(t)) FROM metric t WHERE t.rollout_id = a.rollout_id AND t.run_uid = a.uid) AS metrics,
  (SELECT json_agg(g) FROM metric t JOIN measurement_gap g ON g.metric_id = t.id
     WHERE t.rollout_id = a.rollout_id AND t.run_uid = a.uid) AS gaps,
  (SELECT json_object_agg(name, count) FROM (SELECT t.name, count(*) FROM metric t JOIN measurement m ON m.metric_id = t.id
     WHERE t.rollout_id = a.rollout_id AND t.run_uid = a.uid AND NOT m.superseded GROUP BY t.name) c) AS recorded
  FROM analysis_run a JOIN rollout r ON r.id = a.rollout_id WHERE a.uid = ${uid}`;

const part = "ILIKE '%service-77%'";
const searched = `(SELECT 'rollout', id::text, namespace || '/' || name, updated_at FROM rollout
    WHERE namespace || '/' || name ${part} ORDER BY name LIMIT 6)
  UNION ALL (SELECT 'release', l.id::text, l.images::text, l.started_at FROM release l JOIN rollout r ON r.id = l.rollout_id
    WHERE l.images::text ${part} ORDER BY l.started_at DESC LIMIT 6)
  UNION ALL (SELECT 'run', uid, name, created_at FROM analysis_run WHERE name LIKE 'service-77%' ORDER BY created_at DESC LIMIT 6)
  UNION ALL (SELECT 'experiment', uid, name, created_at FROM experiment WHERE name ${part} ORDER BY created_at DESC LIMIT 6)
  UNION ALL (SELECT 'template', uid, name, updated_at FROM analysis_template WHERE name ${part} ORDER BY name LIMIT 6)
  UNION ALL (SELECT 'audit', seq::text, entry, time FROM audit_entry
    WHERE audit_words(actor_name, actor_subject, code, cluster, namespace, name, entry) @@ to_tsquery('simple', 'service & 77:*')
    ORDER BY seq DESC LIMIT 6)`;

/** What the pages of single things ask for. `run` and `release` are ids of ordinary ones. */
function pageCases({ run, release }: { run: string; release: string }): ReadCase[] {
  const long = `'${longRun.uid}'`;
  return [
    {
      name: "inbox",
      path: "/api/v1/inbox?limit=50",
      sql: `${inbox} AND r.attention_reason = 'pause' ORDER BY r.weight_actual DESC, r.attention_since, r.id LIMIT 51`,
      mostBytes: listBytes,
    },
    {
      name: "inbox-answered",
      path: "/api/v1/inbox?limit=50&answered=true",
      sql: `${inbox} AND r.attention_reason = 'degraded' ORDER BY r.weight_actual DESC, r.attention_since, r.id LIMIT 51`,
      mostBytes: listBytes,
    },
    {
      name: "rollout",
      path: rolloutPath,
      sql: `SELECT ${rolloutColumns}, r.object, ${evidence} AS evidence,
        (SELECT json_agg(to_json(a)) FROM (SELECT uid, name, phase FROM analysis_run a WHERE a.rollout_id = r.id
          ORDER BY a.created_at DESC LIMIT 100) a) AS runs FROM rollout r WHERE r.id = ${ofDeep}`,
    },
    {
      name: "history",
      path: `${rolloutPath}/releases?limit=50`,
      sql: `${releases} WHERE l.rollout_id = ${ofDeep} ORDER BY l.started_at DESC, l.id LIMIT 51`,
      mostBytes: listBytes,
      deep: { limit: 2 },
    },
    {
      name: "history-runs",
      path: `${rolloutPath}/analysis-runs?limit=50`,
      sql: `${runs} WHERE a.rollout_id = ${ofDeep} ORDER BY a.created_at DESC, a.uid LIMIT 51`,
      mostBytes: listBytes,
      deep: { limit: 4 },
    },
    {
      name: "timeline",
      path: `${rolloutPath}/timeline?limit=50`,
      sql: `SELECT * FROM timeline_event WHERE rollout_id = ${ofDeep} ORDER BY at DESC, ord DESC LIMIT 51`,
      mostBytes: listBytes,
      deep: { limit: 8 },
    },
    {
      name: "release",
      path: `/api/v1/releases/${release}`,
      sql: `${releases} WHERE l.id = '${release}'`,
    },
    {
      name: "release-course",
      path: `/api/v1/releases/${release}/course`,
      sql: `SELECT ${releaseColumns}, r.object, (SELECT json_agg(to_json(o)) FROM observation o WHERE o.rollout_id = l.rollout_id
          AND o.run_key = l.run_key) AS observations,
        (SELECT json_agg(to_json(a)) FROM analysis_run a WHERE a.rollout_id = l.rollout_id AND a.pod_hash = l.run_key) AS all_runs
        FROM release l JOIN rollout r ON r.id = l.rollout_id WHERE l.id = '${release}'`,
    },
    { name: "run", path: `/api/v1/analysis-runs/${run}`, sql: runDetail(`'${run}'`) },
    {
      name: "run-measurements",
      path: `/api/v1/analysis-runs/${run}/measurements?points=800`,
      sql: measured(`'${run}'`),
    },
    { name: "long-run", path: `/api/v1/analysis-runs/${longRun.uid}`, sql: runDetail(long) },
    {
      name: "long-run-measurements",
      path: `/api/v1/analysis-runs/${longRun.uid}/measurements?points=800`,
      sql: measured(long),
    },
    {
      name: "search-rollouts",
      path: "/api/v1/rollouts?limit=100&q=service-77",
      sql: `${rolloutList} AND (r.name ILIKE '%service-77%' OR r.namespace ILIKE '%service-77%') ORDER BY r.namespace, r.name, r.id LIMIT 101`,
      mostBytes: listBytes,
    },
    {
      name: "search",
      path: "/api/v1/search?q=service-77",
      sql: searched,
      mostBytes: listBytes,
    },
  ];
}

/** Lists every read that is measured. */
export function readCases(ids: { run: string; release: string }): ReadCase[] {
  return [...lists, ...pageCases(ids)];
}
