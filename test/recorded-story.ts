import { isDeepStrictEqual } from "node:util";
import { type RealObject, type RealStream, readRealStream, statesOf } from "./real-streams.ts";

type Json = Record<string, unknown>;
type Condition = { type: string; status: string; reason: string };
type RunReference = { name: string; status: string };
type Status = {
  observedGeneration?: string;
  currentPodHash?: string;
  stableRS?: string;
  currentStepIndex?: number;
  phase?: string;
  message?: string;
  pauseConditions?: { reason: string }[];
  controllerPause?: boolean;
  abort?: boolean;
  abortedAt?: string;
  promoteFull?: boolean;
  restartedAt?: string;
  conditions?: Condition[];
  canary?: Record<string, RunReference>;
  blueGreen?: Record<string, RunReference> & { activeSelector?: string; previewSelector?: string };
};

/** A write by a person or a pipeline, as a merge; a null status field was removed. */
export type OutsideWrite = { spec?: Json; status?: Json };

/** A recorded Rollout as a script: the states that the controller wrote, and the writes of others in between. */
export type RecordedStory = {
  first: RealObject;
  runs: RealObject[];
  /** Every state in its projection, equal neighbours only once. */
  states: string[];
  acts: { after: string; writes: OutsideWrite[] }[];
};

export function readStory(stream: RealStream, name: string): RecordedStory {
  const lines = readRealStream(stream);
  const objects = statesOf(lines, "Rollout", name);
  const [first, ...rest] = objects;
  if (first === undefined) throw new Error(`${stream} holds no Rollout ${name}`);
  const project = createProjection();
  const acts: RecordedStory["acts"] = [];
  const states = [project(first)];
  let before = first;
  let isActing = false;
  for (const object of rest) {
    const write = outsideWrite(before, object);
    if (write !== undefined) {
      const act = isActing ? acts.at(-1) : undefined;
      if (act === undefined) acts.push({ after: states.at(-1) ?? "", writes: [write] });
      else act.writes.push(write);
    }
    isActing = write !== undefined;
    keepState(states, project(object));
    before = object;
  }
  const last = new Map<string, RealObject>();
  for (const { object } of lines) {
    const isOwned = object.metadata.ownerReferences?.some((owner) => owner.uid === first.metadata.uid) === true;
    if (object.kind === "AnalysisRun" && isOwned) last.set(object.metadata.name, object);
  }
  return { first, runs: [...last.values()], states, acts };
}

/**
 * Appends a state unless it equals the last one. Omits the remnant of a resume: paused without a reason. A controller
 * whose cache is one write behind may or may not repeat it.
 */
export function keepState(states: string[], state: string): void {
  if (state !== states.at(-1) && !/ Paused [A-Za-z]+ \| \[\] /.test(state)) states.push(state);
}

/**
 * Projects a Rollout to the fields that a person or Gatehouse relies on. Pod hashes are numbered in order of first
 * appearance. Replica counts, and the choice among several progress reasons, depend on the speed of pods, and are left
 * out.
 */
export function createProjection(): (object: RealObject) => string {
  const names = new Map<string, string>();
  const nameOf = (hash: string | undefined) => {
    if (hash === undefined || hash === "") return "-";
    const name = names.get(hash) ?? `v${names.size + 1}`;
    names.set(hash, name);
    return name;
  };
  return ({ metadata, spec, status: anyStatus }) => {
    const status = (anyStatus ?? {}) as Status;
    const reason = conditionOf(status, "Progressing")?.reason ?? "";
    const flags = [
      status.controllerPause === true && "controllerPause",
      status.abort === true && "abort",
      status.abortedAt !== undefined && "abortedAt",
      status.promoteFull === true && "promoteFull",
      status.restartedAt !== undefined && status.restartedAt === spec?.restartAt && "restarted",
      conditionOf(status, "Paused")?.status === "True" && "Paused",
      ["NewReplicaSetCreated", "RolloutAborted", "RolloutRetry"].includes(reason) && reason,
    ].filter((flag) => flag !== false);
    const message = status.phase === "Progressing" ? "" : (status.message ?? "").split(":")[0];
    return [
      `revision ${metadata.annotations?.["rollout.argoproj.io/revision"] ?? "-"} of ${imageOf(spec)}`,
      status.observedGeneration === String(metadata.generation) ? "observed" : "not observed",
      `current ${nameOf(status.currentPodHash)} stable ${nameOf(status.stableRS)} at ${status.currentStepIndex ?? "-"}`,
      `${status.phase ?? "-"} ${message}`.trim(),
      `[${(status.pauseConditions ?? []).map((pause) => pause.reason).join(" ")}]`,
      flags.join(" "),
      ...runsOf(status, nameOf),
    ].join(" | ");
  };
}

