import { evaluateResult } from "#lib/domain/argo/analysis/evaluate-result.ts";
import type { Measurement, MetricSpec } from "#lib/domain/argo/analysis/types.ts";
import { formatGoFloat } from "#lib/expr/go-number.ts";
import type { KubeObject, Store } from "#sandbox/apiserver/store-types.ts";
import { HASH_LABEL, isOwnedBy, viewReplicaSet } from "./rollout-types.ts";

/** Which version is measured, and in which run. */
export type RunIdentity = {
  namespace: string;
  /** Name of the Rollout, or of the run if it has no owner. */
  rollout: string;
  /** Tag of the first container's image in the measured version; empty if unknown. */
  version: string;
  runType: string;
  /** 0 for the first run of its kind for this version, 1 for the `.1` run, ... */
  attempt: number;
};

/** Identifies one measurement, so that a source can give the same answer each time. */
export type MetricQuestion = RunIdentity & {
  metric: string;
  /** How many measurements of this metric the run has taken before. */
  sequence: number;
};

/** Responds as a metrics server would: a value, no data, or no response at all. */
export type MetricAnswer = { value: number } | { noData: true } | { failure: string };
export type MetricSource = (question: MetricQuestion) => MetricAnswer;

type TakeInput = {
  source: MetricSource;
  store: Store;
  run: KubeObject;
  metric: MetricSpec;
  sequence: number;
  nowMs: number;
};

/** Takes one measurement; prometheus answers with a vector, web with a JSON number. */
export function takeMeasurement(input: TakeInput): Measurement {
  const { source, metric } = input;
  const kind = Object.keys(metric.provider ?? {})[0] ?? "";
  if (kind !== "prometheus" && kind !== "web") {
    return { phase: "Error", message: `the sandbox has no metric provider named "${kind}"` };
  }
  const { store, run, sequence } = input;
  const answer = source({ ...identifyRun(store, run), metric: metric.name, sequence });
  if ("failure" in answer) {
    return { phase: "Error", message: answer.failure };
  }
  if (kind === "web") {
    return "noData" in answer
      ? { phase: "Error", message: "Could not find JSONPath in body: the document has no such field" }
      : judge(input, { type: "json", value: answer.value }, JSON.stringify(answer.value));
  }
  const vector = "noData" in answer ? [] : [answer.value];
  return judge(input, { type: "[]float64", value: vector }, `[${vector.map(formatGoFloat).join(",")}]`);
}

type Result = Parameters<typeof evaluateResult>[0]["result"];

function judge({ metric, nowMs }: TakeInput, result: Result, value: string): Measurement {
  const { successCondition, failureCondition } = metric;
  const { phase, message } = evaluateResult({ result, successCondition, failureCondition, now: nowMs });
  // Both providers drop a value that the conditions could not judge.
  return phase === "Error" ? { phase, message } : { phase, value };
}

/** Returns the owner and version of a run; a run of an Experiment counts for the Rollout that owns the Experiment. */
export function identifyRun(store: Store, run: KubeObject): RunIdentity {
  const { metadata } = run;
  const owner = controllerOf(run);
  const experiment =
    owner?.kind === "Experiment" ? store.get("experiments", metadata.namespace, owner.name) : undefined;
  const measured = experiment ?? run;
  const parent = experiment === undefined ? owner : (controllerOf(experiment) ?? owner);
  const hash = measured.metadata.labels?.[HASH_LABEL];
  const set = store
    .list("replicasets", metadata.namespace)
    .find((object) => isOwnedBy(object, parent?.uid ?? "") && object.metadata.labels?.[HASH_LABEL] === hash);
  const shown = experiment === undefined ? set : (findMeasuredSet(store, experiment, run) ?? set);
  const image = shown === undefined ? "" : (viewReplicaSet(shown).spec.template.spec.containers[0]?.image ?? "");
  return {
    namespace: metadata.namespace ?? "",
    rollout: parent?.name ?? metadata.name,
    version: imageTag(image),
    runType: metadata.labels?.["rollout-type"] ?? (experiment === undefined ? "" : "Experiment"),
    attempt:
      experiment === undefined
        ? Number(/\.(\d+)$/.exec(metadata.name)?.[1] ?? "0")
        : experimentAttempt(experiment.metadata.name, `${parent?.name}-${hash}-`),
  };
}

/** Finds the ReplicaSet of an Experiment whose hash is an argument of the run: its query asks about those pods. */
function findMeasuredSet(store: Store, experiment: KubeObject, run: KubeObject): KubeObject | undefined {
  const args = (run.spec?.args ?? []) as { value?: string }[];
  const hashes = new Set(args.map(({ value }) => value));
  return store
    .list("replicasets", experiment.metadata.namespace)
    .find((set) => isOwnedBy(set, experiment.metadata.uid) && hashes.has(set.metadata.labels?.[HASH_LABEL]));
}

function controllerOf({ metadata }: KubeObject) {
  return (metadata.ownerReferences ?? []).find((reference) => reference.controller === true);
}

/** Returns 0 for `<rollout>-<hash>-<revision>-<step>`, 1 with the suffix `-1`, ... */
function experimentAttempt(name: string, prefix: string): number {
  const [, , attempt = "0"] = name.startsWith(prefix) ? name.slice(prefix.length).split("-") : [];
  return Number(attempt);
}

/** Returns "v2.8.1" of "registry.example/checkout:v2.8.1"; empty without a tag. */
export function imageTag(image: string): string {
  const afterPath = image.slice(image.lastIndexOf("/") + 1);
  const colon = afterPath.indexOf(":");
  return colon < 0 ? "" : afterPath.slice(colon + 1);
}
