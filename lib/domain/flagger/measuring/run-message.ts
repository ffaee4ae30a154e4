import type { FlaggerMessage } from "#lib/domain/flagger/events/flagger-message.ts";

/** A message of one run. The same message may come by the event webhook and as a Kubernetes event. */
export type RunMessage = {
  /** ISO 8601, by Flagger's clock. Events have whole seconds. */
  at: string;
  source: "webhook" | "event";
  message: FlaggerMessage;
  /** Number of new occurrences, the last one at `at`; 1 if undefined. */
  count?: number | undefined;
};

/** Events have whole seconds. Ticks are 10 s apart or more, but a late one may be followed soon by the next. */
const sameTickMs = 2_000;

/** Returns whether two messages may belong to one tick, or be one message that came twice. */
export function isNear(one: Pick<RunMessage, "at">, other: Pick<RunMessage, "at">): boolean {
  return Math.abs(Date.parse(one.at) - Date.parse(other.at)) < sameTickMs;
}

/**
 * Merges the messages of the event webhook and the Kubernetes events, ordered by time. An event counts only for
 * occurrences that did not come by the webhook.
 */
export function mergeMessages(messages: readonly RunMessage[]): RunMessage[] {
  const reported = messages.filter(({ source }) => source === "webhook");
  const unmatched = Map.groupBy(reported, ({ message }) => message.text);
  const added = messages.flatMap((event): RunMessage[] => {
    if (event.source === "webhook") return [];
    const same = unmatched.get(event.message.text) ?? [];
    const count = event.count ?? 1;
    const twins = new Set(same.filter((each) => isTwin(each, event)).slice(-count));
    unmatched.set(
      event.message.text,
      same.filter((each) => !twins.has(each)),
    );
    return twins.size === count ? [] : [{ ...event, count: count - twins.size }];
  });
  return [...reported, ...added].toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at));
}

function isTwin(reported: RunMessage, event: RunMessage): boolean {
  const isFolded = (event.count ?? 1) > 1 && Date.parse(reported.at) <= Date.parse(event.at);
  return isFolded || isNear(reported, event);
}
