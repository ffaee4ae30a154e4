import { z } from "zod";
import { parseRunSpec } from "#lib/domain/argo/objects/analysis-run-object.ts";
import type { MetricRules, RunRules } from "#lib/domain/delivery/explaining.ts";
import { readableMetrics } from "./resolve-metric-args.ts";

const limit = z
  .union([z.number(), z.string()])
  .nullish()
  .transform((value) => (value === undefined || value === null || value === "" ? null : String(value)));
const text = z
  .string()
  .nullish()
  .transform((value) => (value === undefined || value === "" ? null : value));

/** The part of a metric's spec that pages show, as recorded. */
const Metric = z.looseObject({
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

const Spec = z.looseObject({
  metrics: z.array(z.unknown()).nullish(),
  args: z.array(z.unknown()).nullish(),
});

const Arg = z.looseObject({
  name: z.string(),
  value: z.string().nullish(),
  valueFrom: z.looseObject({ secretKeyRef: z.unknown().nullish() }).nullish(),
});

/** Upstream's defaults (argo-rollouts utils/defaults/defaults.go and analysis/analysis.go). */
export const defaultLimits = { failure: "0", inconclusive: "0", consecutiveError: "4", consecutiveSuccess: "0" };

/** Reads the stored spec of a run, with its known arguments filled in. */
export function readRunSpec(spec: unknown): RunRules {
  const written = readTemplateSpec(spec);
  const parsed = parseRunSpec(spec);
  if (parsed === undefined) return written;
  return { ...written, metrics: readTemplateSpec({ metrics: [...readableMetrics(parsed).values()] }).metrics };
}

/** Reads a stored spec as written; parts that do not fit are left out, so that every recorded one can be shown. */
export function readTemplateSpec(spec: unknown): RunRules {
  const parsed = Spec.safeParse(spec);
  const metrics = new Map<string, MetricRules>();
  for (const [index, metric] of (parsed.data?.metrics ?? []).entries()) {
    const view = Metric.safeParse(metric);
    if (!view.success) continue;
    const { name } = view.data;
    // The controller refuses two metrics of one name, but a reader should see both.
    const key = metrics.has(name) ? `${name} (${index + 1})` : name;
    metrics.set(key, { ...view.data, provider: providerOf(view.data), unit: null });
  }
  const args = (parsed.data?.args ?? []).flatMap((arg) => {
    const view = Arg.safeParse(arg);
    if (!view.success) return [];
    const isSecret = view.data.valueFrom?.secretKeyRef !== undefined && view.data.valueFrom.secretKeyRef !== null;
    return { name: view.data.name, value: isSecret ? null : (view.data.value ?? null), secret: isSecret };
  });
  return { metrics, args };
}

function providerOf(metric: object): string | null {
  const provider = "provider" in metric ? metric.provider : undefined;
  return provider !== null && typeof provider === "object" ? (Object.keys(provider)[0] ?? null) : null;
}
