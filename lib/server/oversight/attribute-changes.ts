import { sql } from "kysely";
import type { Pool } from "pg";
import { formatObjectRef } from "#lib/domain/delivery/object-ref.ts";
import { clockToleranceMs } from "#lib/domain/kube-audit/find-sender.ts";
import { ServiceError } from "#lib/server/actor/service-error.ts";
import { appendAudit } from "#lib/server/audit/append-audit.ts";
import { clockTime } from "#lib/server/db/database-time.ts";
import { type RowOf, readRows, write } from "#lib/server/db/run-query.ts";
import { tables } from "#lib/server/db/tables.ts";
import type { Attributing } from "./append-unasked.ts";
import { type FoundSender, fieldsOfChange, findSenderOfChange } from "./change-sender.ts";

const pageSize = 200;
/** An API server that could not deliver for longer has dropped its events. */
const soughtHours = 24;

const tolerance = sql<string>`make_interval(secs => ${clockToleranceMs / 1000})`;

/** Selects changes of nobody yet, if an event of their object has arrived that may name somebody. */
const selectOpen = tables
  .selectFrom("change_attribution as t")
  .innerJoin("unasked_change as u", "u.audit_seq", "t.audit_seq")
  .selectAll("t")
  .select(["u.subject_uid", "u.subject_name"])
  .where("t.state", "=", "open")
  .where("t.observed_at", ">", sql<Date>`${clockTime} - make_interval(hours => ${soughtHours})`)
  .where((eb) =>
    eb.exists(
      eb
        .selectFrom("kubernetes_audit_event as e")
        .select("e.id")
        .whereRef("e.cluster", "=", "t.cluster")
        .whereRef("e.kind", "=", "t.kind")
        .whereRef("e.namespace", "=", "t.namespace")
        .whereRef("e.name", "=", "t.name")
        .where((or) =>
          or.or([
            or("e.version_after", "=", or.ref("t.version_after")),
            or.between(
              "e.stage_at",
              sql<Date>`${or.ref("t.window_from")} - ${tolerance}`,
              sql<Date>`${or.ref("t.window_to")} + ${tolerance}`,
            ),
          ]),
        ),
    ),
  )
  .orderBy("t.audit_seq")
  .limit(pageSize);

type Open = RowOf<typeof selectOpen>;

/**
 * Looks for the people behind changes whose entries name nobody, in the audit events that have arrived since. What is
 * found is another entry of the chain, written once: the entry of the change stays as it is. Resolves with how many were
 * found.
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
  const rows = await readRows(pool, selectOpen);
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
      .updateTable("change_attribution")
      .set({ state: "unknown" })
      .where("state", "=", "open")
      .where("observed_at", "<=", sql<Date>`${clockTime} - make_interval(hours => ${soughtHours})`),
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
  return found === undefined ? false : appendAttribution({ pool, row, found });
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
          observedAt: row.observed_at.toISOString(),
          client,
          person: found.person,
          ...(row.subject_uid !== "" && {
            subject: { kind: row.kind, uid: row.subject_uid, name: row.subject_name },
          }),
        },
        requestId: `attribution-${auditSeq}`,
      },
      within: async (connection, { seq }) => {
        const decided = await write(
          connection,
          tables
            .updateTable("change_attribution")
            .set({ state: found.state, attributed_seq: String(seq), audit_event_id: found.eventId })
            .where("audit_seq", "=", auditSeq)
            .where("state", "=", "open"),
        );
        isNew = decided === 1;
        if (!isNew) throw new ServiceError("conflict", "This change was attributed before.");
      },
    });
    return true;
  } catch (error) {
    if (isNew) throw error;
    return false;
  }
}
