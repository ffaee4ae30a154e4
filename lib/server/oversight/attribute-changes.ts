import { sql } from "kysely";
import type { Pool } from "pg";
import { formatObjectRef } from "#lib/domain/delivery/object-ref.ts";
import { appendAudit } from "#lib/server/audit/append-audit.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { secondsBefore, transactionTime } from "#lib/server/platform/db/database-time.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { type RowOf, readRows, write } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import type { Attributing } from "./append-unasked.ts";
import { type FoundSender, fieldsOfChange, findSenderOfChange } from "./change-sender.ts";

const pageSize = 200;
/** An API server that could not deliver for longer has dropped its events. */
const soughtHours = 24;

// The time of the transaction, since no index serves a condition with a clock that moves.
const hasEnded = secondsBefore(transactionTime, soughtHours * 3600);

/**
 * Takes open changes whose look is due, and sets the next one: after as long as was waited so far, a minute at least and
 * an hour at most. An event of their object makes them due at once. So each change costs some forty looks, however many
 * stay open for ever, and a new one is due before the old ones are again. The index `unasked_change_due` serves it.
 */
const takeDue = tables
  .with("due", (db) =>
    db
      .selectFrom("unasked_change")
      .select("audit_seq")
      .where("state", "=", "open")
      .where("look_at", "<=", transactionTime)
      .where("at", ">", hasEnded)
      .orderBy("look_at")
      .orderBy("audit_seq")
      .limit(pageSize)
      .forUpdate()
      .skipLocked(),
  )
  .updateTable("unasked_change as t")
  .from("due")
  .whereRef("t.audit_seq", "=", "due.audit_seq")
  .set(({ ref }) => ({
    look_at: sql<Date>`${transactionTime} + LEAST(GREATEST(${transactionTime} - ${ref("t.at")}, interval '1 minute'), interval '1 hour')`,
  }))
  .returningAll("t")
  .$narrowType<{ window_from: Date; window_to: Date }>();

type Open = RowOf<typeof takeDue>;

/**
 * Looks for the people behind changes whose entries name nobody, in the audit events that have arrived since. What is
 * found is another entry of the chain, written once: the entry of the change stays as it is. A change is closed without
 * one if no event has named anybody within a day. Resolves with how many were found.
 */
export async function attributeChanges({
  pool,
  attributing,
  onError,
}: {
  pool: Pool;
  attributing: Attributing;
  onError: (error: unknown, auditSeq: string) => void;
}): Promise<{ found: number }> {
  const rows = await readRows(pool, takeDue);
  let found = 0;
  for (const row of rows) {
    try {
      if (await attribute({ pool, row, attributing })) found += 1;
    } catch (error) {
      onError(error, row.audit_seq);
    }
  }
  await write(
    pool,
    tables
      .updateTable("unasked_change")
      .set({ state: "unknown" })
      .where("state", "=", "open")
      // By the index of looks: the next one is due within an hour.
      .where("look_at", "<=", transactionTime)
      .where("at", "<=", hasEnded),
  );
  return { found };
}

async function attribute({
  pool,
  row,
  attributing,
}: {
  pool: Pool;
  row: Open;
  attributing: Attributing;
}): Promise<boolean> {
  const rules = attributing.rulesOf(row.cluster);
  if (rules === undefined) return false;
  const { cluster, namespace, kind, name } = row;
  const found = await findSenderOfChange({
    pool,
    object: { cluster, namespace, kind, name },
    rules,
    now: attributing.now().getTime(),
    change: {
      uid: row.uid ?? undefined,
      client: row.client,
      fields: fieldsOfChange(kind, row.action),
      from: row.window_from.getTime(),
      to: row.window_to.getTime(),
      versionBefore: row.version_before,
      versionAfter: row.version_after,
    },
  });
  if (found !== undefined) return appendAttribution({ pool, row, found });
  await lookOnceSettled({ pool, row, settleSeconds: rules.kubernetesAudit.settleSeconds });
  return false;
}

/** What fits may be certain only then: the next look is not later. */
async function lookOnceSettled({
  pool,
  row,
  settleSeconds,
}: {
  pool: Pool;
  row: Open;
  settleSeconds: number;
}): Promise<void> {
  const settledAt = new Date(row.window_to.getTime() + settleSeconds * 1000);
  await write(
    pool,
    tables
      .updateTable("unasked_change")
      .set({ look_at: settledAt })
      .where("audit_seq", "=", row.audit_seq)
      .where("look_at", ">", settledAt)
      .where(transactionTime, "<", settledAt),
  );
}

/** Appends the entry that names the person, or says that several may be meant. Returns false if it existed already. */
async function appendAttribution({
  pool,
  row,
  found,
}: {
  pool: Pool;
  row: Open;
  found: FoundSender;
}): Promise<boolean> {
  const { cluster, namespace, action, client, audit_seq: auditSeq } = row;
  const target = { cluster, namespace, kind: row.target_kind, name: row.target_name };
  let isNew = true;
  try {
    await appendAudit({
      pool,
      entry: {
        actor: found.person.found
          ? { type: "kubernetes-user", name: found.person.name }
          : { type: "unknown", name: client ?? "client unknown" },
        source: "cluster",
        code: "cluster.attributed",
        action,
        target: { id: formatObjectRef(target), ...target },
        outcome: "applied",
        detail: {
          explains: Number(auditSeq),
          observedAt: row.at.toISOString(),
          client,
          person: found.person,
          ...(row.subject_uid !== "" && {
            subject: { kind: row.kind, uid: row.subject_uid, name: row.subject_name },
          }),
        },
        requestId: `attribution-${auditSeq}`,
      },
      within: async (connection, { seq }) => {
        const { count } = await prismaOn(connection).unaskedChange.updateMany({
          where: { auditSeq: BigInt(auditSeq), state: "open" },
          data: { state: found.state, attributedSeq: seq, auditEventId: found.eventId },
        });
        isNew = count === 1;
        if (!isNew) throw new ServiceError("conflict", "This change was attributed before.");
      },
    });
    return true;
  } catch (error) {
    if (isNew) throw error;
    return false;
  }
}
