import type { Outcome } from "./outcome.ts";
import { resolveQuotedArgs, splitTemplate } from "./resolve-template.ts";
import type { Argument, MetricSpec } from "./types.ts";

/** The order in which Go writes a metric's fields; it decides which unresolved tag an error names. */
const fieldOrder = [
  "name",
  "interval",
  "initialDelay",
  "count",
  "successCondition",
  "failureCondition",
  "failureLimit",
  "inconclusiveLimit",
  "consecutiveErrorLimit",
  "provider",
  "consecutiveSuccessLimit",
] as const satisfies readonly (keyof MetricSpec)[];

const htmlEscapes = /[<>&\u2028\u2029]/g;

/**
 * Returns a metric with its arguments filled in, everywhere in it, including nested provider configuration. Mirrors
 * argo-rollouts utils/analysis/factory.go `ResolveMetricArgs`: the metric becomes JSON text, tags are replaced in the
 * text, and the text is read again. A value that Go quotes with an escape which JSON lacks (such as \x00) is an error
 * upstream too.
 */
export function resolveMetricArgs(metric: MetricSpec, args: readonly Argument[]): Outcome<MetricSpec> {
  const resolved = resolveQuotedArgs(toGoText({ ...inGoOrder(metric), ...metric }), args);
  if ("error" in resolved) return resolved;
  try {
    return { value: metricOf(JSON.parse(resolved.value)) };
  } catch {
    return { error: `metric "${metric.name}" is not valid JSON once its arguments are filled in` };
  }
}

type UnresolvedTag = {
  /** Upstream's text. */
  readonly error: string;
  /** The tag with its braces, as it was written; undefined if it is not closed. */
  readonly tag: string | undefined;
  /** Set if the tag names an argument. */
  readonly name: string | undefined;
};

/** Lists the tags of a metric, each once, that `resolveMetricArgs` could not replace by these arguments. */
export function listUnresolvedTags(metric: MetricSpec, names: ReadonlySet<string>): UnresolvedTag[] {
  const parts = splitTemplate(toGoText(inGoOrder(metric)));
  if ("error" in parts) return [{ error: parts.error, tag: undefined, name: undefined }];
  const tags = new Set(parts.value.flatMap((part) => ("tag" in part ? [part.tag] : [])));
  return [...tags].flatMap((tag) => {
    const name = /^args\.(.+)$/.exec(tag.trim())?.[1];
    if (name !== undefined && names.has(name)) return [];
    return [{ error: `failed to resolve {{${tag}}}`, tag: `{{${readEscapes(tag)}}}`, name }];
  });
}

/** A tag that goes beyond its text, such as one that is not closed there, is no JSON. */
function readEscapes(tag: string): string {
  try {
    return String(JSON.parse(`"${tag}"`));
  } catch {
    return tag;
  }
}

function inGoOrder(metric: MetricSpec): MetricSpec {
  return { name: metric.name, ...Object.fromEntries(fieldOrder.map((field) => [field, metric[field]])) };
}

function toGoText(metric: MetricSpec): string {
  return JSON.stringify(metric).replace(htmlEscapes, escapeChar);
}

/** Returns every metric resolved, or the first error. */
export function resolveAllMetricArgs(
  metrics: readonly MetricSpec[],
  args: readonly Argument[],
): Outcome<readonly MetricSpec[]> {
  const resolved: MetricSpec[] = [];
  for (const metric of metrics) {
    const outcome = resolveMetricArgs(metric, args);
    if ("error" in outcome) return outcome;
    resolved.push(outcome.value);
  }
  return { value: resolved };
}

/**
 * Returns every metric resolved with a placeholder for each secret, as the controller does before it measures
 * (analysis/analysis.go `getResolvedMetricsWithoutSecrets`). Secrets are never read here.
 */
export function resolveMetricsWithoutSecrets(
  metrics: readonly MetricSpec[],
  args: readonly Argument[] = [],
): Outcome<readonly MetricSpec[]> {
  const placeheld = args.map((arg) =>
    arg.valueFrom?.secretKeyRef === undefined ? arg : { name: arg.name, value: "temp-for-secret" },
  );
  return resolveAllMetricArgs(metrics, placeheld);
}

function escapeChar(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/**
 * Casts the parsed text: it was made from a MetricSpec and only strings inside it changed, so its shape is the same.
 */
function metricOf(parsed: unknown): MetricSpec {
  return parsed as MetricSpec;
}
