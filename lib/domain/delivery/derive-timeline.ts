import { wordStep } from "#lib/domain/delivery/word-step.ts";
import { readImageTag } from "#lib/domain/kube/read-image-version.ts";
import { capital } from "#lib/util/words.ts";
import { attributeRevision, type KnownRevisions, nothingKnown } from "./attribute-revision.ts";
import { areStepsChanged, isAnotherAbort } from "./derive-releases.ts";
import {
  type DeliveryState,
  formatSkippedGates,
  newlySkippedGates,
  type Observation,
  type PluginStep,
} from "./observation.ts";
import { formatPluginStatus, nameSteps } from "./step-words.ts";

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

/**
 * Lists what happened between two consecutive observations. `named` is the newest earlier projection that names a
 * revision: a status that was wiped and comes back adds nothing.
 */
export function compareObservations(
  previous: Observation | undefined,
  next: Observation,
  { named, known = nothingKnown }: { named: DeliveryState | undefined; known?: KnownRevisions },
): TimelineEvent[] {
  const drafts =
    previous === undefined
      ? [firstSeen(next.state)]
      : describeChange({
          before: baseOf(previous.state, next.state, named),
          now: attributeRevision(next.state, known),
          client: next.client,
        });
  return drafts.map((draft, ord) => ({
    ...draft,
    ord,
    at: next.observedAt,
    resourceVersion: next.resourceVersion,
    phase: next.state.phase,
  }));
}

function baseOf(previous: DeliveryState, next: DeliveryState, named: DeliveryState | undefined): DeliveryState {
  return previous.runKey === "" && next.runKey !== "" ? (named ?? previous) : previous;
}

function firstSeen({ phase, message }: DeliveryState): Draft {
  return { kind: "phase", text: `First seen: ${phase}${message === "" ? "" : `: ${message}`}` };
}

type Change = { before: DeliveryState; now: DeliveryState; client: string | null };

/** Lists what happened between two observations, causes before effects: a failed run before the abort that it led to. */
function describeChange(change: Change): Draft[] {
  const { now } = change;
  if (now.isDeleted) return [{ kind: "phase", text: "Deleted" }];
  const runs = runChange(change);
  const plugins = pluginChange(change);
  const found = [
    ...revisionChange(change),
    ...runs.failed,
    ...plugins.failed,
    ...abortChange(change),
    ...fullPromotion(change),
    ...resumption(change),
    ...runs.ended,
    ...plugins.others,
    ...stepChange(change),
    ...runs.begun,
    ...pauseChange(change),
    ...serviceChange(change),
    ...promotion(change),
    ...scaleChange(change),
  ];
  // Skips a phase that follows from the event just listed: it would repeat that.
  const isSaid = found.some((draft) => draft.kind !== "step" && draft.kind !== "run");
  return isSaid ? found : [...found, ...phaseChange(change)];
}

/** Leaves out that an update is in progress or done: the other events tell that better. */
function phaseChange({ before, now }: Change): Draft[] {
  const { phase, message } = now;
  const isGood = (word: string) => word === "Progressing" || word === "Healthy";
  if (phase === before.phase || (isGood(phase) && (isGood(before.phase) || before.phase === "Paused"))) return [];
  return [{ kind: "phase", text: `${before.phase} to ${phase}${message === "" ? "" : `: ${message}`}` }];
}

function revisionChange({ before, now, client }: Change): Draft[] {
  if (now.runKey === before.runKey || now.runKey === "") return [];
  const { images } = now;
  const name = wantedName(now);
  if (before.stableKey === now.stableKey && now.runKey === now.stableKey)
    return [{ kind: "revision", text: `Returned to the stable version, ${name}` }];
  const what = images.length === 0 ? "" : `: ${images.join(", ")}`;
  return [{ kind: "revision", text: `${capital(name)} begins${what}${byClient(client)}` }];
}

function abortChange({ before, now, client }: Change): Draft[] {
  const said = now.message === "" ? "" : `: ${now.message}`;
  if (now.isAborted) {
    if (!before.isAborted) return [{ kind: "abort", text: now.abortText }];
    return isAnotherAbort(before, now)
      ? [{ kind: "abort", text: `Aborted again after a retry that was not observed${said}` }]
      : [];
  }
  if (now.isAbortAsked)
    return before.isAbortAsked ? [] : [{ kind: "abort", text: `Abort requested${byClient(client)}` }];
  if (!before.isAbortAsked || now.runKey !== before.runKey) return [];
  if (!before.isAborted) return [{ kind: "phase", text: "The controller dropped the abort" }];
  return [{ kind: "retry", text: `Retried after the abort${areStepsChanged(before, now) ? "" : byClient(client)}` }];
}

function fullPromotion({ before, now, client }: Change): Draft[] {
  return now.isFullPromotionAsked && !before.isFullPromotionAsked
    ? [{ kind: "resume", text: `Full promotion requested${byClient(client)}` }]
    : [];
}

function stepChange(change: Change): Draft[] {
  const { before, now, client } = change;
  const { step: to, stepCount } = now;
  const of = `of ${stepCount}`;
  if (before.runKey !== now.runKey) return fastTrack(change);
  if (areStepsChanged(before, now))
    return [{ kind: "step", text: `The steps changed: restarts at step ${(to ?? 0) + 1} ${of}${byClient(client)}` }];
  const from = before.step;
  if (from === null || to === null || to === from || now.isAbortAsked) return [];
  const skipped = newlySkippedGates(before, now);
  if (skipped.length > 0) return [{ kind: "step", text: formatSkippedGates(skipped) }];
  if (to < from) return [{ kind: "step", text: `Back at step ${to + 1} ${of}` }];
  const isSkipped = to === stepCount && (before.isFullPromotionAsked || now.isFullPromotionAsked);
  if (to > from + 1 || isSkipped) {
    const what = capital(nameSteps({ first: from + 1, last: to }));
    if (isSkipped) return [{ kind: "step", text: `${what} ${of} skipped: fully promoted` }];
    const by = byClient(client);
    return [{ kind: "step", text: `${what} ${of} ${by === "" ? "passed" : `skipped${by}`}` }];
  }
  const text = before.stepText === null ? "" : `: ${wordStep(before.stepText)}`;
  return [{ kind: "step", text: `Step ${to} ${of} completed${text}` }];
}

