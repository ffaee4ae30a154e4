import type { Pool, PoolClient } from "pg";
import { stableUuid } from "#lib/domain/delivery/rollout-id.ts";
import { outlived } from "#lib/domain/oversight/evaluate-rollout.ts";
import {
  type FindingSeverity,
  type FoundByRule,
  findingSeverities,
  type RuleSubject,
} from "#lib/domain/oversight/rule.ts";
import { toStorableJson } from "#lib/domain/storable/escape-text.ts";
import { isOneOf } from "#lib/server/platform/db/conditions.ts";
import { clockTime } from "#lib/server/platform/db/database-time.ts";
import { inTransaction } from "#lib/server/platform/db/in-transaction.ts";
import { type RowOf, readRows, write } from "#lib/server/platform/db/run-query.ts";
import { fragment, tables } from "#lib/server/platform/db/tables.ts";
import { type ChangeRow, writeChanges } from "#lib/server/recording/store/change-rows.ts";
import { storableText } from "#lib/server/recording/store/text-fields.ts";
import { countFindings } from "./count-findings.ts";

/** What findings are about. `id` is a rollout's, a cluster's name, a source's or a controller's. */
export type FindingSubject = {
  about: RuleSubject;
  id: string;
  /** For anything but a rollout, `kind` and `name` are how it is named to a person; the namespace may be empty. */
  place: { cluster: string; namespace: string; kind: string; name: string };
};

export type FindingTransition = "opened" | "worsened" | "closed";
export type FindingChange = FindingRow & { transition: FindingTransition };

/** Handles findings that opened, worsened or closed, in the transaction that stores them. */
export type OnFindings = (
  tx: PoolClient,
  subject: FindingSubject,
  changes: readonly FindingChange[],
  /** `isFirstLook`: the rules are new to the subject, so its findings may be long past. */
  circumstances: { isFirstLook: boolean },
) => Promise<void>;

export type FindingStore = { pool: Pool; onFindings?: OnFindings | undefined };

const selectFindings = tables
  .selectFrom("finding")
  .select(["id", "rule", "severity", "title", "advice", "evidence", "run_key", "run_uid", "since"])
  .select(["closed_at", "closed_why", "acknowledged_at"]);
type FindingRow = RowOf<typeof selectFindings>;

/** Records the findings of a subject in a transaction of its own. */
export async function storeFindings(
  { pool, onFindings }: FindingStore,
  subject: FindingSubject,
  found: readonly FoundByRule[],
): Promise<void> {
  await inTransaction(pool, async (tx) => {
    const changes = await recordFindings(tx, { subject, found });
    if (changes.length > 0) await onFindings?.(tx, subject, changes, { isFirstLook: false });
  });
}

/**
 * Brings the stored findings about a subject in line with the rules' results: opens new ones, updates open ones, closes
 * those that are over or no longer found. Repeating it changes nothing. A finding that comes back is reopened without
 * its acknowledgement; a higher severity drops the acknowledgement too. Returns the findings whose state changed.
 */
export async function recordFindings(
  tx: PoolClient,
  {
    subject,
    found,
    from,
  }: {
    subject: FindingSubject;
    found: readonly FoundByRule[];
    /** ISO 8601; earlier events were not reviewed. */
    from?: string | undefined;
  },
): Promise<FindingChange[]> {
  const wanted = new Map(found.map((each) => [idOf(subject, each), each]));
  const rows = await readRows(
    tx,
    selectFindings
      // By the index of rollouts, which has the few other subjects too: those without a rollout.
      .where("rollout_id", rolloutOf(subject) === null ? "is" : "=", rolloutOf(subject))
      .where("about", "=", subject.about)
      .where("subject", "=", subject.id)
      .where(({ or, eb, ref }) => or([eb("closed_at", "is", null), isOneOf(ref("id"), [...wanted.keys()], "uuid")]))
      .forUpdate(),
  );
  const stored = new Map(rows.map((row) => [row.id, row]));
  const changes: FindingChange[] = [];
  const touched: string[] = [];
  for (const [id, each] of wanted) {
    const before = stored.get(id);
    const next = toRow(id, each, before);
    if (before !== undefined && isSame(before, next)) continue;
    await save(tx, subject, next, before);
    touched.push(id);
    const transition = transitionOf(before, next);
    if (transition !== undefined) changes.push({ ...next, transition });
  }
  for (const row of rows) {
    if (row.closed_at !== null || wanted.has(row.id)) continue;
    // A finding from before the reviewed period closes without notice.
    const isPast = from !== undefined && row.since < new Date(from);
    await close(tx, row.id, isPast ? outlived : "No longer the case.");
    touched.push(row.id);
    if (!isPast) changes.push({ ...row, transition: "closed" });
  }
  if (touched.length > 0) await announce(tx, subject, touched);
  return changes;
}

