import { randomUUID } from "node:crypto";
import pg from "pg";
import { nothingRelated } from "#lib/domain/delivery/related-state.ts";
import { rolloutIdOf } from "#lib/domain/delivery/rollout-id.ts";
import { providerOfKind } from "#lib/domain/providers.ts";
import { insertMeasured } from "./measurement-rows.ts";

/** Writes rows as the recorder does, for tests of readers. Each call makes its own objects. */
export type Recorded = {
  client: pg.Client;
  addSource(source: {
    cluster?: string;
    kind?: string;
    state?: string;
    contactSecondsAgo?: number | null;
  }): Promise<void>;
  addRollout(rollout?: Partial<RolloutFields>): Promise<RecordedRollout>;
  addRun(run: RunFields): Promise<{ uid: string }>;
  addMeasurements(run: { rolloutId: string; uid: string; metric: string; values: MeasurementFields[] }): Promise<void>;
  addRelease(release: {
    rolloutId: string;
    runKey?: string;
    attempt?: number;
    startedAt?: Date;
    state?: string;
  }): Promise<{ id: string }>;
  /** Observes the rollout as its recorded object is. */
  addObservation(observation: { rolloutId: string; runKey?: string; at: Date }): Promise<void>;
  addChange(change: { kind: string; ref: string; op?: string }): Promise<void>;
  close(): Promise<void>;
};

type RolloutFields = {
  cluster: string;
  namespace: string;
  name: string;
  phase: string;
  message: string;
  presence: string;
  attention: { reason: string; severity?: string; since: Date } | undefined;
  object: Record<string, unknown>;
};
export type RecordedRollout = {
  id: string;
  uid: string;
  cluster: string;
  namespace: string;
  name: string;
  path: string;
};
type RunFields = {
  rolloutId: string;
  namespace?: string;
  name?: string;
  phase?: string;
  createdAt?: Date;
  spec?: Record<string, unknown>;
  metrics?: {
    name: string;
    phase?: string;
    count?: number;
    inconclusive?: number;
    successful?: number;
    failed?: number;
  }[];
};
export type MeasurementFields = { seq: number; value: string; phase?: string; kind?: string; parsed?: number | null };

/** Returns a canary whose inline analysis ended Inconclusive at the second of four steps. */
export function inconclusiveRollout({ namespace, name, uid }: { namespace: string; name: string; uid: string }) {
  return {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Rollout",
    metadata: { namespace, name, uid, resourceVersion: "7", generation: 2 },
    spec: {
      replicas: 5,
      template: { spec: { containers: [{ name: "app", image: "shop:2" }] } },
      strategy: {
        canary: { steps: [{ setWeight: 20 }, { analysis: {} }, { pause: {} }, { setWeight: 100 }] },
      },
    },
    status: {
      phase: "Paused",
      observedGeneration: "2",
      currentStepIndex: 1,
      currentPodHash: "new",
      stableRS: "old",
      controllerPause: true,
      pauseConditions: [{ reason: "InconclusiveAnalysisRun", startTime: "2026-03-01T09:30:00Z" }],
      canary: { currentStepAnalysisRunStatus: { name: `${name}-run`, status: "Inconclusive", message: "" } },
    },
  };
}

