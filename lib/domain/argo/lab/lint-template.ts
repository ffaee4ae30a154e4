import { z } from "zod";
import { findHarmless } from "#lib/domain/argo/analysis/find-harmless.ts";
import { mergeTemplates, type TemplateSpec } from "#lib/domain/argo/analysis/merge-templates.ts";
import { findIdleRules } from "#lib/domain/argo/analysis/metric-name-rules.ts";
import type { AnalysisRunSpec } from "#lib/domain/argo/analysis/types.ts";
import type { LintedTemplate, TemplateProblem, WrittenTemplate } from "#lib/domain/delivery/template-lab.ts";
import { cutText } from "#lib/util/text.ts";
import { lintMetric } from "./lint-metric.ts";
import { type YamlPath, YamlPlaces } from "./yaml-places.ts";

/** The controller cannot decode a longer number. */
const IntOrString = z.union([z.int32(), z.string()], {
  error: "must be a whole number, or text that holds one",
});

const Metric = z.strictObject({
  name: z.string(),
  interval: z.string().optional(),
  initialDelay: z.string().optional(),
  count: IntOrString.optional(),
  successCondition: z.string().optional(),
  failureCondition: z.string().optional(),
  failureLimit: IntOrString.optional(),
  inconclusiveLimit: IntOrString.optional(),
  consecutiveErrorLimit: IntOrString.optional(),
  consecutiveSuccessLimit: IntOrString.optional(),
  provider: z.record(z.string(), z.unknown()),
});

const Spec = z.strictObject({
  metrics: z.array(Metric).optional(),
  args: z
    .array(z.strictObject({ name: z.string(), value: z.string().optional(), valueFrom: z.looseObject({}).optional() }))
    .optional(),
  dryRun: z.array(z.strictObject({ metricName: z.string() })).optional(),
  measurementRetention: z
    .array(z.strictObject({ metricName: z.string(), limit: z.number().int().optional() }))
    .optional(),
  templates: z.array(z.strictObject({ templateName: z.string(), clusterScope: z.boolean().optional() })).optional(),
});

const Head = z.looseObject({
  kind: z.enum(["AnalysisTemplate", "ClusterAnalysisTemplate"]),
  metadata: z.looseObject({ name: z.string() }),
  spec: z.unknown(),
});

const most = { problems: 200, textLength: 1000 };

/** Lints the YAML of a template: the whole object, or only its spec. */
export function lintTemplate(source: string, controllerVersion?: string): LintedTemplate {
  const { problems, template } = lint(source, controllerVersion);
  return {
    problems: problems.slice(0, most.problems).map((one) => ({ ...one, text: cutText(one.text, most.textLength) })),
    moreProblems: Math.max(0, problems.length - most.problems),
    template,
  };
}

function lint(source: string, controllerVersion: string | undefined): Pick<LintedTemplate, "problems" | "template"> {
  const places = new YamlPlaces(source);
  const problems = places.findSyntaxProblems();
  if (problems.some(({ severity }) => severity === "error")) return { problems, template: undefined };
  const content = places.readContent();
  const { template, path, problems: found } = readTemplate(content, places);
  if (template === undefined) return { problems: [...problems, ...found], template };
  const shape = Spec.safeParse(template.spec);
  const shapes = shape.success ? [] : shape.error.issues.flatMap((issue) => shapeProblems(places, path, issue));
  const isReadable = shapes.every(isUnknownField);
  const rules = isReadable ? lintRules(template.spec as TemplateSpec, { places, base: path, controllerVersion }) : [];
  return {
    problems: [...problems, ...found, ...shapes, ...rules].toSorted(byPlace),
    template: isReadable ? template : undefined,
  };
}

function isUnknownField({ severity }: TemplateProblem): boolean {
  return severity === "warning";
}

function byPlace(one: TemplateProblem, other: TemplateProblem): number {
  return one.from.line - other.from.line || one.from.column - other.from.column;
}

type Read = { template: WrittenTemplate | undefined; path: YamlPath; problems: TemplateProblem[] };

function readTemplate(content: unknown, places: YamlPlaces): Read {
  if (typeof content !== "object" || content === null || Array.isArray(content)) {
    const text = "Write an AnalysisTemplate, or only its spec.";
    return { template: undefined, path: [], problems: [places.problemAt([], text)] };
  }
  if (!("kind" in content) && !("spec" in content)) {
    return { template: { kind: "AnalysisTemplate", name: "", spec: content }, path: [], problems: [] };
  }
  const head = Head.safeParse(content);
  if (head.success) {
    const { kind, metadata, spec } = head.data;
    return { template: { kind, name: metadata.name, spec: spec ?? {} }, path: ["spec"], problems: [] };
  }
  const problems = head.error.issues.map(({ path, message }) => places.problemAt(asPath(path), message));
  return { template: undefined, path: ["spec"], problems };
}

