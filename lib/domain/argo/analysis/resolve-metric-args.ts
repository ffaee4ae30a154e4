import { hideSecrets } from "#lib/domain/storable/redact-text.ts";
import { isHidden } from "./judge-measurement.ts";
import { createTemplateFiller, splitTemplate } from "./resolve-template.ts";
import type { AnalysisRunSpec, Argument, MetricSpec, Outcome } from "./types.ts";

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

export type MetricResolver = (metric: MetricSpec) => Outcome<MetricSpec>;

/**
 * Returns a function that fills in arguments everywhere in a metric, including nested provider configuration. Mirrors
 * argo-rollouts utils/analysis/factory.go `ResolveMetricArgs`: the metric becomes JSON text, tags are replaced in the
 * text, and the text is read again. A value that Go quotes with an escape which JSON lacks (such as \x00) is an error
 * upstream too.
 */
export function createMetricResolver(args: readonly Argument[]): MetricResolver {
  const fill = createTemplateFiller(args, { isJson: true });
  return (metric) => {
    const resolved = fill(toGoText({ ...inGoOrder(metric), ...metric }));
    if ("error" in resolved) return resolved;
    try {
      return { value: metricOf(JSON.parse(resolved.value)) };
    } catch {
      return { error: `metric "${metric.name}" is not valid JSON once its arguments are filled in` };
    }
  };
}

type UnresolvedTag = {
  /** Upstream's text. */
  readonly error: string;
  /** The tag with its braces, as it was written; undefined if it is not closed. */
  readonly tag: string | undefined;
  /** Set if the tag names an argument. */
  readonly name: string | undefined;
};

/** Lists the tags of a metric, each once, that a resolver could not replace by these arguments. */
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
  resolve: MetricResolver,
): Outcome<readonly MetricSpec[]> {
  const resolved: MetricSpec[] = [];
  for (const metric of metrics) {
    const outcome = resolve(metric);
    if ("error" in outcome) return outcome;
    resolved.push(outcome.value);
  }
  return { value: resolved };
}

/**
 * Returns a resolver that puts a placeholder for each secret, as the controller does before it measures
 * (analysis/analysis.go `getResolvedMetricsWithoutSecrets`). Secrets are never read here.
 */
export function createSecretlessResolver(args: readonly Argument[] = []): MetricResolver {
  return createMetricResolver(
    args.map((arg) => (arg.valueFrom?.secretKeyRef === undefined ? arg : { name: arg.name, value: "temp-for-secret" })),
  );
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

/**
 * Returns the metrics of a stored run for people to read: with arguments filled in, by the name that the controller
 * gives them. If an argument is missing, the metric stays as written; so do conditions that contain a secret.
 */
export function readableMetrics(spec: AnalysisRunSpec): ReadonlyMap<string, MetricSpec> {
  const resolve = createSecretlessResolver(spec.args);
  return new Map(
    spec.metrics.map((metric) => {
      const resolved = resolve(metric);
      const filled = "error" in resolved ? undefined : resolved.value;
      const shown = filled === undefined ? metric : isHidden(filled) ? { ...filled, ...conditionsOf(metric) } : filled;
      return [shown.name, shown] as const;
    }),
  );
}

function conditionsOf({ successCondition, failureCondition }: MetricSpec): Pick<MetricSpec, "successCondition"> {
  return {
    ...(successCondition === undefined ? {} : { successCondition }),
    ...(failureCondition === undefined ? {} : { failureCondition }),
  };
}

/**
 * Returns arguments with the values of secrets that the caller holds, and those values for redaction. This server never
 * reads a cluster's secrets; the function serves the sandbox's controller.
 * Mirrors argo-rollouts analysis/analysis.go `resolveArgs`.
 */
export function resolveSecretArgs(
  args: readonly Argument[],
  secrets: Readonly<Record<string, Readonly<Record<string, string>>>>,
): Outcome<{ readonly args: readonly Argument[]; readonly secretValues: readonly string[] }> {
  const secretValues = new Set<string>();
  const resolved: Argument[] = [];
  for (const arg of args) {
    const ref = arg.valueFrom?.secretKeyRef;
    if (ref === undefined) {
      resolved.push(arg);
      continue;
    }
    const { name = "", key = "" } = ref;
    const secret = Object.hasOwn(secrets, name) ? secrets[name] : undefined;
    if (secret === undefined) return { error: `secrets "${name}" not found` };
    const value = Object.hasOwn(secret, key) ? secret[key] : undefined;
    if (value === undefined) return { error: `key '${key}' does not exist in secret '${name}'` };
    secretValues.add(value);
    resolved.push({ ...arg, value });
  }
  return { value: { args: resolved, secretValues: [...secretValues] } };
}

/** Returns a measurement's message with every secret value replaced by five stars. */
export function redactMessage(message: string, secretValues: readonly string[]): string {
  return hideSecrets(message, secretValues, "*****");
}
