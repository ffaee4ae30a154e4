import { stableUuid } from "#lib/domain/delivery/rollout-id.ts";
import { nameVersion } from "#lib/domain/notify/make-notifiable-event.ts";
import type { NotifiableEvent, NotifiableKind } from "#lib/domain/notify/notifiable-event.ts";
import { findRule } from "#lib/domain/oversight/rule-catalogue.ts";
import { enqueueEvents } from "#lib/server/notify/stored-event.ts";
import { readDatabaseTime } from "#lib/server/platform/db/database-time.ts";
import { type Connection, readRow } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import { currentRelease, wantedImagesOf } from "#lib/server/records/wanted-images.ts";
import type { FindingChange, FindingSubject, OnFindings } from "./record-findings.ts";

const kinds: Record<FindingChange["transition"], NotifiableKind> = {
  opened: "finding-opened",
  worsened: "finding-worsened",
  closed: "finding-closed",
};

/** Puts the transitions of findings into the outbox of notifications, in the transaction that stores them. */
export const notifyOfFindings: OnFindings = async (tx, subject, changes, { isFirstLook }) => {
  const now = (await readDatabaseTime(tx)).toISOString();
  const version = subject.about === "rollout" ? await readVersion(tx, subject.id) : null;
  await enqueueEvents(
    tx,
    changes.map((change) => ({
      // Findings from the past are not news: they get the time at which they began.
      ...toEvent(subject, change, isFirstLook ? change.since.toISOString() : now),
      matter: {
        ...{ id: change.id, rolloutId: null, cause: change.rule, version },
        since: change.since.toISOString(),
      },
    })),
  );
};

async function readVersion(tx: Connection, rolloutId: string): Promise<string | null> {
  const row = await readRow(
    tx,
    tables
      .selectFrom("rollout as r")
      .leftJoinLateral(currentRelease.as("current"), (join) => join.onTrue())
      .select(["r.images", "current.release_images"])
      .where("r.id", "=", rolloutId),
  );
  return row === undefined ? null : nameVersion(wantedImagesOf(row));
}

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
