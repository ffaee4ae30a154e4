import type { StepPluginStatus } from "./detail.ts";

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
