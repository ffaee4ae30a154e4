import { goQuote } from "#lib/expr/go-quote.ts";
import { parseGoDuration } from "#lib/util/duration.ts";
import type { Argument, Outcome } from "./types.ts";

/**
 * In characters: the filled texts of one spec together. An API server takes no object that is half as large, but a spec
 * may use a long argument a thousand times.
 */
const longestFilled = 4 * 1024 * 1024;

/** Fills in one template; all that one filler fills in share a limit of length. */
export type TemplateFiller = (template: string) => Outcome<string>;

/**
 * Returns a function that replaces every `{{ args.name }}` in a text. An argument without a value, a tag without a
 * matching argument, and an unclosed tag are errors; of several unknown tags the last is named, with its own spaces.
 * Mirrors argo-rollouts utils/template/template.go `ResolveArgs`, and for JSON texts, whose values are escaped as Go
 * quotes them, `ResolveQuotedArgs`. The limit is ours.
 */
export function createTemplateFiller(
  args: readonly Argument[],
  { isJson = false }: { isJson?: boolean } = {},
): TemplateFiller {
  const missing = args.find(({ value }) => value === undefined);
  const values = new Map(
    args.map(({ name, value = "" }) => [`args.${name}`, isJson ? goQuote(value).slice(1, -1) : value]),
  );
  let left = longestFilled;
  return (template) => {
    const parsed = splitTemplate(template);
    if ("error" in parsed) return parsed;
    if (missing !== undefined) return { error: `argument "${missing.name}" was not supplied` };
    left -= measureFilled(parsed.value, values);
    if (left < 0) return { error: `the arguments make the spec longer than ${longestFilled} characters` };
    return fillTemplate(parsed.value, values);
  };
}

function measureFilled(parts: readonly TemplatePart[], values: ReadonlyMap<string, string>): number {
  return parts.reduce((length, part) => {
    return length + ("text" in part ? part.text : (values.get(part.tag.trim()) ?? "")).length;
  }, 0);
}

type TemplatePart = { readonly text: string } | { readonly tag: string };

/** Cuts a text at its `{{tag}}` marks (github.com/valyala/fasttemplate `Template.Reset`). */
export function splitTemplate(template: string): Outcome<readonly TemplatePart[]> {
  const parts: TemplatePart[] = [];
  let position = 0;
  for (;;) {
    const open = template.indexOf("{{", position);
    if (open < 0) break;
    parts.push({ text: template.slice(position, open) });
    const close = template.indexOf("}}", open + 2);
    if (close < 0) {
      const rest = goQuote(template.slice(open + 2));
      return { error: `Cannot find end tag="}}" in the template=${goQuote(template)} starting from ${rest}` };
    }
    parts.push({ tag: template.slice(open + 2, close) });
    position = close + 2;
  }
  parts.push({ text: template.slice(position) });
  return { value: parts };
}

export function fillTemplate(parts: readonly TemplatePart[], values: ReadonlyMap<string, string>): Outcome<string> {
  let error: string | undefined;
  const filled = parts.map((part) => {
    if ("text" in part) return part.text;
    const value = values.get(part.tag.trim());
    if (value === undefined) error = `failed to resolve {{${part.tag}}}`;
    return value ?? "";
  });
  return error === undefined ? { value: filled.join("") } : { error };
}

/** The facts that an argument of an Experiment's analysis may refer to. Times are RFC 3339 text. */
export type ExperimentFacts = {
  readonly duration?: string;
  readonly availableAt?: string;
  /** Keyed by template name. */
  readonly templates?: Readonly<
    Record<string, { readonly podTemplateHash?: string; readonly replicaSetName?: string }>
  >;
};

/**
 * Replaces `{{templates.NAME.podTemplateHash}}`, `{{templates.NAME.replicaset.name}}`, `{{experiment.availableAt}}` and
 * `{{experiment.finishedAt}}` (which needs availableAt and a duration).
 * Mirrors argo-rollouts utils/template/template.go `ResolveExperimentArgsValue`.
 */
export function resolveExperimentArg(template: string, experiment: ExperimentFacts): Outcome<string> {
  const parts = splitTemplate(template);
  if ("error" in parts) return parts;
  const times = experimentTimes(experiment);
  if ("error" in times) return times;
  const values = new Map(times.value);
  for (const [name, { podTemplateHash, replicaSetName }] of Object.entries(experiment.templates ?? {})) {
    values.set(`templates.${name}.podTemplateHash`, podTemplateHash ?? "");
    values.set(`templates.${name}.replicaset.name`, replicaSetName ?? "");
  }
  return fillTemplate(parts.value, values);
}

function experimentTimes({ availableAt, duration = "" }: ExperimentFacts): Outcome<ReadonlyMap<string, string>> {
  if (availableAt === undefined) return { value: new Map() };
  const start = Date.parse(availableAt);
  if (Number.isNaN(start)) return { error: `availableAt is not a time: ${availableAt}` };
  const values = new Map([["experiment.availableAt", formatTime(start)]]);
  if (duration === "") return { value: values };
  const parsed = parseGoDuration(duration);
  if ("error" in parsed) return parsed;
  return { value: values.set("experiment.finishedAt", formatTime(start + Number(parsed.nanoseconds) / 1e6)) };
}

function formatTime(epochMs: number): string {
  return `${new Date(epochMs).toISOString().slice(0, 19)}Z`;
}
