import type { Setting } from "#lib/domain/delivery/set-differences.ts";
import { hashSpec } from "#lib/domain/storable/digest-of.ts";
import { isRecord } from "#lib/util/json.ts";

/**
 * Lists what a Canary gives each metric beside its template (variables, limits, interval), and a digest of the other
 * fields of its analysis. Webhooks are left out: their addresses differ by cluster.
 */
export function listSettings(spec: unknown): Setting[] {
  const analysis = isRecord(spec) ? (spec.analysis ?? spec.canaryAnalysis) : undefined;
  if (!isRecord(analysis)) return [];
  const { metrics, webhooks: _, ...rest } = analysis;
  const listed: readonly unknown[] = Array.isArray(metrics) ? metrics : [];
  const settings = listed.filter(isRecord).flatMap(({ name: metric, templateRef: _, templateVariables, ...own }) =>
    Object.entries({ ...own, ...(isRecord(templateVariables) ? templateVariables : {}) }).map(
      ([name, value]): Setting => ({
        kind: "argument",
        name: `${name} of ${String(metric)}`,
        value: typeof value === "string" ? value : JSON.stringify(value),
      }),
    ),
  );
  return [...settings, { kind: "steps", name: null, value: `digest ${hashSpec(rest).slice(0, 12)}` }];
}
