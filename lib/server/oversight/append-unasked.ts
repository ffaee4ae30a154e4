import type { Pool } from "pg";
import { formatObjectRef } from "#lib/domain/delivery/object-ref.ts";
import { ServiceError } from "#lib/server/actor/service-error.ts";
import { appendAudit } from "#lib/server/audit/append-audit.ts";
import { toColumn } from "#lib/server/audit/to-column.ts";
import { write } from "#lib/server/db/run-query.ts";
import { tables } from "#lib/server/db/tables.ts";

/** In `unasked_change`: the controller skipped a gate. The timeline takes it from the observations. */
export const gateAction = "skip-gate";

/** What somebody did in the cluster without Gatehouse. */
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
  /** For changes that no person made: the entry's code, and who made them. Otherwise the code is the action's. */
  code?: string;
  actor?: string;
};

/** Appends its audit entry of source `cluster`. Returns false if the entry already existed. */
export async function appendUnasked({ pool, change }: { pool: Pool; change: Unasked }): Promise<boolean> {
  const { rolloutId, client, action, observationId = "0", subject, requestId, code } = change;
  const { cluster, namespace, kind, name } = change.target;
  const at = change.at.toISOString();
  let isNew = true;
  try {
    await appendAudit({
      pool,
      entry: {
        actor: { type: "unknown", name: change.actor ?? client ?? "client unknown" },
        source: "cluster",
        code: code ?? `cluster.${action}`,
        ...(code === undefined && { action }),
        target: { id: formatObjectRef(change.target), cluster, namespace, kind, name },
        outcome: "applied",
        detail: {
          observedAt: at,
          ...(code === undefined && { client }),
          ...change.detail,
          ...(subject === undefined ? {} : { subject }),
        },
        requestId,
      },
      within: async (connection, { seq }) => {
        const written = await write(
          connection,
          tables
            .insertInto("unasked_change")
            .values({
              ...{ rollout_id: rolloutId, observation_id: observationId, action, at, audit_seq: String(seq) },
              client: toColumn(client ?? undefined),
              subject_uid: subject?.uid ?? "",
              subject_name: toColumn(subject?.name),
            })
            .onConflict((conflict) => conflict.doNothing()),
        );
        isNew = written === 1;
        if (!isNew) throw new ServiceError("conflict", "This change was written before.");
      },
    });
    return true;
  } catch (error) {
    if (isNew) throw error;
    return false;
  }
}
