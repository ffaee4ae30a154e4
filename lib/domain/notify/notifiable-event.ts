import type { FindingSeverity } from "#lib/domain/oversight/rule.ts";
import type { Target } from "#lib/domain/policy/rights.ts";
import { cleanLine } from "#lib/util/clean-line.ts";

/** The event kinds that the routes of the config can name. */
export const notifiableKinds = [
  /** A rollout waits for a person: a pause, a gate, a blue-green promotion. */
  "waiting",
  "inconclusive",
  /** A release failed: aborted, degraded, or a promotion that does not get through. */
  "promotion-failing",
  "finding-opened",
  "finding-worsened",
  "finding-closed",
  /** An action and its outcome, by Gatehouse or by other means. */
  "action",
] as const;
export type NotifiableKind = (typeof notifiableKinds)[number];

/** An event that people may want to hear about. Immutable; texts are redacted when it is stored. */
export type NotifiableEvent = {
  /**
   * From `stableUuid`. Invariant: the same event always has the same id, whichever process finds it, and however often.
   */
  id: string;
  /** `test`: sent to one channel by an admin, never routed. */
  kind: NotifiableKind | "test";
  severity: FindingSeverity;
  /** The subject of the event. Namespace and name are empty if it has none, such as for a finding about a source. */
  target: Target;
  /** A few words without the target's name and without a full stop, such as "Waits at step 2 of 5". */
  title: string;
  /** One or two whole sentences. */
  sentence: string;
  facts: { label: string; value: string }[];
  /** The path of the evidence in the user interface, such as `/rollouts/prod/shop/Rollout/web` or `/findings/{id}`. */
  path: string;
  /** ISO 8601; when it happened or was found. Events from before notifications first started are not sent. */
  at: string;
};

/** Cleans the texts of an event for a message: they repeat names, messages and images of a cluster, and reasons. */
export function cleanTexts<Event extends Pick<NotifiableEvent, "title" | "sentence" | "facts">>(event: Event): Event {
  return {
    ...event,
    title: cleanLine(event.title),
    sentence: cleanLine(event.sentence),
    facts: event.facts.map(({ label, value }) => ({ label: cleanLine(label), value: cleanLine(value) })),
  };
}
