import { z } from "zod";
import type { AuditDetail, AuditItem } from "#lib/contract/audit.ts";
import type { MetricEvidence } from "#lib/contract/evidence.ts";
import { isDeliveryKind } from "#lib/domain/delivery/delivery-kind.ts";
import type { ExplainingProvider } from "#lib/domain/delivery/explaining.ts";
import { measuringProviderOf, providerOfKind } from "#lib/domain/providers.ts";
import type { ConfiguredUnits } from "#lib/domain/units/find-unit.ts";
import type { StoreContext } from "#lib/server/platform/actor/actor.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
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
 * ones. `kind`: of the entry's target. `units`: of the present config. Empty for evidence of another kind or shape.
 */
export function judgeEvidence(evidence: unknown, kind: string | undefined, units: ConfiguredUnits): MetricEvidence[] {
  const parsed = Evidence.safeParse(evidence);
  const explaining = explainingOf(kind);
  if (!parsed.success || explaining === undefined) return [];
  return parsed.data.runs.flatMap((run) => judgeRun(run, explaining, units));
}

function explainingOf(kind: string | undefined): ExplainingProvider | undefined {
  if (kind === "AnalysisRun" || kind === "Experiment") return measuringProviderOf(kind).explaining;
  return kind !== undefined && isDeliveryKind(kind) ? providerOfKind(kind).measuring?.explaining : undefined;
}

function judgeRun(
  run: z.infer<typeof Evidence>["runs"][number],
  explaining: ExplainingProvider,
  units: ConfiguredUnits,
): MetricEvidence[] {
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
      units,
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

/** Changes that answer an Inconclusive run. */
const overriding: readonly string[] = ["accept-step", "measure-again", "continue-waive"];

/** The cluster writes its times in whole seconds, by another clock. */
const toleranceSeconds = 5;

/**
 * Finds the run that a change without Gatehouse ended, or whose Inconclusive result it overrode: of that revision, the
 * last that had ended by then. Null for all other entries, and if the entry does not tell the revision.
 */
export async function findOverriddenRun(
  { runtime }: StoreContext,
  { source, action, target, detail, time }: AuditItem,
): Promise<AuditDetail["overridden"]> {
  if (source !== "cluster" || action === undefined) return null;
  if (action === "terminate") return readSubject(detail?.subject);
  const { cluster, namespace, kind, name } = target ?? {};
  const { podHash, observedAt = time } = detail ?? {};
  if (!overriding.includes(action) || typeof podHash !== "string" || typeof observedAt !== "string") return null;
  if (cluster === undefined || namespace === undefined || kind === undefined || name === undefined) return null;
  if (!isDeliveryKind(kind)) return null;
  const prisma = prismaOn(runtime.pool);
  const rollouts = await prisma.rollout.findMany({ where: { cluster, namespace, kind, name }, select: { id: true } });
  const latest = new Date(Date.parse(observedAt) + toleranceSeconds * 1000);
  return prisma.analysisRun.findFirst({
    where: {
      rolloutId: { in: rollouts.map(({ id }) => id) },
      podHash,
      phase: "Inconclusive",
      completedAt: { lte: latest },
    },
    orderBy: [{ completedAt: "desc" }, { uid: "asc" }],
    select: { uid: true, name: true },
  });
}

function readSubject(subject: unknown): AuditDetail["overridden"] {
  if (typeof subject !== "object" || subject === null) return null;
  const { kind, uid, name } = subject as Record<string, unknown>;
  return kind === "AnalysisRun" && typeof uid === "string" && typeof name === "string" ? { uid, name } : null;
}
