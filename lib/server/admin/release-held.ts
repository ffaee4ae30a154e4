import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { ReleaseHeldRequest, Source } from "#lib/contract/system.ts";
import { appendAudit } from "#lib/server/audit/append-audit.ts";
import { serializeSource } from "#lib/server/clusters/sources/serialize-source.ts";
import { readSources, type SourceRow } from "#lib/server/clusters/sources/source-freshness.ts";
import { seesCluster } from "#lib/server/people/permission/read-scope.ts";
import { requireAdmin } from "#lib/server/people/permission/require-admin.ts";
import { auditActorOf } from "#lib/server/platform/actor/actor.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { logChange } from "#lib/server/platform/db/log-change.ts";
import { write } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import { toColumn } from "#lib/server/platform/db/to-column.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";

/**
 * Releases a source's held objects on an admin's word. The release is stored together with its audit entry; the
 * recorder then marks the objects that were held at that moment as gone. Throws `not_found` for an unknown source and
 * `not_allowed_now` if nothing is held or a release is already pending.
 */
export async function releaseHeld({ ctx, input }: { ctx: ServiceContext; input: ReleaseHeldRequest }): Promise<Source> {
  const { actor, runtime, requestId } = ctx;
  const row = await readSource(ctx, input.source);
  await requireAdmin(ctx, {
    code: "source.hold-released",
    cluster: row.cluster,
    target: { id: row.id },
    reason: input.reason,
  });
  if (row.hold_id === null) throw nothingHeld(row.id);
  const { cluster, kind, namespace } = row;
  await appendAudit({
    pool: runtime.pool,
    entry: {
      actor: auditActorOf(actor),
      source: "gatehouse",
      code: "source.hold-released",
      target: { id: row.id, cluster, kind, ...(namespace === "" ? {} : { namespace }) },
      reason: input.reason,
      outcome: "applied",
      detail: { holdId: row.hold_id, held: row.hold_reason, objects: row.hold_count ?? 0 },
      requestId,
    },
    within: async (client, { seq }) => {
      // One at a time: the audit chain's lock is held. A hold that ended or was released meanwhile does not match.
      const released = tables
        .selectFrom("source_hold as h")
        .select(({ ref }) => [
          sql<string>`${randomUUID()}::uuid`.as("id"),
          "h.source_id",
          "h.id as hold_id",
          sql<string[]>`ARRAY(SELECT jsonb_object_keys(${ref("h.objects")}))`.as("uids"),
          sql<string>`${toColumn(input.reason)}::text`.as("reason"),
          sql<string>`${seq}::bigint`.as("audit_seq"),
        ])
        .where("h.source_id", "=", row.id)
        .where("h.id", "=", row.hold_id)
        .where(({ exists, not, selectFrom }) =>
          not(
            exists(
              selectFrom("source_release as x")
                .select("x.id")
                .whereRef("x.hold_id", "=", "h.id")
                .where("x.done_at", "is", null),
            ),
          ),
        );
      const count = await write(
        client,
        tables
          .insertInto("source_release")
          .columns(["id", "source_id", "hold_id", "uids", "reason", "audit_seq"])
          .expression(released),
      );
      if (count !== 1) throw nothingHeld(row.id);
      await logChange(client, { kind: "source", ref: row.id, cluster, namespace, object_kind: null, name: null });
    },
  });
  return serializeSource(await readSource(ctx, input.source), runtime.config().config.clusters);
}

async function readSource({ runtime, actor }: ServiceContext, id: string): Promise<SourceRow> {
  const row = (await readSources(runtime)).find((source) => source.id === id);
  if (row === undefined || !seesCluster(actor.rights, row.cluster))
    throw new ServiceError("not_found", `There is no source ${id}.`);
  return row;
}

function nothingHeld(id: string): ServiceError {
  return new ServiceError("not_allowed_now", `Source ${id} holds nothing that could be released.`);
}
