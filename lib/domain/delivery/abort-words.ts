import { parseAbortMessage } from "#lib/domain/argo/parse-abort-message.ts";

/** What the timeline says of an abort, from the controller's message, with what its metric providers wrote (1.10.2). */
export function formatAbort(message: string): string {
  const aborted = parseAbortMessage(message);
  if (aborted === undefined) return message === "" ? "Aborted" : `Aborted: ${message}`;
  const { cause } = aborted;
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
