import type { PoolClient } from "pg";
import { type EventRules, judgeEvent, type ObjectWrite } from "#lib/domain/kube-audit/judge-event.ts";
import type { ClusterConfig } from "#lib/server/config/config-schema.ts";
import { type InsertedRow, prepareInsert } from "#lib/server/db/prepare-insert.ts";
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

export type JudgedEvents = { writes: ObjectWrite[]; unreadable: number };

/** Returns what is kept of a cluster's audit events: each write once. */
export function judgeEvents({
  items,
  cluster,
  namespaces,
}: {
  items: readonly unknown[];
  cluster: Pick<ClusterConfig, "kubernetesAudit" | "controllers">;
  /** Patterns of the namespaces whose events are kept. */
  namespaces: readonly string[];
}): JudgedEvents {
  const { sourceAddresses, groups } = cluster.kubernetesAudit;
  const rules: EventRules = { controllerManagers: cluster.controllers.managers, namespaces, sourceAddresses, groups };
  const writes = new Map<string, ObjectWrite>();
  let unreadable = 0;
  for (const item of items) {
    const verdict = judgeEvent(item, rules);
    if (verdict.keep) writes.set(keyOf(verdict.write), verdict.write);
    else if (verdict.why === "unreadable") unreadable += 1;
  }
  return { writes: [...writes.values()], unreadable };
}

/** `own`: what Gatehouse wrote itself, which has entries of its own and is not stored. */
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
  const others = writes.filter((write) => !own.has(write)).sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const stored = await insert(
    tx,
    others.map((write) => toRow(cluster, write)),
  );
  await lookAgain(tx, { cluster, writes: stored });
  return { stored: stored.length, own: own.size };
}

/** The audit id alone does not do: clients may choose it, and use one for several requests. */
function keyOf({ auditId, stageAt }: ObjectWrite): string {
  return `${auditId} ${stageAt}`;
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