/** Handles a revision that begins past its last step: the controller lets a return to a recent one skip the steps. */
function fastTrack({ before, now }: Change): Draft[] {
  const { step, stepCount } = now;
  if (step === null || stepCount === 0 || step !== stepCount || now.runKey === now.stableKey) return [];
  const why = (now.rollbackWindow ?? 0) > 0 ? ": within the rollback window" : "";
  return before.runKey === "" ? [] : [{ kind: "step", text: `All ${stepCount} steps skipped${why}` }];
}

/** `failed`: those whose result may stop the release. */
function runChange({ before, now }: Change): Record<"begun" | "ended" | "failed", Draft[]> {
  const found: Record<"begun" | "ended" | "failed", Draft[]> = { begun: [], ended: [], failed: [] };
  for (const { title, name, phase } of now.runs) {
    const old = before.runs.find((run) => run.title === title);
    const draft = (text: string): Draft => ({ kind: "run", runName: name, text: `${title} ${name} ${text}` });
    if (old?.name !== name) found.begun.push(draft(`begins${endOf(phase)}`));
    else if (old.phase !== phase && endOf(phase) !== "")
      found[phase === "Successful" ? "ended" : "failed"].push(draft(`is ${phase}`));
  }
  return found;
}

/** `failed`: those whose answer stopped the release. */
function pluginChange({ before, now }: Change): Record<"failed" | "others", Draft[]> {
  const keyOf = ({ step, operation }: PluginStep): string => `${step} ${operation}`;
  const known =
    before.runKey === now.runKey ? new Map((before.plugins ?? []).map((each) => [keyOf(each), each])) : undefined;
  const found: Record<"failed" | "others", Draft[]> = { failed: [], others: [] };
  for (const plugin of now.plugins ?? []) {
    const old = known?.get(keyOf(plugin));
    if (old?.phase === plugin.phase && old.isDisabled === plugin.isDisabled) continue;
    const text = `Step ${plugin.step + 1} of ${now.stepCount}: ${formatPluginStatus({ ...plugin, disabled: plugin.isDisabled })}`;
    found[plugin.operation === "Run" && plugin.phase === "Failed" ? "failed" : "others"].push({ kind: "step", text });
  }
  return found;
}

function endOf(phase: string): string {
  return ["", "Pending", "Running"].includes(phase) ? "" : ` and is ${phase}`;
}

function pauseChange({ before, now, client }: Change): Draft[] {
  const had = new Set(before.waits.map(({ key }) => key));
  const drafts = now.waits.filter(({ key }) => !had.has(key)).map(({ text }): Draft => ({ kind: "pause", text }));
  if (now.isPausedByPerson && !before.isPausedByPerson)
    drafts.push({ kind: "pause", text: `Paused by a person${byClient(client)}` });
  return drafts;
}

function resumption({ before, now, client }: Change): Draft[] {
  const isOver = !now.isPausedByPerson && now.waits.length === 0;
  const wasPaused = before.isPausedByPerson || before.waits.length > 0;
  const isSameRevision = before.runKey === now.runKey;
  if (!wasPaused || !isOver || now.isAbortAsked || !isSameRevision) return [];
  return [{ kind: "resume", text: `Resumed${byClient(client)}` }];
}

/** Handles the active service of a blue-green; its switch does not promote the release. */
function serviceChange({ before, now }: Change): Draft[] {
  const from = before.servedKey;
  const to = now.servedKey;
  if (typeof from !== "string" || typeof to !== "string" || from === to || to === "") return [];
  if (to === now.runKey) return [{ kind: "step", text: `Active service switched to ${wantedName(now)}` }];
  const name = to === now.stableKey ? "the stable version" : `version ${to}`;
  return [{ kind: "step", text: `Active service switched back to ${name}` }];
}

function promotion({ before, now }: Change): Draft[] {
  if (now.stableKey === "" || before.stableKey === now.stableKey) return [];
  if (now.stableKey === now.runKey) return [{ kind: "phase", text: `Promoted: ${wantedName(now)} is stable` }];
  return [{ kind: "phase", text: `Promoted while not observed: version ${now.stableKey} is stable` }];
}

function scaleChange({ before, now, client }: Change): Draft[] {
  const was = before.isScaledToZero;
  const is = now.isScaledToZero;
  if (was === undefined || is === undefined || was === is) return [];
  return [{ kind: "phase", text: `${is ? "Scaled to zero" : "Scaled up from zero"}${byClient(client)}` }];
}

/** Without a number of its own, a version is called what its images are tagged: a hash says nothing to people. */
function wantedName({ runKey, revision, images }: DeliveryState): string {
  if (revision !== null) return `revision ${revision}`;
  const tags = images.map(readImageTag);
  const isTagged = tags.length > 0 && tags.every((tag) => tag !== undefined);
  return `version ${isTagged ? [...new Set(tags)].join(", ") : runKey}`;
}

function byClient(client: string | null): string {
  return client === null ? "" : ` (via ${client})`;
}