function runsOf({ canary = {}, blueGreen = {} }: Status, nameOf: (hash: string | undefined) => string): string[] {
  const named: [string, RunReference | undefined][] = [
    ["step", canary.currentStepAnalysisRunStatus],
    ["background", canary.currentBackgroundAnalysisRunStatus],
    ["pre", blueGreen.prePromotionAnalysisRunStatus],
    ["post", blueGreen.postPromotionAnalysisRunStatus],
  ];
  const runs = named.flatMap(([kind, run]) => {
    if (run === undefined) return [];
    const isOpen = ["", "Pending", "Running"].includes(run.status);
    return [
      `${kind} ${run.name
        .split("-")
        .slice(-2)
        .join("-")
        .replace(/^[a-z0-9]{8,10}-/, "")} ${isOpen ? "open" : run.status}`,
    ];
  });
  const { activeSelector } = blueGreen;
  return activeSelector === undefined ? runs : [`active ${nameOf(activeSelector)}`, ...runs];
}

function conditionOf(status: Status, type: string): Condition | undefined {
  return status.conditions?.find((condition) => condition.type === type);
}

function imageOf(spec: Json | undefined): string {
  const template = spec?.template as { spec?: { containers?: { image: string }[] } } | undefined;
  return template?.spec?.containers?.[0]?.image.split(":").at(-1) ?? "?";
}

/** Returns the changes from one state to the next that the controller did not make. */
function outsideWrite(before: RealObject, after: RealObject): OutsideWrite | undefined {
  const isSameRevision = isDeepStrictEqual(before.metadata.annotations, after.metadata.annotations);
  const isSpecChanged = isSameRevision && !isDeepStrictEqual(before.spec, after.spec);
  const isStatusChanged = !isDeepStrictEqual(before.status, after.status) && isStatusOfOthers(before, after);
  if (!isSpecChanged && !isStatusChanged) return undefined;
  return {
    ...(isSpecChanged ? { spec: after.spec ?? {} } : {}),
    ...(isStatusChanged ? { status: changesOf(before.status ?? {}, after.status ?? {}) } : {}),
  };
}

function changesOf(before: Json, after: Json): Json {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  const changed = [...keys].filter((key) => !isDeepStrictEqual(before[key], after[key]));
  return Object.fromEntries(changed.map((key) => [key, after[key] ?? null]));
}

/**
 * Detects a foreign status write: another field manager's entry has a new time, or a removal, which leaves no entry,
 * left a phase that no longer fits.
 */
function isStatusOfOthers(before: RealObject, after: RealObject): boolean {
  const entriesOf = ({ metadata }: RealObject) =>
    (metadata.managedFields ?? [])
      .filter(
        ({ manager, subresource }) => subresource === "status" && !String(manager).startsWith("rollouts-controller"),
      )
      .map(({ manager, time }) => `${manager} ${time}`);
  const known = new Set(entriesOf(before));
  const status = (after.status ?? {}) as Status;
  const isPaused = (status.pauseConditions ?? []).length > 0 || after.spec?.paused === true;
  const isAborted = status.message?.startsWith("RolloutAborted") === true;
  return (
    entriesOf(after).some((entry) => !known.has(entry)) ||
    (status.phase === "Paused" && !isPaused) ||
    (isAborted && status.abort !== true && (before.status as Status | undefined)?.abort === true)
  );
}
