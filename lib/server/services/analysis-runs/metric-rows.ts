import { sql } from "kysely";
import { z } from "zod";
import { isOneOf } from "#lib/server/db/conditions.ts";
import type { MeasurementGap } from "#lib/server/db/generated/client.ts";
import { type RowOf, readRows } from "#lib/server/db/run-query.ts";
import { tables } from "#lib/server/db/tables.ts";
import type { Runtime } from "#lib/server/process/runtime-types.ts";

const selectMetrics = tables
  .selectFrom("metric as t")
  .innerJoin("analysis_run as a", "a.uid", "t.run_uid")
  .crossJoinLateral(({ selectFrom }) =>
    selectFrom("measurement as m")
      .select(({ ref }) => [
        sql<number>`count(*) FILTER (WHERE NOT ${ref("m.superseded")})::int`.as("recorded"),
        sql<number>`count(*) FILTER (WHERE ${ref("m.superseded")})::int`.as("taken_again"),
      ])
      .whereRef("m.rollout_id", "=", "a.rollout_id")
      .whereRef("m.run_uid", "=", "t.run_uid")
      .whereRef("m.metric", "=", "t.name")
      .as("measured"),
  )
  .selectAll("t")
  .select(["measured.recorded", "measured.taken_again"])
  .orderBy("t.run_uid")
  .orderBy("t.ord")
  .orderBy("t.name");

export type MetricRow = Omit<RowOf<typeof selectMetrics>, "ord">;

/** Reads the metrics of some runs in the order of their spec, with their number of stored measurements. */
export async function readMetrics({ pool }: Runtime, runUids: readonly string[]): Promise<MetricRow[]> {
  return readRows(
    pool,
    selectMetrics.where(({ ref }) => isOneOf(ref("t.run_uid"), runUids)),
  );
}

export type Gap = Pick<MeasurementGap, "metric" | "afterSeq" | "count" | "open">;

export async function readGaps({ db }: Runtime, runUid: string): Promise<Gap[]> {
  return db.measurementGap.findMany({
    where: { runUid },
    orderBy: [{ metric: "asc" }, { afterSeq: "asc" }],
    select: { metric: true, afterSeq: true, count: true, open: true },
  });
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
