import { stableUuid } from "#lib/domain/delivery/rollout-id.ts";
import type { NotifiableEvent, NotifiableKind } from "#lib/domain/notify/notifiable-event.ts";
import { findRule } from "#lib/domain/oversight/rule-catalogue.ts";
import { enqueueEvents } from "#lib/server/notify/stored-event.ts";
import { readDatabaseTime } from "#lib/server/platform/db/database-time.ts";
import type { FindingChange, FindingSubject } from "./record-findings.ts";
import type { OnFindings } from "./review-findings.ts";

const kinds: Record<FindingChange["transition"], NotifiableKind> = {
  opened: "finding-opened",
  worsened: "finding-worsened",
  closed: "finding-closed",
};

/** Puts the transitions of findings into the outbox of notifications, in the transaction that stores them. */
export const notifyOfFindings: OnFindings = async (tx, subject, changes, { isFirstLook }) => {
  const now = (await readDatabaseTime(tx)).toISOString();
  await enqueueEvents(
    tx,
    // Findings from the past are not news: they get the time at which they began.
    changes.map((change) => toEvent(subject, change, isFirstLook ? change.since.toISOString() : now)),
  );
};

function toEvent({ place, about }: FindingSubject, change: FindingChange, at: string): NotifiableEvent {
  const { id, transition, severity, title, rule, evidence } = change;
  const words = findRule(rule);
  return {
    id: stableUuid("finding-event", id, transition, at),
    kind: kinds[transition],
    severity,
    target: { ...place, kind: about === "rollout" ? place.kind : null },
    title,
    sentence: sentenceOf(change, change.advice ?? words?.advice ?? ""),
    facts: evidence.map(({ label, value }) => ({ label, value })),
    path: `/findings/${id}`,
    at,
  };
}

function sentenceOf({ transition, title, closed_why: why }: FindingChange, advice: string): string {
  if (transition === "closed") return `It is over: ${title}.${why === null ? "" : ` ${why}`}`;
  return `${transition === "worsened" ? "It became more severe: " : ""}${title}. ${advice}`;
}
