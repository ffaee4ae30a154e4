import { sql } from "kysely";
import {
  type CandidateWrite,
  clockToleranceMs,
  findSender,
  type SenderVerdict,
  type SoughtChange,
} from "#lib/domain/kube-audit/find-sender.ts";
import type { ClusterConfig } from "#lib/server/platform/config/config-schema.ts";
import { type Connection, type RowOf, readRows } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";

/** The object that was changed. */
export type ChangedObject = { cluster: string; namespace: string; kind: string; name: string };
/** The config's rules for a cluster's audit events. */
export type AuditRules = Pick<ClusterConfig, "kubernetesAudit" | "controllers">;

/** More writes of one object than this in one window are not told apart. */
const maxWrites = 500;

function selectWrites({ object, change }: { object: ChangedObject; change: SoughtChange }) {
  const [from, to] = [new Date(change.from - clockToleranceMs), new Date(change.to + clockToleranceMs)];
  return tables
    .selectFrom("kubernetes_audit_event")
    .select(["id", "verb", "uid", "subresource", "version_before", "version_after", "manager", "user_agent"])
    .select(["username", "impersonated_by", "fields", "stage_at"])
    .where("cluster", "=", object.cluster)
    .where("kind", "=", object.kind)
    .where("namespace", "=", object.namespace)
    .where("name", "=", object.name)
    .where((eb) =>
      eb.or([
        eb.and([eb("stage_at", ">=", from), eb("stage_at", "<=", to)]),
        ...(change.versionAfter === null ? [] : [eb("version_after", "=", change.versionAfter)]),
      ]),
    )
    .orderBy(sql`stage_at`, "desc")
    .limit(maxWrites);
}

/** Finds who sent the write that made a change, in the audit events that have arrived. */
export async function findChangeSender(
  connection: Connection,
  { object, change, rules }: { object: ChangedObject; change: SoughtChange; rules: AuditRules },
): Promise<SenderVerdict<CandidateWrite>> {
  const rows = await readRows(connection, selectWrites({ object, change }));
  const verdict = findSender({ change, writes: rows.map(toWrite), controllerManagers: rules.controllers.managers });
  // Older writes were left out, and one of those may fit as well.
  const isCut = rows.length === maxWrites && verdict.kind === "found" && !verdict.isCertain;
  return isCut ? { kind: "ambiguous", senders: 2 } : verdict;
}

function toWrite(row: RowOf<ReturnType<typeof selectWrites>>): CandidateWrite {
  return {
    id: row.id,
    at: row.stage_at.getTime(),
    verb: row.verb,
    uid: row.uid ?? undefined,
    subresource: row.subresource,
    versionBefore: row.version_before ?? undefined,
    versionAfter: row.version_after ?? undefined,
    manager: row.manager,
    userAgent: row.user_agent,
    username: row.username,
    impersonatedBy: row.impersonated_by ?? undefined,
    fields: row.fields ?? undefined,
  };
}
