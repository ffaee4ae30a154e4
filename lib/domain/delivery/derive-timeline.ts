import { formatAbort } from "#lib/domain/argo/history/abort-words.ts";
import { formatSkippedGates, newlySkippedGates } from "#lib/domain/argo/history/find-skipped-gates.ts";
import { isAborted, type Observation, type RolloutProjection } from "#lib/domain/argo/history/rollout-projection.ts";
import { knownControllerManagers } from "#lib/domain/argo/known-managers.ts";
import { attributeRevision, type KnownRevisions, nothingKnown } from "./attribute-revision.ts";
import { areStepsChanged, isAnotherAbort } from "./derive-releases.ts";
import { nameSteps } from "./step-words.ts";

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
export function deriveTimeline(
  observations: readonly Observation[],
  known: KnownRevisions = nothingKnown,
): TimelineEvent[] {
  let named: RolloutProjection | undefined;
  return observations.flatMap((observation, index) => {
    const events = compareObservations(observations[index - 1], observation, { named, known });
    if (observation.projection.currentPodHash !== "") named = observation.projection;
    return events;
  });
}

/**
 * What happened between two observations that follow each other. `named` is the newest projection before that names a
 * revision: a status that was wiped and comes back says nothing new.
 */
export function compareObservations(
  previous: Observation | undefined,
  next: Observation,
  { named, known = nothingKnown }: { named: RolloutProjection | undefined; known?: KnownRevisions },
): TimelineEvent[] {
  const drafts =
    previous === undefined
      ? [firstSeen(next.projection)]
      : describeChange({
          before: baseOf(previous.projection, next.projection, named),
          now: attributeRevision(next.projection, known),
          writer: next.writer,
        });
  return drafts.map((draft, ord) => ({
    ...draft,
    ord,
    at: next.observedAt,
    resourceVersion: next.resourceVersion,
    phase: next.projection.view.phase,
  }));
}

function baseOf(
  previous: RolloutProjection,
  next: RolloutProjection,
  named: RolloutProjection | undefined,
): RolloutProjection {
  return previous.currentPodHash === "" && next.currentPodHash !== "" ? (named ?? previous) : previous;
}

function firstSeen({ view }: RolloutProjection): Draft {
  const message = view.message === "" ? "" : `: ${view.message}`;
  return { kind: "phase", text: `First seen: ${view.phase}${message}` };
}

type Change = { before: RolloutProjection; now: RolloutProjection; writer: string | null };

