import { parseGoDuration } from "#lib/util/duration.ts";
import { fillTemplate, splitTemplate } from "./resolve-template.ts";
import type { Outcome } from "./types.ts";

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
