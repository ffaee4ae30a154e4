import type { StepPluginStatus } from "./detail.ts";

/** Formats "step 3", "steps 3 and 4", "steps 3 to 6": both counted from 1. */
export function nameSteps({ first, last }: { first: number; last: number }): string {
  if (last <= first) return `step ${first}`;
  return last === first + 1 ? `steps ${first} and ${last}` : `steps ${first} to ${last}`;
}

type Place = {
  /** Completed steps. */
  step: number | null;
  stepCount: number;
  /** Its step when it was aborted: the controller then returns to the first step. */
  abortPoint?: { step: number | null } | null;
};

/**
 * Returns the current step of a rollout, counted from 1; after an abort the step at which it was aborted. Past the last
 * one it is the last one. Null if there are no steps, or if it is unknown.
 */
export function currentStepNumber({ step, stepCount, abortPoint }: Place): number | null {
  const completed = abortPoint === undefined || abortPoint === null ? step : abortPoint.step;
  return completed === null || stepCount === 0 ? null : Math.min(completed + 1, stepCount);
}

const operationWords: Readonly<Record<string, string>> = { Terminate: "terminate: ", Abort: "abort: " };

/** Formats a plugin's answer, such as `plugin acme/checks: Failed: quota exceeded`. */
export function formatPluginStatus({
  name,
  operation,
  phase,
  message,
  disabled,
}: Pick<StepPluginStatus, "name" | "operation" | "phase" | "message" | "disabled">): string {
  if (disabled) return `plugin ${name}: disabled in the controller, passed over`;
  return `plugin ${name}: ${operationWords[operation] ?? ""}${phase}${message === "" ? "" : `: ${message}`}`;
}

/** Formats the answer with the number of executions and the backoff before the next one. */
export function describePluginStatus(status: StepPluginStatus): string {
  const { executions, backoff, disabled, phase } = status;
  const isOver = disabled || phase === "Successful" || phase === "Failed";
  const details = [
    executions === null || executions < 2 ? undefined : `executed ${executions} times`,
    backoff === null || isOver ? undefined : `again after ${backoff}`,
  ].filter((part) => part !== undefined);
  return `${formatPluginStatus(status)}${details.length === 0 ? "" : ` (${details.join(", ")})`}`;
}

/** Finds the answer that failed a release: the controller aborts when a plugin's run has failed. */
export function findFailedPlugin<Status extends Pick<StepPluginStatus, "operation" | "phase">>(
  steps: readonly { readonly pluginStatuses: readonly Status[] }[],
): Status | undefined {
  return steps
    .flatMap(({ pluginStatuses }) => pluginStatuses)
    .find(({ operation, phase }) => operation === "Run" && phase === "Failed");
}