/** The API server drops unknown fields without a word. */
function shapeProblems(places: YamlPlaces, base: YamlPath, issue: z.core.$ZodIssue): TemplateProblem[] {
  const path = [...base, ...asPath(issue.path)];
  if (issue.code !== "unrecognized_keys")
    return [places.problemAt(path, `${nameOf(path)}${issue.message}${adviceOf(issue)}`)];
  return issue.keys.map((key) =>
    places.problemAtKey([...path, key], `Unknown field ${key}: the API server drops it.`, "warning"),
  );
}

/** YAML reads words such as yes, on and off as booleans. */
function adviceOf({ message }: z.core.$ZodIssue): string {
  return /expected string, received (boolean|number)/.test(message) ? ". Put it into quotes." : "";
}

function nameOf(path: YamlPath): string {
  const last = path.at(-1);
  return typeof last === "string" ? `${last}: ` : "";
}

function asPath(path: readonly PropertyKey[]): (string | number)[] {
  return path.map((part) => (typeof part === "symbol" ? String(part) : part));
}

/** Finds parts of a template's spec that the controller refuses, and parts with another effect than written. */
function lintRules(
  spec: TemplateSpec,
  { places, base, controllerVersion }: { places: YamlPlaces; base: YamlPath; controllerVersion?: string | undefined },
): TemplateProblem[] {
  const metrics = spec.metrics ?? [];
  if (metrics.length === 0 && (spec.templates ?? []).length === 0) {
    return [places.problemAt([...base, "metrics"], "Analysis spec invalid: no metrics specified")];
  }
  const declared = new Set((spec.args ?? []).map(({ name }) => name));
  const seen = new Set<string>();
  const problems = metrics.flatMap((metric, index): TemplateProblem[] => {
    const path = [...base, "metrics", index];
    const isRepeated = seen.has(metric.name);
    seen.add(metric.name);
    return [
      ...(isRepeated ? [places.problemAt([...path, "name"], `duplicate name '${metric.name}'`)] : []),
      ...lintMetric(metric, { declared, places, path, controllerVersion }),
    ];
  });
  problems.push(...lintNameRules(spec, places, base), ...lintArguments(spec.args, places, base));
  if (problems.some(({ severity }) => severity === "error")) return problems;
  const harmless = findHarmless({ metrics, args: withValues(spec.args), dryRun: dryRunOf(spec) });
  return [
    ...problems,
    ...harmless.map(({ metric, why }) => {
      const index = metrics.findIndex(({ name }) => name === metric);
      return places.problemAt([...base, "metrics", index, "name"], `It can never fail. ${why}`, "warning");
    }),
  ];
}

/** Finds upstream's errors for arguments of one name, and for an argument with two sources of its value. */
function lintArguments(args: TemplateSpec["args"] = [], places: YamlPlaces, base: YamlPath): TemplateProblem[] {
  const both = args.flatMap(({ name, value, valueFrom }, index) =>
    value === undefined || valueFrom === undefined
      ? []
      : [places.problemAt([...base, "args", index], `arg '${name}' has both Value and ValueFrom fields`)],
  );
  const merged = mergeTemplates([{ args }]);
  return "error" in merged ? [...both, places.problemAt([...base, "args"], merged.error)] : both;
}

/** A rule that matches nothing here may match a metric of another template. */
function dryRunOf({ dryRun = [], templates = [] }: TemplateSpec): AnalysisRunSpec["dryRun"] {
  return templates.length === 0 ? dryRun : [];
}

/** Arguments that the rollout will give get a value that fits text and numbers. */
function withValues(args: TemplateSpec["args"]): NonNullable<AnalysisRunSpec["args"]> {
  return (args ?? []).map(({ name, value }) => ({ name, value: value ?? "1" }));
}

const kinds = { dryRun: "Dry-Run", measurementRetention: "Measurement Retention" } as const;

/** Finds rules for metrics by name that end every run in Error: without a metric, or twice. */
function lintNameRules(spec: TemplateSpec, places: YamlPlaces, base: YamlPath): TemplateProblem[] {
  return (["dryRun", "measurementRetention"] as const).flatMap((kind) => {
    const rules = spec[kind] ?? [];
    const at = (index: number, text: string) => places.problemAt([...base, kind, index, "metricName"], text);
    const repeated = rules.flatMap(({ metricName }, index) =>
      rules.findIndex((rule) => rule.metricName === metricName) < index
        ? [at(index, `two ${kinds[kind]} metric rules have the same name '${metricName}'`)]
        : [],
    );
    const idle = findIdleRules({ kind, rules, metrics: spec.metrics ?? [] })
      .filter(({ isBroken }) => isBroken || areNamesKnown(spec))
      .map(({ index, error }) => at(index, `Analysis spec invalid: ${error}`));
    return [...repeated, ...idle];
  });
}

/** Other templates add metrics, and arguments give names. */
function areNamesKnown({ metrics = [], templates = [] }: TemplateSpec): boolean {
  return templates.length === 0 && metrics.every(({ name }) => !name.includes("{{"));
}
