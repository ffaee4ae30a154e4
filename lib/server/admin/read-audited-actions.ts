import { parseEntryText } from "#lib/domain/audit/audit-entry.ts";
import { readAuditedAction, readRecordedRefusal } from "#lib/domain/audit/audited-action.ts";
import { policyProblems } from "#lib/domain/policy/observe-policies.ts";
import type { AuditedAction } from "#lib/domain/policy/replay-policies.ts";
import { robotIssuer } from "#lib/server/people/auth/derive-rights.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { type Connection, readRows } from "#lib/server/platform/db/run-query.ts";
import { mapInSlices } from "#lib/server/platform/db/slices.ts";
import { tables } from "#lib/server/platform/db/tables.ts";

/** More entries are not looked at: the log has no index by time. */
export const mostEntries = 50_000;
/** More actions and refusals are not read: each brings its text. */
const mostActions = 5000;

export type AuditedRefusal = NonNullable<ReturnType<typeof readRecordedRefusal>>;

type AuditedActions = {
  /** Those that were let through, newest first. */
  actions: AuditedAction[];
  /** Those that a policy refused, newest first. */
  refusals: AuditedRefusal[];
  /** False if the log has more since then. */
  complete: boolean;
};

/** Reads the actions since a time that were let through, and those that a policy refused. */
export async function readAuditedActions(connection: Connection, since: Date): Promise<AuditedActions> {
  const newest = tables
    .selectFrom("audit_entry as a")
    .select(["a.seq", "a.time", "a.outcome", "a.action", "a.source", "a.entry"])
    .orderBy("a.seq", "desc")
    .limit(mostEntries);
  const rows = await readRows(
    connection,
    tables
      .with("newest", () => newest)
      .selectFrom("newest as n")
      .where("n.time", ">=", since)
      .where("n.source", "=", "gatehouse")
      .where("n.action", "is not", null)
      .where((eb) =>
        eb.or([
          eb("n.outcome", "=", "intent"),
          eb.and([eb("n.outcome", "=", "refused"), eb("n.entry", "~", `"problem":"(${policyProblems.join("|")})"`)]),
        ]),
      )
      .select(["n.outcome", "n.entry"])
      .orderBy("n.seq", "desc")
      .limit(mostActions + 1),
  );
  const reaches = await reachesBack(connection, since);
  const read = await mapInSlices(rows.slice(0, mostActions), ({ outcome, entry: text }) => {
    const entry = parseEntryText(text);
    if (entry === undefined) return {};
    return outcome === "intent"
      ? { action: readAuditedAction(entry, robotIssuer) }
      : { refusal: readRecordedRefusal(entry, robotIssuer) };
  });
  return {
    actions: read.flatMap(({ action }) => action ?? []),
    refusals: read.flatMap(({ refusal }) => refusal ?? []),
    complete: reaches && rows.length <= mostActions,
  };
}

/** Returns whether the entries that are looked at reach back to a time. */
export async function reachesBack(connection: Connection, since: Date): Promise<boolean> {
  const edge = await prismaOn(connection).auditEntry.findFirst({
    select: { time: true },
    orderBy: { seq: "desc" },
    skip: mostEntries,
  });
  return edge === null || edge.time < since;
}
