import { formatGoFloat } from "#lib/expr/go-number.ts";
import { goQuote } from "#lib/expr/go-quote.ts";
import { isRecord } from "#lib/util/json.ts";
import type { Argument, Outcome } from "./types.ts";

/** An argument as a Rollout's analysis reference gives it. */
export type RolloutAnalysisArgument = {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: {
    readonly podTemplateHashValue?: string;
    readonly fieldRef?: { readonly fieldPath: string };
  };
};

/**
 * Returns the arguments of a run that a Rollout creates: literal values, pod hashes, and fields of the Rollout object.
 * Mirrors argo-rollouts utils/analysis/factory.go `BuildArgumentsForRolloutAnalysisRun`.
 */
export function buildRolloutArgs(input: {
  readonly args: readonly RolloutAnalysisArgument[];
  readonly rollout: unknown;
  readonly stablePodHash: string;
  readonly latestPodHash: string;
}): Outcome<readonly Argument[]> {
  const built: Argument[] = [];
  for (const { name, value = "", valueFrom } of input.args) {
    const resolved = resolveValue(value, valueFrom, input);
    if ("error" in resolved) return resolved;
    built.push({ name, value: resolved.value });
  }
  return { value: built };
}

function resolveValue(
  value: string,
  valueFrom: RolloutAnalysisArgument["valueFrom"],
  input: Pick<Parameters<typeof buildRolloutArgs>[0], "rollout" | "stablePodHash" | "latestPodHash">,
): Outcome<string> {
  const hash = valueFrom?.podTemplateHashValue;
  if (hash === "Latest") return { value: input.latestPodHash };
  if (hash === "Stable") return { value: input.stablePodHash };
  const path = hash === undefined ? valueFrom?.fieldRef?.fieldPath : undefined;
  if (path === undefined) return { value };
  return path.startsWith("metadata") ? metadataField(input.rollout, path) : rolloutField(input.rollout, path);
}

/**
 * Returns a field of the Rollout by a path such as `status.pauseConditions[0].reason`, as text
 * (utils/analysis/factory.go `extractValueFromRollout`).
 */
export function rolloutField(rollout: unknown, path: string): Outcome<string> {
  const invalid = { error: `invalid path ${path} in rollout` };
  let current: unknown = rollout;
  for (const section of path.split(/[.[\]]+/)) {
    if (section === "") continue;
    if (Array.isArray(current)) {
      if (!/^[+-]?[0-9]+$/.test(section)) return { error: `invalid index '${section}'` };
      const index = Number(section);
      if (index >= current.length || index < 0) return { error: `index ${index} out of range` };
      current = current[index];
    } else if (isRecord(current)) current = Object.hasOwn(current, section) ? current[section] : undefined;
    else return invalid;
  }
  if (current === undefined || current === null) return invalid;
  if (typeof current === "object") return { error: `path ${path} in rollout must terminate in a primitive value` };
  return { value: typeof current === "number" ? formatGoFloat(current) : String(current) };
}

const qualifiedName =
  /^(?:[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;

/**
 * Returns a metadata field as Kubernetes' downward API reads it (k8s.io/kubernetes pkg/fieldpath
 * `ExtractFieldPathAsString`).
 */
function metadataField(rollout: unknown, path: string): Outcome<string> {
  const metadata = isRecord(rollout) && isRecord(rollout.metadata) ? rollout.metadata : {};
  const begin = path.indexOf("['");
  if (begin !== -1 && begin + 2 <= path.length - 2 && path.endsWith("']")) {
    const base = path.slice(0, begin);
    const key = path.slice(begin + 2, -2);
    if (base !== "metadata.annotations" && base !== "metadata.labels") {
      return { error: `fieldPath ${goQuote(path)} does not support subscript` };
    }
    const checked = base === "metadata.annotations" ? key.toLowerCase() : key;
    if (!qualifiedName.test(checked)) return { error: `invalid key subscript in ${path}` };
    const values = metadata[base === "metadata.labels" ? "labels" : "annotations"];
    return { value: isRecord(values) && Object.hasOwn(values, key) ? String(values[key]) : "" };
  }
  const field = /^metadata\.(annotations|labels|name|namespace|uid)$/.exec(path)?.[1];
  if (field === undefined) return { error: `unsupported fieldPath: ${path}` };
  const value = metadata[field];
  if (!isRecord(value)) return { value: value === undefined || value === null ? "" : String(value) };
  const lines = Object.entries(value).map(([key, item]) => `${key}=${goQuote(String(item))}`);
  return { value: lines.sort().join("\n") };
}
