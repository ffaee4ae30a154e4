import { z } from "zod";
import type { TemplateSpec } from "#lib/domain/argo/analysis/merge-templates.ts";
import type { LintedTemplate, TemplateProblem, WrittenTemplate } from "#lib/domain/delivery/template-lab.ts";
import { cutText } from "#lib/util/text.ts";
import { lintRules } from "./lint-rules.ts";
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
