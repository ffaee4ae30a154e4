import type { Observation, RolloutProjection } from "./rollout-projection.ts";

export type TimelineKind = "phase" | "step" | "pause" | "resume" | "abort" | "retry" | "revision" | "run";

export type TimelineEvent = {
  /** ISO 8601, as observed. */
  at: string;
  /** Orders events of one observation. */
  ord: number;
  resourceVersion: string;
  kind: TimelineKind;
  text: string;
  phase: string;
  /** The analysis run that it is about. */
  runName?: string;
};

type Draft = Pick<TimelineEvent, "kind" | "text" | "runName">;

/** Everything that happened to a rollout, oldest first, from its observations in order. */
export function deriveTimeline(observations: readonly Observation[]): TimelineEvent[] {
  return observations.flatMap((observation, index) => compareObservations(observations[index - 1], observation));
}

/** What happened between two observations that follow each other. */
export function compareObservations(previous: Observation | undefined, next: Observation): TimelineEvent[] {
  const drafts =
    previous === undefined
      ? [firstSeen(next.projection)]
      : describeChange({ before: previous.projection, now: next.projection, writer: next.writer });
  return drafts.map((draft, ord) => ({
    ...draft,
    ord,
    at: next.observedAt,
    resourceVersion: next.resourceVersion,
    phase: next.projection.view.phase,
  }));
}

function firstSeen({ view }: RolloutProjection): Draft {
  const message = view.message === "" ? "" : `: ${view.message}`;
  return { kind: "phase", text: `First seen: ${view.phase}${message}` };
}

type Change = { before: RolloutProjection; now: RolloutProjection; writer: string | null };

function describeChange(change: Change): Draft[] {
  const { before, now } = change;
  const isSameRevision = before.currentPodHash === now.currentPodHash;
  const found = [
    ...revisionChange(change),
    ...abortChange(change),
    ...(isSameRevision ? stepChange(change) : []),
    ...runChange(change),
    ...pauseChange(change),
    ...promotion(change),
  ];
  const { phase, message } = now.view;
  // A phase that follows from what was just said would say it twice.
  const isSaid = found.some((draft) => draft.kind !== "step" && draft.kind !== "run");
  if (phase !== before.view.phase && !isSaid)
    found.push({ kind: "phase", text: `${before.view.phase} to ${phase}${message === "" ? "" : `: ${message}`}` });
  return found;
}

function revisionChange({ before, now, writer }: Change): Draft[] {
  if (now.currentPodHash === before.currentPodHash || now.currentPodHash === "") return [];
  const { revision, images } = now.view;
  const name = revision === null ? `version ${now.currentPodHash}` : `revision ${revision}`;
  if (before.currentPodHash !== "" && now.currentPodHash === now.stableRS)
    return [{ kind: "revision", text: `Returned to the stable version, ${name}` }];
  const what = images.length === 0 ? "" : `: ${images.join(", ")}`;
  return [{ kind: "revision", text: `${capital(name)} begins${what}${byWriter(writer)}` }];
}

function abortChange({ before, now, writer }: Change): Draft[] {
  if (now.abort === before.abort) return [];
  if (now.abort) return [{ kind: "abort", text: now.view.message === "" ? "Aborted" : `Aborted: ${now.view.message}` }];
  return now.currentPodHash === before.currentPodHash
    ? [{ kind: "retry", text: `Retried after the abort${byWriter(writer)}` }]
    : [];
}

function stepChange({ before, now }: Change): Draft[] {
  const from = before.view.step;
  const to = now.view.step;
  if (from === null || to === null || to === from || now.abort) return [];
  if (to < from) return [{ kind: "step", text: `Back at step ${to + 1} of ${now.view.stepCount}` }];
  const of = `of ${now.view.stepCount}`;
  if (to > from + 1) return [{ kind: "step", text: `Steps ${from + 1} to ${to} ${of} passed` }];
  const text = before.view.stepText === null ? "" : `: ${before.view.stepText}`;
  return [{ kind: "step", text: `Step ${to} ${of} completed${text}` }];
}

const runs = [
  ["stepAnalysis", "Step analysis"],
  ["backgroundAnalysis", "Background analysis"],
  ["prePromotionAnalysis", "Pre-promotion analysis"],
  ["postPromotionAnalysis", "Post-promotion analysis"],
] as const;

function runChange({ before, now }: Change): Draft[] {
  return runs.flatMap(([field, words]): Draft[] => {
    const run = now[field];
    const old = before[field];
    if (run === null) return [];
    if (old?.name !== run.name)
      return [{ kind: "run", runName: run.name, text: `${words} ${run.name} begins${endOf(run.phase)}` }];
    return old.phase === run.phase || endOf(run.phase) === ""
      ? []
      : [{ kind: "run", runName: run.name, text: `${words} ${run.name} is ${run.phase}` }];
  });
}

function endOf(phase: string): string {
  return ["", "Pending", "Running"].includes(phase) ? "" : ` and is ${phase}`;
}

function pauseChange({ before, now, writer }: Change): Draft[] {
  const had = new Set(before.pauseConditions.map((pause) => `${pause.reason} ${pause.startTime}`));
  const added = now.pauseConditions.filter((pause) => !had.has(`${pause.reason} ${pause.startTime}`));
  const drafts = added.map((pause): Draft => ({ kind: "pause", text: describePause(pause.reason, now) }));
  if (now.paused && !before.paused) drafts.push({ kind: "pause", text: `Paused by a person${byWriter(writer)}` });
  const isOver = !now.paused && now.pauseConditions.length === 0;
  const wasPaused = before.paused || before.pauseConditions.length > 0;
  const isSameRevision = before.currentPodHash === now.currentPodHash;
  if (wasPaused && isOver && !now.abort && isSameRevision)
    drafts.push({ kind: "resume", text: `Goes on${byWriter(writer)}` });
  return drafts;
}

function describePause(reason: string, { view }: RolloutProjection): string {
  const step = view.step === null ? "" : ` at step ${view.step + 1} of ${view.stepCount}`;
  if (reason === "CanaryPauseStep")
    return view.stepWaitsForPerson ? `Waits for a person${step}` : `Pauses${step}: ${view.stepText ?? "timed"}`;
  if (reason === "BlueGreenPause") return "Waits before the active service is switched";
  if (reason === "InconclusiveAnalysisRun") return `Waits for a person${step}: an analysis run is Inconclusive`;
  if (reason === "InconclusiveExperiment") return `Waits for a person${step}: an experiment is Inconclusive`;
  return `Paused${step}: ${reason}`;
}

function promotion({ before, now }: Change): Draft[] {
  const isStable = now.currentPodHash !== "" && now.stableRS === now.currentPodHash;
  const wasStable = before.stableRS === now.stableRS;
  if (!isStable || wasStable) return [];
  const { revision } = now.view;
  const name = revision === null ? `version ${now.currentPodHash}` : `revision ${revision}`;
  return [{ kind: "phase", text: `Promoted: ${name} is stable` }];
}

/** Who wrote the change, where it was not the controller itself. */
function byWriter(writer: string | null): string {
  return writer === null || /rollouts-controller|argo-rollouts$/.test(writer) ? "" : ` (written by ${writer})`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
