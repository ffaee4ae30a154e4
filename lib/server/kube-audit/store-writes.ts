import type { PoolClient } from "pg";
import { believePerson, type EventRules, type ObjectWrite } from "#lib/domain/kube-audit/judge-event.ts";
import { writeKey } from "#lib/domain/kube-audit/judge-event-list.ts";
import { readOwnAccounts } from "#lib/server/acting/permission/own-accounts.ts";
import type { ClusterConfig } from "#lib/server/platform/config/cluster-schema.ts";
import { type InsertedRow, prepareInsert } from "#lib/server/platform/db/prepare-insert.ts";
import { findOwnWrites } from "./find-own-writes.ts";
import { lookAgain } from "./look-again.ts";

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
