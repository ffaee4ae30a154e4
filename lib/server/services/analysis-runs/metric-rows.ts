import { z } from "zod";
import type { Runtime } from "#lib/server/process/runtime-types.ts";

export type MetricRow = {
  run_uid: string;
  name: string;
  phase: string;
  message: string;
  dry_run: boolean;
  provider: string | null;
  count: number;
  successful: number;
  failed: number;
  inconclusive: number;
  error: number;
  consecutive_error: number;
  consecutive_success: number;
  query: string | null;
  inconsistent: boolean;
  recorded: number;
  taken_again: number;
};

/** Reads the metrics of some runs in the order of their spec, with their number of stored measurements. */
export async function readMetrics(runtime: Runtime, runUids: readonly string[]): Promise<MetricRow[]> {
  const { rows } = await runtime.pool.query<MetricRow>(
    `SELECT t.run_uid, t.name, t.phase, t.message, t.dry_run, t.provider, t.count, t.successful, t.failed,
       t.inconclusive, t.error, t.consecutive_error, t.consecutive_success, t.query, t.inconsistent,
       measured.recorded, measured.taken_again
     FROM metric t JOIN analysis_run a ON a.uid = t.run_uid
     CROSS JOIN LATERAL (
       SELECT count(*) FILTER (WHERE NOT superseded)::int AS recorded, count(*) FILTER (WHERE superseded)::int AS taken_again
         FROM measurement m WHERE m.rollout_id = a.rollout_id AND m.run_uid = t.run_uid AND m.metric = t.name) measured
     WHERE t.run_uid = ANY($1::text[]) ORDER BY t.run_uid, t.ord, t.name`,
    [runUids],
  );
  return rows;
}

export type GapRow = { run_uid: string; metric: string; after_seq: number; count: number; open: boolean };

export async function readGaps(runtime: Runtime, runUid: string): Promise<GapRow[]> {
  const { rows } = await runtime.pool.query<GapRow>(
    "SELECT run_uid, metric, after_seq, count, open FROM measurement_gap WHERE run_uid = $1 ORDER BY metric, after_seq",
    [runUid],
  );
  return rows;
}

const limit = z
  .union([z.number(), z.string()])
  .nullish()
  .transform((value) => (value === undefined || value === null || value === "" ? null : String(value)));
const text = z
  .string()
  .nullish()
  .transform((value) => (value === undefined || value === "" ? null : value));

/** The part of a metric's spec that we show, as recorded. */
const MetricSpecView = z.looseObject({
  name: z.string(),
  count: limit,
  interval: text,
  initialDelay: text,
  failureLimit: limit,
  inconclusiveLimit: limit,
  consecutiveErrorLimit: limit,
  consecutiveSuccessLimit: limit,
  successCondition: text,
  failureCondition: text,
});
export type MetricSpecView = z.infer<typeof MetricSpecView>;

const RunSpecView = z.looseObject({
  metrics: z.array(z.unknown()).nullish(),
  args: z.array(z.unknown()).nullish(),
});

const ArgView = z.looseObject({
  name: z.string(),
  value: z.string().nullish(),
  valueFrom: z.looseObject({ secretKeyRef: z.unknown().nullish() }).nullish(),
});

export type RunSpecParts = {
  metrics: Map<string, MetricSpecView>;
  args: { name: string; value: string | null; secret: boolean }[];
};

/** Reads the stored spec of a run; parts that do not fit are left out, so that every recorded run can be shown. */
export function readRunSpec(spec: unknown): RunSpecParts {
  const parsed = RunSpecView.safeParse(spec);
  const metrics = new Map<string, MetricSpecView>();
  for (const metric of parsed.data?.metrics ?? []) {
    const view = MetricSpecView.safeParse(metric);
    if (view.success) metrics.set(view.data.name, view.data);
  }
  const args = (parsed.data?.args ?? []).flatMap((arg) => {
    const view = ArgView.safeParse(arg);
    if (!view.success) return [];
    const isSecret = view.data.valueFrom?.secretKeyRef !== undefined && view.data.valueFrom.secretKeyRef !== null;
    return { name: view.data.name, value: isSecret ? null : (view.data.value ?? null), secret: isSecret };
  });
  return { metrics, args };
}
