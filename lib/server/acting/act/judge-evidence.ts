import { z } from "zod";
import type { MetricEvidence } from "#lib/contract/evidence.ts";
import { isDeliveryKind } from "#lib/domain/delivery/delivery-kind.ts";
import type { ExplainingProvider } from "#lib/domain/delivery/explaining.ts";
import { measuringProviderOf, providerOfKind } from "#lib/domain/providers.ts";
import { describeEvidence } from "#lib/server/records/describe-evidence.ts";

const Count = z.number().int().catch(0);
const Text = z.string().catch("");

const Measured = z.looseObject({
  value: z.string().nullable().catch(null),
  phase: z.string().nullable().catch(null),
  metadata: z.record(z.string(), z.string()).nullable().catch(null),
});

/** A metric in evidence. Fields that an older version did not write count as absent. */
const Metric = z.looseObject({
  name: z.string(),
  phase: Text,
  message: Text,
  dry_run: z.boolean().catch(false),
  provider: z.string().nullable().catch(null),
  query: z.string().nullable().catch(null),
  count: Count,
  successful: Count,
  failed: Count,
  inconclusive: Count,
  error: Count,
  consecutive_error: Count,
  consecutive_success: Count,
  measurements: z.array(Measured).catch([]),
});

const Evidence = z.looseObject({
  runs: z.array(z.looseObject({ uid: z.string(), spec: z.unknown(), metrics: z.array(Metric) })),
});

/**
 * Describes the metrics of an action's evidence beside the rules that are frozen with it, as the inbox does with live
 * ones. `kind`: of the entry's target. Empty for evidence of another kind or shape.
 */
export function judgeEvidence(evidence: unknown, kind: string | undefined): MetricEvidence[] {
  const parsed = Evidence.safeParse(evidence);
  const explaining = explainingOf(kind);
  if (!parsed.success || explaining === undefined) return [];
  return parsed.data.runs.flatMap((run) => judgeRun(run, explaining));
}

function explainingOf(kind: string | undefined): ExplainingProvider | undefined {
  if (kind === "AnalysisRun" || kind === "Experiment") return measuringProviderOf(kind).explaining;
  return kind !== undefined && isDeliveryKind(kind) ? providerOfKind(kind).measuring?.explaining : undefined;
}

function judgeRun(run: z.infer<typeof Evidence>["runs"][number], explaining: ExplainingProvider): MetricEvidence[] {
  const rules = explaining.readSpec(run.spec);
  const conditions = explaining.readConditions(run.spec);
  return run.metrics.map(({ measurements, ...metric }) =>
    describeEvidence({
      metric: {
        ...metric,
        run_uid: run.uid,
        inconsistent: false,
      },
      rules: rules.metrics.get(metric.name),
      defaults: explaining.defaultLimits,
      conditions: conditions.get(metric.name),
      draw: explaining.drawConditions,
      values: {
        numbers: measurements.map(({ value }) => readNumber(value)),
        last: measurements.at(-1)?.value ?? null,
        last_phase: measurements.at(-1)?.phase ?? null,
        metadata: measurements.at(-1)?.metadata ?? null,
      },
    }),
  );
}

/** Reads the value, or the first of a list; null for anything else. */
function readNumber(value: string | null): number | null {
  const text = /^\s*(?:\[\s*)*([^\s,\]]+)/.exec(value ?? "")?.[1];
  const number = text === undefined ? Number.NaN : Number(text);
  return Number.isFinite(number) ? number : null;
}
