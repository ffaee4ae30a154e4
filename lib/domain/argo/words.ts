import type { ControllerWords } from "#lib/domain/delivery/provider.ts";

/** Upstream's message for spec.paused. */
export const manuallyPaused = "manually paused";

const reasons: Readonly<Record<string, string>> = {
  CanaryPauseStep: "At a pause step",
  BlueGreenPause: "Paused before promotion",
  InconclusiveAnalysisRun: "Analysis ended Inconclusive",
  InconclusiveExperiment: "Experiment ended Inconclusive",
  [manuallyPaused]: "Paused manually",
};

export const argoWords: ControllerWords = {
  kind: "Rollout",
  areSentences: false,
  nameReason: (reason) => (Object.hasOwn(reasons, reason) ? reasons[reason] : explainMetric(reason)),
  explainAbort,
  isAbortOnRequest,
  explainPause: (message, place) => (message === manuallyPaused ? `Paused manually (spec.paused)${place}.` : undefined),
};

/** Formats an abort for the timeline, from the controller's message with its metric providers' text (1.10.2). */
export function formatAbort(message: string): string {
  const aborted = parseAbortMessage(message);
  if (aborted === undefined) return message === "" ? "Aborted" : `Aborted: ${message}`;
  return aborted.cause === undefined ? "Aborted" : `Aborted by the controller: ${formatCause(aborted.cause)}`;
}

/** Explains who aborted, followed by `place`, and why; undefined if the message is not about an abort. */
export function explainAbort(message: string, place: string): string | undefined {
  const aborted = parseAbortMessage(message);
  if (aborted === undefined) return undefined;
  if (aborted.cause === undefined) return `Aborted on request${place}`;
  return `Aborted by the controller${place}: ${formatCause(aborted.cause)}`;
}

/** Returns whether the controller was told to abort: then its message names no cause. Undefined for other messages. */
export function isAbortOnRequest(message: string): boolean | undefined {
  const aborted = parseAbortMessage(message);
  return aborted === undefined ? undefined : aborted.cause === undefined;
}

/** Explains a run's message about the metric that decided it; undefined for any other text. */
function explainMetric(message: string): string | undefined {
  if (!message.startsWith('Metric "')) return undefined;
  const words = formatCause(message);
  return words === message ? undefined : words;
}

function formatCause(cause: string): string {
  // The first beginning finds every end: one try suffices.
  const start = cause.indexOf('Metric "');
  if (start === -1) return cause;
  const metric =
    /^Metric "(?<name>.+?)" assessed \w+ due to (?<what>\w+) \((?<count>\d+)\) > \w+ \((?<limit>\d+)\)(?:: (?<more>.+))?$/s;
  const { name, what = "", count, limit, more } = metric.exec(cause.slice(start))?.groups ?? {};
  if (name === undefined) return cause;
  const said = more === undefined ? "" : `: ${more}`;
  return `${name} ${words[what] ?? what} ${formatTimes(Number(count))} (${limit} allowed)${said}`;
}

const words: Readonly<Record<string, string>> = {
  failed: "failed",
  inconclusive: "was Inconclusive",
  consecutiveErrors: "had an error",
};

function formatTimes(count: number): string {
  return count === 1 ? "once" : `${count} times`;
}

/** `cause` is the controller's own; undefined if it was asked to abort. */
type AbortMessage = { cause: string | undefined };

/**
 * Parses the controller's message about an abort, as in its condition or as in the status, which puts the reason first.
 * Only this function knows the rule: the controller adds the cause of its own aborts, and none for a requested one:
 * `Rollout aborted update to revision 2: Step-based analysis phase error/failed: ...` (argo-rollouts 1.10.2,
 * rollout/sync.go calculateRolloutConditions; the same in recorded streams). Undefined for any other text.
 */
export function parseAbortMessage(message: string): AbortMessage | undefined {
  const aborted = /^(?:RolloutAborted: )?Rollout aborted update to revision \d+(?:: (?<cause>.+))?$/s.exec(message);
  return aborted === null ? undefined : { cause: aborted.groups?.cause };
}
