import type { Pool } from "pg";
import { formatObjectRef } from "#lib/domain/delivery/object-ref.ts";
import type { SoughtChange } from "#lib/domain/kube-audit/find-sender.ts";
import { appendAudit } from "#lib/server/audit/append-audit.ts";
import type { AuditRules, ChangedObject } from "#lib/server/kube-audit/find-change-sender.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { toColumn } from "#lib/server/platform/db/tables.ts";
import { type FoundSender, fieldsOfChange, findSenderOfChange } from "./change-sender.ts";

/** In `unasked_change`: the controller skipped a gate. The timeline takes it from the observations. */
export const gateAction = "skip-gate";

/** A change in the cluster that was made without Gatehouse. */
export type Unasked = {
  rolloutId: string;
  /** The rollout; if no rollout owns the object, its owner or itself. */
  target: { cluster: string; namespace: string; kind: string; name: string };
  action: string;
  /** The field manager; null if the evidence names none. */
  client: string | null;
  /** When it was observed, by the recorder's clock. */
  at: Date;
  /** The observation that shows it; absent if the evidence is not an observation of the rollout. */
  observationId?: string;
  /** The run or Experiment that was changed. */
  subject?: { kind: string; uid: string; name: string };
  detail?: Record<string, unknown>;
  requestId: string;
  /** When and from which version it was written; absent for changes that no person made. */
  written?: WrittenChange;
  /** For changes that no person made: the entry's code, and who made them. Otherwise the code is the action's. */
  code?: string;
  actor?: string;
};

/** The write of a change, as far as it was observed. Times in milliseconds since 1970. */
export type WrittenChange = Pick<SoughtChange, "from" | "to" | "versionBefore" | "versionAfter"> & {
  object: ChangedObject;
  uid: string | undefined;
};

/** The inputs for naming the person behind a change. `rulesOf` is undefined for a cluster that left the config. */
export type Attributing = { rulesOf(cluster: string): AuditRules | undefined; now(): Date };

type Appending = { pool: Pool; change: Unasked; attributing: Attributing | undefined };

/** Appends its audit entry of source `cluster`. Returns false if the entry already existed. */
export async function appendUnasked(appending: Appending): Promise<boolean> {
  const { pool, change } = appending;
  const found = await findWriter(appending);
  const { rolloutId, client, action, observationId = "0", subject, requestId, code } = change;
  const { cluster, namespace, kind, name } = change.target;
  const at = change.at.toISOString();
  let isNew = true;
  try {
    await appendAudit({
      pool,
      entry: {
        actor: found?.person.found
          ? { type: "kubernetes-user", name: found.person.name }
          : { type: "unknown", name: change.actor ?? client ?? "client unknown" },
        source: "cluster",
        code: code ?? `cluster.${action}`,
        ...(code === undefined && { action }),
        target: { id: formatObjectRef(change.target), cluster, namespace, kind, name },
        outcome: "applied",
        detail: {
          observedAt: at,
          ...(code === undefined && { client }),
          ...(found !== undefined && { person: found.person }),
          ...change.detail,
          ...(subject === undefined ? {} : { subject }),
        },
        requestId,
      },
      within: async (connection, { seq }) => {
        const { count } = await prismaOn(connection).unaskedChange.createMany({
          data: {
            ...{ rolloutId, observationId: BigInt(observationId), action, at: change.at, auditSeq: seq },
            client: toColumn(client ?? undefined),
            subjectUid: subject?.uid ?? "",
            subjectName: toColumn(subject?.name),
            ...{ targetKind: kind, targetName: name },
            ...(change.written?.object ?? { cluster, namespace, kind, name }),
            ...(change.written !== undefined && toAttribution(change.written, found, seq)),
          },
          skipDuplicates: true,
        });
        isNew = count === 1;
        if (!isNew) throw new ServiceError("conflict", "This change was written before.");
      },
    });
    return true;
  } catch (error) {
    if (isNew) throw error;
    return false;
  }
}

async function findWriter({ pool, change, attributing }: Appending): Promise<FoundSender | undefined> {
  const { written, client, action } = change;
  const rules = attributing?.rulesOf(change.target.cluster);
  if (written === undefined || attributing === undefined || rules === undefined) return undefined;
  const { object, ...sought } = written;
  const fields = fieldsOfChange(object.kind, action);
  return findSenderOfChange({
    ...{ pool, object, rules, now: attributing.now().getTime() },
    change: { ...sought, client, fields },
  });
}

/** Returns the columns of a change that a person made: it is open until an audit event names that person. */
function toAttribution(
  { uid, from, to, versionBefore, versionAfter }: WrittenChange,
  found: FoundSender | undefined,
  seq: number,
) {
  return {
    ...{ uid: uid ?? null, versionBefore, versionAfter, windowFrom: new Date(from), windowTo: new Date(to) },
    ...(found === undefined
      ? { state: "open" as const }
      : { state: found.state, attributedSeq: seq, auditEventId: found.eventId }),
  };
}
