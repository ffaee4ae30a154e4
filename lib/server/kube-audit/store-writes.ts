import { sql } from "kysely";
import type { PoolClient } from "pg";
import { z } from "zod";
import { ownManager } from "#lib/domain/acting/own-identity.ts";
import { clockToleranceMs } from "#lib/domain/kube-audit/find-sender.ts";
import { believePerson, type EventRules, type ObjectWrite } from "#lib/domain/kube-audit/judge-event.ts";
import { writeKey } from "#lib/domain/kube-audit/judge-event-list.ts";
import { readOwnAccounts } from "#lib/server/acting/permission/own-accounts.ts";
import type { ClusterConfig } from "#lib/server/platform/config/cluster-schema.ts";
import { isOneOf } from "#lib/server/platform/db/conditions.ts";
import { clockTime, secondsAfter, secondsBefore } from "#lib/server/platform/db/database-time.ts";
import { type InsertedRow, prepareInsert } from "#lib/server/platform/db/prepare-insert.ts";
import { readRows, write } from "#lib/server/platform/db/run-query.ts";
import { listed, tables } from "#lib/server/platform/db/tables.ts";

const insert = prepareInsert({
  table: "kubernetes_audit_event",
  columns: {
    cluster: "text",
    audit_id: "text",
    stage_at: "timestamptz",
    verb: "text",
    kind: "text",
    namespace: "text",
    name: "text",
    uid: "text",
    subresource: "text",
    version_before: "text",
    version_after: "text",
    manager: "text",
    user_agent: "text",
    username: "text",
    user_groups: "jsonb",
    impersonated_by: "text",
    source_ips: "jsonb",
    fields: "jsonb",
  },
  conflict: { key: ["cluster", "audit_id", "stage_at"] },
  returning: ["kind", "namespace", "name", "version_after", "stage_at"],
});

/** Returns a cluster's rules for the audit events to keep. */
export function eventRulesOf({
  kubernetesAudit: { sourceAddresses, groups },
  controllers,
  namespaces,
}: Pick<ClusterConfig, "kubernetesAudit" | "controllers"> & {
  /** Patterns of the namespaces whose events are kept. */
  namespaces: readonly string[];
}): EventRules {
  return { controllerManagers: controllers.managers, namespaces, sourceAddresses, groups };
}

/** `own`: writes by Gatehouse itself, which have entries of their own and are not stored. */
export type StoredWrites = { stored: number; own: number };

/**
 * Stores writes, each once: one that was delivered before stays as it is. Open changes of the same objects are looked at
 * again.
 */
export async function storeWrites(
  tx: PoolClient,
  cluster: string,
  writes: readonly ObjectWrite[],
): Promise<StoredWrites> {
  if (writes.length === 0) return { stored: 0, own: 0 };
  const own = await findOwnWrites(tx, cluster, writes);
  // In one order, so that two processes that store the same ones cannot deadlock.
  const others = writes.filter((write) => !own.has(write)).sort((a, b) => (writeKey(a) < writeKey(b) ? -1 : 1));
  const namesPerson = others.some(({ namedPerson }) => namedPerson !== undefined);
  const ownAccounts = namesPerson ? await readOwnAccounts(tx, [cluster]) : [];
  const ownNames = ownAccounts.map(({ username }) => username);
  const stored = await insert(
    tx,
    others.map((write) => toRow(cluster, believePerson(write, ownNames))),
  );
  await lookAgain(tx, { cluster, writes: stored });
  return { stored: stored.length, own: own.size };
}

function toRow(cluster: string, write: ObjectWrite): InsertedRow<typeof insert> {
  return {
    cluster,
    audit_id: write.auditId,
    stage_at: write.stageAt,
    verb: write.verb,
    kind: write.kind,
    namespace: write.namespace,
    name: write.name,
    uid: write.uid ?? null,
    subresource: write.subresource,
    version_before: write.versionBefore ?? null,
    version_after: write.versionAfter ?? null,
    manager: write.manager,
    user_agent: write.userAgent,
    username: write.username,
    user_groups: JSON.stringify(write.groups),
    impersonated_by: write.impersonatedBy ?? null,
    source_ips: JSON.stringify(write.sourceAddresses),
    fields: write.fields === undefined ? null : JSON.stringify(write.fields),
  };
}

/**
 * An action sends its requests well within this time, and clocks differ. Later, a client that has read the audit id in
 * an API server's log may use it too.
 */
const sentWithinMs = 5 * 60_000;
const Uuid = z.uuid();

/**
 * Finds the writes that Gatehouse sent itself: their audit id is one that an action chose before it sent anything.
 * Field manager, user agent and user prove nothing: any client may choose the first two, and others may use the
 * account.
 */
async function findOwnWrites(
  tx: PoolClient,
  cluster: string,
  writes: readonly ObjectWrite[],
): Promise<Set<ObjectWrite>> {
  const claimed = writes.filter(({ manager, auditId }) => manager === ownManager && Uuid.safeParse(auditId).success);
  if (claimed.length === 0) return new Set();
  const ids = claimed.map(({ auditId }) => auditId);
  const actions = await readRows(
    tx,
    tables
      .selectFrom("action")
      .select(["audit_id", "namespace", "requested_at"])
      .where("cluster", "=", cluster)
      .where(({ ref }) => isOneOf(ref("audit_id"), ids, "uuid")),
  );
  const actionOf = new Map(actions.map((action) => [action.audit_id, action]));
  return new Set(
    claimed.filter(({ auditId, namespace, stageAt }) => {
      const action = actionOf.get(auditId.toLowerCase());
      if (action === undefined || action.namespace !== namespace) return false;
      return Math.abs(Date.parse(stageAt) - action.requested_at.getTime()) <= sentWithinMs;
    }),
  );
}

type NewWrite = { kind: string; namespace: string; name: string; version_after: string | null; stage_at: Date };

const writeTypes = {
  kind: "text",
  namespace: "text",
  name: "text",
  version_after: "text",
  stage_at: "timestamptz",
} as const;

const toleranceSeconds = clockToleranceMs / 1000;

/**
 * Makes open changes due whose object was written by one of these writes, if it may have made them. An entry that is
 * being written meanwhile does not have it yet: its first looks follow soon anyway.
 */
async function lookAgain(
  tx: PoolClient,
  { cluster, writes }: { cluster: string; writes: readonly NewWrite[] },
): Promise<void> {
  if (writes.length === 0) return;
  const affected = tables
    .selectFrom("unasked_change as t")
    .innerJoin(listed("w", writes, writeTypes), (join) =>
      join.onRef("w.kind", "=", "t.kind").onRef("w.namespace", "=", "t.namespace").onRef("w.name", "=", "t.name"),
    )
    .select("t.audit_seq")
    .where("t.cluster", "=", cluster)
    .where("t.state", "=", "open")
    .where(({ between, eb, or, ref }) =>
      or([
        eb("w.version_after", "=", ref("t.version_after")),
        between(
          "w.stage_at",
          secondsBefore(ref("t.window_from"), toleranceSeconds),
          secondsAfter(ref("t.window_to"), toleranceSeconds),
        ),
      ]),
    )
    // In one order, so that two processes cannot deadlock.
    .orderBy("t.audit_seq")
    .forUpdate("t");
  const due = await write(
    tx,
    tables
      .updateTable("unasked_change")
      .set({ look_at: clockTime })
      .where("audit_seq", "in", ({ selectFrom }) => selectFrom(affected.as("a")).select("a.audit_seq")),
  );
  // Wakes the recorder, which looks for the people behind them.
  if (due > 0) await write(tx, sql`SELECT pg_notify('gatehouse_change', '')`);
}
