/**
 * What the timeline says of an abort, from the controller's message. It names a cause only where it decided itself:
 * `RolloutAborted: Rollout aborted update to revision 2: Step-based analysis phase error/failed: Metric "errors" assessed
 * Failed due to failed (2) > failureLimit (1)` (argo-rollouts 1.10.2, rollout/sync.go and metricproviders).
 */
export function formatAbort(message: string): string {
  const aborted = /^RolloutAborted: Rollout aborted update to revision \d+(?:: (?<cause>.+))?$/s.exec(message);
  if (aborted === null) return message === "" ? "Aborted" : `Aborted: ${message}`;
  const cause = aborted.groups?.cause;
  if (cause === undefined) return "Aborted";
  const metric =
    /Metric "(?<name>.+?)" assessed \w+ due to (?<what>\w+) \((?<count>\d+)\) > \w+ \((?<limit>\d+)\)(?:: (?<more>.+))?$/s;
  const { name, what = "", count, limit, more } = metric.exec(cause)?.groups ?? {};
  if (name === undefined) return `Aborted by the controller: ${cause}`;
  const said = more === undefined ? "" : `: ${more}`;
  return `Aborted by the controller: ${name} ${words[what] ?? what} ${formatTimes(Number(count))} (limit ${limit})${said}`;
}

const words: Readonly<Record<string, string>> = {
  failed: "failed",
  inconclusive: "was Inconclusive",
  consecutiveErrors: "had an error",
};

function formatTimes(count: number): string {
  return count === 1 ? "once" : `${count} times`;
}
