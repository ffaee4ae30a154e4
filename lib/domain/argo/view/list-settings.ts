import type { Setting } from "#lib/domain/delivery/set-differences.ts";
import { hashSpec } from "#lib/domain/storable/digest-of.ts";
import { isRecord } from "#lib/util/json.ts";

/**
 * Lists the arguments that a Rollout's analyses and experiments get, each with the names of its templates, and its
 * steps. Arguments are as declared: a field or a pod hash is not resolved.
 */
export function listSettings(spec: unknown): Setting[] {
  const strategy = isRecord(spec) && isRecord(spec.strategy) ? spec.strategy : {};
  const found = new Map<string, Set<string>>();
  collectArgs(strategy, found);
  const settings = [...found].map(
    ([name, values]): Setting => ({ kind: "argument", name, value: [...values].sort().join(", ") }),
  );
  const steps = isRecord(strategy.canary) ? strategy.canary.steps : undefined;
  if (!Array.isArray(steps)) return settings;
  const digest = hashSpec(withoutArgs(steps)).slice(0, 12);
  return [...settings, { kind: "steps", name: null, value: `${steps.length} steps, digest ${digest}` }];
}

/** Collects from any place, but not from pod templates. */
function collectArgs(value: unknown, found: Map<string, Set<string>>): void {
  if (Array.isArray(value)) for (const item of value) collectArgs(item, found);
  else if (isRecord(value)) {
    const templates = nameTemplates(value);
    const args: readonly unknown[] = templates !== "" && Array.isArray(value.args) ? value.args : [];
    for (const arg of args) {
      if (!isRecord(arg) || typeof arg.name !== "string") continue;
      const name = `${arg.name} of ${templates}`;
      found.set(name, (found.get(name) ?? new Set<string>()).add(formatValue(arg)));
    }
    for (const [key, inner] of Object.entries(value)) if (key !== "template") collectArgs(inner, found);
  }
}

/** Names the templates of an analysis; empty for anything else, such as a plugin, whose `args` are its own. */
function nameTemplates({ templates, templateName }: Readonly<Record<string, unknown>>): string {
  const listed: readonly unknown[] = Array.isArray(templates) ? templates : [];
  const names = [templateName, ...listed.map((one) => (isRecord(one) ? one.templateName : undefined))];
  return names.filter((name) => typeof name === "string").join(" and ");
}

function formatValue({ value, valueFrom }: Readonly<Record<string, unknown>>): string {
  if (valueFrom !== undefined) return `valueFrom ${JSON.stringify(valueFrom)}`;
  return typeof value === "string" ? value : JSON.stringify(value ?? "");
}

/** Arguments are compared by themselves. */
function withoutArgs(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutArgs);
  if (!isRecord(value)) return value;
  const isAnalysis = nameTemplates(value) !== "";
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => (isAnalysis && key === "args" ? [] : [[key, withoutArgs(inner)]])),
  );
}
