import { randomUUID } from "node:crypto";
import type { ReleaseHeldRequest, Source } from "#lib/contract/system.ts";
import { appendChange } from "#lib/server/audit/append-audit.ts";
import { serializeSource } from "#lib/server/clusters/sources/serialize-source.ts";
import { readSources, type SourceRow } from "#lib/server/clusters/sources/source-freshness.ts";
import { seesCluster } from "#lib/server/people/permission/read-scope.ts";
import { requireAdmin } from "#lib/server/people/permission/require-admin.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { logChange } from "#lib/server/platform/db/log-change.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { toColumn } from "#lib/server/platform/db/tables.ts";
import type { Call, ServiceContext } from "#lib/server/process/service-context.ts";

/**
 * Releases a source's held objects on an admin's word. The release is stored together with its audit entry; the
 * recorder then marks the objects that were held at that moment as gone. Throws `not_found` for an unknown source and
 * `not_allowed_now` if nothing is held or a release is already pending.
 */
export async function releaseHeld({ ctx, input }: Call<ReleaseHeldRequest>): Promise<Source> {
  const { runtime } = ctx;
  const row = await readSource(ctx, input.source);
  await requireAdmin(ctx, {
    code: "source.hold-released",
    cluster: row.cluster,
    target: { id: row.id },
    reason: input.reason,
  });
  const holdId = row.hold_id;
  if (holdId === null) throw nothingHeld(row.id);
  const { cluster, kind, namespace } = row;
  await appendChange(ctx, {
    code: "source.hold-released",
    target: { id: row.id, cluster, kind, ...(namespace === "" ? {} : { namespace }) },
    reason: input.reason,
    detail: { holdId, held: row.hold_reason, objects: row.hold_count ?? 0 },
    within: async (client, { seq }) => {
      // One at a time: the audit chain's lock is held. A hold that ended or was released meanwhile does not match.
      const prisma = prismaOn(client);
      const hold = await prisma.sourceHold.findFirst({
        where: { sourceId: row.id, id: holdId },
        select: { objects: true },
      });
      const pending = await prisma.sourceRelease.count({ where: { holdId, doneAt: null } });
      if (hold === null || pending > 0) throw nothingHeld(row.id);
      await prisma.sourceRelease.createMany({
        data: {
          id: randomUUID(),
          sourceId: row.id,
          holdId,
          uids: Object.keys(hold.objects),
          reason: toColumn(input.reason),
          auditSeq: BigInt(seq),
        },
      });
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