function describeChange(change: Change): Draft[] {
  const { before, now } = change;
  if (now.view.isDeleted === true) return [{ kind: "phase", text: "Deleted" }];
  const found = [
    ...revisionChange(change),
    ...abortChange(change),
    ...fullPromotion(change),
    ...stepChange(change),
    ...runChange(change),
    ...pauseChange(change),
    ...serviceChange(change),
    ...promotion(change),
    ...scaleChange(change),
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
  const { images } = now.view;
  const name = wantedName(now);
  if (before.stableRS === now.stableRS && now.currentPodHash === now.stableRS)
    return [{ kind: "revision", text: `Returned to the stable version, ${name}` }];
  const what = images.length === 0 ? "" : `: ${images.join(", ")}`;
  return [{ kind: "revision", text: `${capital(name)} begins${what}${byWriter(writer)}` }];
}

function abortChange({ before, now, writer }: Change): Draft[] {
  const said = now.view.message === "" ? "" : `: ${now.view.message}`;
  if (isAborted(now)) {
    if (!isAborted(before)) return [{ kind: "abort", text: formatAbort(now.view.message) }];
    return isAnotherAbort(before, now)
      ? [{ kind: "abort", text: `Aborted again after a retry that was not observed${said}` }]
      : [];
  }
  if (now.abort) return before.abort ? [] : [{ kind: "abort", text: `Abort asked for${byWriter(writer)}` }];
  if (!before.abort || now.currentPodHash !== before.currentPodHash) return [];
  if (!isAborted(before)) return [{ kind: "phase", text: "The controller dropped the abort" }];
  return [{ kind: "retry", text: `Retried after the abort${areStepsChanged(before, now) ? "" : byWriter(writer)}` }];
}

function fullPromotion({ before, now, writer }: Change): Draft[] {
  return now.promoteFull && !before.promoteFull
    ? [{ kind: "resume", text: `Full promotion asked for${byWriter(writer)}` }]
    : [];
}

function stepChange(change: Change): Draft[] {
  const { before, now, writer } = change;
  const { step: to, stepCount } = now.view;
  const of = `of ${stepCount}`;
  if (before.currentPodHash !== now.currentPodHash) return fastTrack(change);
  if (areStepsChanged(before, now))
    return [
      { kind: "step", text: `The steps were changed: begins again at step ${(to ?? 0) + 1} ${of}${byWriter(writer)}` },
    ];
  const from = before.view.step;
  if (from === null || to === null || to === from || now.abort) return [];
  const skipped = newlySkippedGates(before, now);
  if (skipped.length > 0) return [{ kind: "step", text: formatSkippedGates(skipped) }];
  if (to < from) return [{ kind: "step", text: `Back at step ${to + 1} ${of}` }];
  const isSkipped = to === stepCount && (before.promoteFull || now.promoteFull);
  if (to > from + 1 || isSkipped) {
    const what = capital(nameSteps({ first: from + 1, last: to }));
    if (isSkipped) return [{ kind: "step", text: `${what} ${of} skipped: promoted in full` }];
    const by = byWriter(writer);
    return [{ kind: "step", text: `${what} ${of} ${by === "" ? "passed" : `skipped${by}`}` }];
  }
  const text = before.view.stepText === null ? "" : `: ${before.view.stepText}`;
  return [{ kind: "step", text: `Step ${to} ${of} completed${text}` }];
}

/** A revision that begins behind its last step: the controller lets a return to a recent one pass. */
function fastTrack({ before, now }: Change): Draft[] {
  const { step, stepCount } = now.view;
  if (step === null || stepCount === 0 || step !== stepCount || now.currentPodHash === now.stableRS) return [];
  const why = (now.view.rollbackWindow ?? 0) > 0 ? ": within the rollback window" : "";
  return before.currentPodHash === "" ? [] : [{ kind: "step", text: `All ${stepCount} steps skipped${why}` }];
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

/** The active service of a blue-green; the release is not promoted by its switch. */
function serviceChange({ before, now }: Change): Draft[] {
  const from = before.view.activeSelector;
  const to = now.view.activeSelector;
  if (typeof from !== "string" || typeof to !== "string" || from === to || to === "") return [];
  if (to === now.currentPodHash) return [{ kind: "step", text: `Active service switched to ${wantedName(now)}` }];
  const name = to === now.stableRS ? "the stable version" : `version ${to}`;
  return [{ kind: "step", text: `Active service switched back to ${name}` }];
}

function promotion({ before, now }: Change): Draft[] {
  if (now.stableRS === "" || before.stableRS === now.stableRS) return [];
  if (now.stableRS === now.currentPodHash) return [{ kind: "phase", text: `Promoted: ${wantedName(now)} is stable` }];
  return [{ kind: "phase", text: `Promoted while it was not observed: version ${now.stableRS} is stable` }];
}

function scaleChange({ before, now, writer }: Change): Draft[] {
  const was = before.view.isScaledToZero;
  const is = now.view.isScaledToZero;
  if (was === undefined || is === undefined || was === is) return [];
  return [{ kind: "phase", text: `${is ? "Scaled to zero" : "Scaled up from zero"}${byWriter(writer)}` }];
}

function wantedName({ currentPodHash, view }: RolloutProjection): string {
  return view.revision === null ? `version ${currentPodHash}` : `revision ${view.revision}`;
}

/** Who wrote the change, where it was not the controller itself. */
function byWriter(writer: string | null): string {
  return writer === null || knownControllerManagers.includes(writer) ? "" : ` (written by ${writer})`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