export async function connectRecorded(url: string): Promise<Recorded> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  return {
    client,
    addSource: async ({ cluster = "demo", kind = "Rollout", state = "live", contactSecondsAgo = 1 }) => {
      await client.query(
        `WITH known AS (INSERT INTO cluster (name) VALUES ($2) ON CONFLICT DO NOTHING)
         INSERT INTO source (id, cluster, resource, kind, state, watch_contact_at, read_contact_at, stale_after_ms)
         VALUES ($1, $2, 'rollouts', $3, $4, now() - make_interval(secs => $5), now(), 60000)`,
        [randomUUID(), cluster, kind, state, contactSecondsAgo],
      );
    },
    addRollout: (rollout) => insertRollout(client, rollout ?? {}),
    addRun: (run) => insertRun(client, run),
    addMeasurements: async ({ rolloutId, uid, metric, values }) => {
      await client.query(
        `INSERT INTO metric (rollout_id, run_uid, name, phase, message) VALUES ($1, $2, $3, 'Running', '')
         ON CONFLICT (rollout_id, run_uid, name) DO NOTHING`,
        [rolloutId, uid, metric],
      );
      for (const { seq, value, phase = "Successful", kind = "number", parsed = Number(value) } of values) {
        await client.query(
          insertMeasured(
            ["seq", "started_at", "finished_at", "phase", "value", "parsed_kind", "parsed"],
            `SELECT $1 AS run_uid, $2 AS metric, $3::int AS seq, $4::timestamptz AS started_at, $4::timestamptz AS finished_at,
               $5 AS phase, $6 AS value, $7 AS parsed_kind, $8::float8 AS parsed`,
          ),
          [uid, metric, seq, new Date(Date.UTC(2026, 2, 1) + seq * 1000), phase, value, kind, parsed],
        );
      }
    },
    addRelease: async ({ rolloutId, runKey = "new", attempt = 1, startedAt = new Date(), state = "paused" }) => {
      const id = randomUUID();
      await client.query(
        `INSERT INTO release (id, rollout_id, run_key, attempt, state, message, images, started_at, updated_at)
         VALUES ($1, $2, $3, $6, $4, '', '["shop:2"]', $5, now())`,
        [id, rolloutId, runKey, state, startedAt, attempt],
      );
      return { id };
    },
    addObservation: async ({ rolloutId, runKey = "new", at }) => {
      const { rows } = await client.query<{ object: unknown }>("SELECT object FROM rollout WHERE id = $1", [rolloutId]);
      const provider = providerOfKind("Rollout");
      const parsed = provider.parse(rows[0]?.object);
      if (!parsed.ok) throw new Error(parsed.reason);
      const projection = parsed.value.observe({
        summary: parsed.value.summarize(nothingRelated),
        toStorable: String,
        related: nothingRelated,
        writer: null,
        observedAt: at.toISOString(),
        isDeleted: false,
        knownPasses: [],
      });
      await client.query(
        `INSERT INTO observation (rollout_id, observed_at, resource_version, view_digest, provider, run_key, projection)
         VALUES ($1, $2, $3, 'digest', $4, $5, $6)`,
        [rolloutId, at, randomUUID(), provider.name, runKey, JSON.stringify(projection)],
      );
    },
    addChange: async ({ kind, ref, op = "upsert" }) => {
      await client.query("INSERT INTO change_log (kind, ref, op) VALUES ($1, $2, $3)", [kind, ref, op]);
    },
    close: () => client.end(),
  };
}

async function insertRollout(client: pg.Client, fields: Partial<RolloutFields>): Promise<RecordedRollout> {
  const { cluster = "demo", namespace = `ns-${randomUUID().slice(0, 8)}`, name = "checkout" } = fields;
  const { phase = "Paused", message = "", presence = "live", attention } = fields;
  const uid = randomUUID();
  const id = rolloutIdOf({ cluster, namespace, kind: "Rollout", name, uid });
  await client.query(
    `WITH known AS (INSERT INTO cluster (name) VALUES ($2) ON CONFLICT DO NOTHING)
     INSERT INTO rollout (id, cluster, namespace, kind, name, uid, presence, strategy, phase, message, step, step_count,
       weight_set, weight_actual, images, attention_reason, attention_since, attention_severity, view_digest,
       revision_key, revision, resource_version, object, updated_at)
     VALUES ($1, $2, $3, 'Rollout', $4, $5, $6, 'Canary', $7, $8, 1, 4, 20, 20, $9, $10, $11, $12, $13, 'new', 2, '7',
       $14, now())`,
    [
      id,
      cluster,
      namespace,
      name,
      uid,
      presence,
      phase,
      message,
      JSON.stringify([{ image: "shop:2", tags: ["canary"] }]),
      attention?.reason ?? null,
      attention?.since ?? null,
      attention?.severity ?? null,
      "d".repeat(64),
      JSON.stringify(fields.object ?? inconclusiveRollout({ namespace, name, uid })),
    ],
  );
  return { id, uid, cluster, namespace, name, path: `${cluster}/${namespace}/Rollout/${name}` };
}

async function insertRun(client: pg.Client, run: RunFields): Promise<{ uid: string }> {
  const uid = randomUUID();
  const { namespace = "ns", name = "checkout-run", phase = "Inconclusive", createdAt = new Date() } = run;
  await client.query(
    `INSERT INTO analysis_run (uid, rollout_id, cluster, namespace, name, owner_kind, owner_name, type, step_index,
       revision, pod_hash, phase, message, spec, resource_version, created_at, started_at, updated_at)
     VALUES ($1, $2, 'demo', $3, $4, 'Rollout', 'checkout', 'Step', 1, 2, 'new', $5, '', $6, '9', $7, $7, now())`,
    [uid, run.rolloutId, namespace, name, phase, JSON.stringify(run.spec ?? { metrics: [] }), createdAt],
  );
  for (const [ord, metric] of (run.metrics ?? []).entries()) {
    await client.query(
      `INSERT INTO metric (rollout_id, run_uid, name, ord, phase, message, count, successful, failed, inconclusive)
       VALUES ($1, $2, $3, $4, $5, '', $6, $7, $8, $9)`,
      [
        run.rolloutId,
        uid,
        metric.name,
        ord,
        metric.phase ?? phase,
        metric.count ?? 0,
        metric.successful ?? 0,
        metric.failed ?? 0,
        metric.inconclusive ?? 0,
      ],
    );
  }
  return { uid };
}
