import {
  type CandidateWrite,
  clockToleranceMs,
  findSender,
  type SenderVerdict,
  type SoughtChange,
} from "#lib/domain/kube-audit/find-sender.ts";
import type { ClusterConfig } from "#lib/server/platform/config/cluster-schema.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import type { Connection } from "#lib/server/platform/db/run-query.ts";

/** The object that was changed. */
export type ChangedObject = { cluster: string; namespace: string; kind: string; name: string };
/** The config's rules for a cluster's audit events. */
export type AuditRules = Pick<ClusterConfig, "kubernetesAudit" | "controllers">;

/** More writes of one object than this in one window are not told apart. */
const maxWrites = 500;

const writeFields = {
  id: true,
  verb: true,
  uid: true,
  subresource: true,
  versionBefore: true,
  versionAfter: true,
  manager: true,
  userAgent: true,
  username: true,
  impersonatedBy: true,
  fields: true,
  stageAt: true,
} as const;

function readWrites(connection: Connection, object: ChangedObject, change: SoughtChange) {
  const gte = new Date(change.from - clockToleranceMs);
  const lte = new Date(change.to + clockToleranceMs);
  const { cluster, kind, namespace, name } = object;
  return prismaOn(connection).kubernetesAuditEvent.findMany({
    where: {
      ...{ cluster, kind, namespace, name },
      OR: [{ stageAt: { gte, lte } }, ...(change.versionAfter === null ? [] : [{ versionAfter: change.versionAfter }])],
    },
    select: writeFields,
    orderBy: { stageAt: "desc" },
    take: maxWrites,
  });
}

/** Finds who sent the write that made a change, in the audit events that have arrived. */
export async function findChangeSender(
  connection: Connection,
  { object, change, rules }: { object: ChangedObject; change: SoughtChange; rules: AuditRules },
): Promise<SenderVerdict<CandidateWrite>> {
  const rows = await readWrites(connection, object, change);
  const verdict = findSender({ change, writes: rows.map(toWrite), controllerManagers: rules.controllers.managers });
  // Older writes were left out, and one of those may fit as well.
  const isCut = rows.length === maxWrites && verdict.kind === "found" && !verdict.isCertain;
  return isCut ? { kind: "ambiguous", senders: 2 } : verdict;
}

function toWrite(row: Awaited<ReturnType<typeof readWrites>>[number]): CandidateWrite {
  return {
    id: String(row.id),
    at: row.stageAt.getTime(),
    verb: row.verb,
    uid: row.uid ?? undefined,
    subresource: row.subresource,
    versionBefore: row.versionBefore ?? undefined,
    versionAfter: row.versionAfter ?? undefined,
    manager: row.manager,
    userAgent: row.userAgent,
    username: row.username,
    impersonatedBy: row.impersonatedBy ?? undefined,
    fields: row.fields ?? undefined,
  };
}