function rolloutOf({ about, id }: FindingSubject): string | null {
  return about === "rollout" ? id : null;
}

function idOf({ about, id }: FindingSubject, { rule, found }: FoundByRule): string {
  return stableUuid("finding", rule, about, id, found.key);
}

function toRow(id: string, { rule, found }: FoundByRule, before: FindingRow | undefined): FindingRow {
  const since = new Date(found.since);
  const { over } = found;
  const worse = before !== undefined && isWorse(before.severity, found.severity);
  const isBack = before !== undefined && before.closed_at !== null && over === undefined;
  return {
    id,
    rule,
    severity: found.severity,
    title: storableText(found.title),
    advice: found.advice === undefined ? null : storableText(found.advice),
    evidence: found.evidence.map((piece) => ({ ...piece, value: storableText(piece.value) })),
    run_key: found.runKey ?? null,
    run_uid: found.runUid ?? null,
    // A rule may see only the current state: the earliest time counts.
    since: before !== undefined && before.closed_at === null && before.since < since ? before.since : since,
    closed_at: over === undefined ? null : new Date(over.at),
    closed_why: over?.why ?? null,
    acknowledged_at: worse || isBack ? null : (before?.acknowledged_at ?? null),
  };
}

function isWorse(before: FindingSeverity, now: FindingSeverity): boolean {
  return findingSeverities.indexOf(now) > findingSeverities.indexOf(before);
}

function isSame(before: FindingRow, next: FindingRow): boolean {
  return JSON.stringify(comparable(before)) === JSON.stringify(comparable(next));
}

/** Leaves nothing out; jsonb does not keep the order of keys. */
function comparable({ evidence, ...row }: FindingRow) {
  const pieces = evidence.map(({ label, value, at, link }) => [label, value, at, link && Object.entries(link).sort()]);
  return [Object.entries(row).sort(([left], [right]) => (left < right ? -1 : 1)), pieces];
}

function transitionOf(before: FindingRow | undefined, next: FindingRow): FindingTransition | undefined {
  const wasOpen = before !== undefined && before.closed_at === null;
  // If it was over before it was stored, it is history.
  if (next.closed_at !== null) return wasOpen ? "closed" : undefined;
  if (!wasOpen) return "opened";
  return isWorse(before.severity, next.severity) ? "worsened" : undefined;
}

const { cast, val } = fragment<Record<never, never>>();

async function save(
  tx: PoolClient,
  subject: FindingSubject,
  next: FindingRow,
  before: FindingRow | undefined,
): Promise<void> {
  const { id, rule, evidence, ...values } = next;
  const json = cast<typeof evidence>(val(toStorableJson(evidence)), "jsonb");
  if (before !== undefined) {
    const forgotten =
      before.acknowledged_at !== null && next.acknowledged_at === null
        ? { acknowledged_by: null, acknowledged_by_name: null, acknowledge_reason: null }
        : {};
    await write(
      tx,
      tables
        .updateTable("finding")
        .set({
          ...values,
          ...forgotten,
          ...(before.closed_at !== null && next.closed_at === null ? { found_at: clockTime } : {}),
          evidence: json,
          updated_at: clockTime,
        })
        .where("id", "=", id),
    );
    return;
  }
  await write(
    tx,
    tables.insertInto("finding").values({
      ...{ id, rule, about: subject.about, subject: subject.id, ...subject.place, ...values },
      evidence: json,
      rollout_id: rolloutOf(subject),
    }),
  );
}

async function close(tx: PoolClient, id: string, why: string): Promise<void> {
  await write(
    tx,
    tables
      .updateTable("finding")
      .set({ closed_at: clockTime, closed_why: why, updated_at: clockTime })
      .where("id", "=", id),
  );
}

/** Notifies open pages, and counts the rollout's open findings again. */
async function announce(
  tx: PoolClient,
  { about, id, place }: FindingSubject,
  touched: readonly string[],
): Promise<void> {
  const { cluster, namespace, kind, name } = place;
  const base = { op: "upsert" as const, cluster, namespace, object_kind: kind, name };
  const rows = touched.map((ref): ChangeRow => ({ ...base, kind: "finding", ref }));
  if (about === "rollout" && (await countFindings(tx, id)))
    rows.push({ ...base, kind: "rollout", ref: [cluster, namespace, kind, name].join("/") });
  await writeChanges(tx, rows);
}
