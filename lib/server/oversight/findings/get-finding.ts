import type { FindingDetail } from "#lib/contract/finding.ts";
import { findRule } from "#lib/domain/oversight/rule-catalogue.ts";
import { mayAcknowledge } from "#lib/server/oversight/findings/acknowledge.ts";
import type { StoreCall, StoreContext } from "#lib/server/platform/actor/actor.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { allOf } from "#lib/server/platform/db/conditions.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { readRow } from "#lib/server/platform/db/run-query.ts";
import { imagesOf } from "#lib/server/records/release-row.ts";
import { type FindingRow, isReadableFinding, selectFindings, serializeFinding } from "./finding-row.ts";

/** Returns one finding, open or past, with the words of its rule. Throws `not_found`. */
export async function getFinding({ ctx, input }: StoreCall<{ id: string }>): Promise<FindingDetail> {
  return describeFinding(ctx, await findFinding(ctx, input.id));
}

/** Reads a finding that the actor may see. Throws `not_found`. */
export async function findFinding({ runtime, actor }: StoreContext, id: string): Promise<FindingRow> {
  const row = await readRow(
    runtime.pool,
    selectFindings.where((eb) => allOf([eb("f.id", "=", id), isReadableFinding(actor.rights)])),
  );
  if (row === undefined) throw new ServiceError("not_found", `There is no finding ${id}.`);
  return row;
}

export async function describeFinding({ runtime, actor }: StoreContext, row: FindingRow): Promise<FindingDetail> {
  return {
    ...serializeFinding(row),
    explanation: findRule(row.rule)?.explanation ?? "",
    release: await readRelease(runtime, row),
    mayAcknowledge: mayAcknowledge(actor.rights, row),
  };
}

async function readRelease({ pool }: StoreContext["runtime"], row: FindingRow): Promise<FindingDetail["release"]> {
  const { rollout_id: rolloutId, run_key: runKey } = row;
  if (rolloutId === null || runKey === null) return null;
  const release = await prismaOn(pool).release.findFirst({
    where: { rolloutId, runKey },
    orderBy: { attempt: "desc" },
    select: { id: true, revision: true, attempt: true, images: true },
  });
  if (release === null) return null;
  return { ...release, runKey, images: imagesOf(release.images) };
}
