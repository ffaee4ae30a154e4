import type { DeliveryObject } from "#lib/domain/delivery/provider.ts";
import { providerOfKind } from "#lib/domain/providers.ts";
import { joinObject } from "#lib/domain/storable/split-object.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import type { Connection } from "#lib/server/platform/db/run-query.ts";
import { readSetTemplates } from "#lib/server/recording/history/read-pod-templates.ts";
import { isOfRelease } from "#lib/server/recording/history/release-observations.ts";
import type { ReleaseRow } from "#lib/server/records/release-row.ts";

export type RecordedMoment = {
  observedAt: Date;
  observation: {
    observedAt: string;
    resourceVersion: string;
    writer: string | null;
    provider: string;
    projection: unknown;
  };
  /** The rollout as it was; undefined if it was not recorded, or can no longer be read. */
  object: DeliveryObject | undefined;
  /** The pod template of its revision was known, and a workload beside the rollout had it. */
  hasWorkloadTemplate: boolean;
};

/** Reads the rollout as it was at a moment of a release: its newest observation until then, or the first one. */
export async function readRecordedMoment(
  pool: Connection,
  release: Pick<ReleaseRow, "rollout_id" | "run_key" | "started_at" | "ended_at" | "kind">,
  at: Date,
): Promise<RecordedMoment | undefined> {
  const prisma = prismaOn(pool);
  const where = isOfRelease(release);
  const include = { spec: true };
  const found =
    (await prisma.observation.findFirst({
      where: { AND: [where, { observedAt: { lte: at } }] },
      orderBy: { id: "desc" },
      include,
    })) ?? (await prisma.observation.findFirst({ where, orderBy: { id: "asc" }, include }));
  if (found === null) return undefined;
  const { observedAt, resourceVersion, writer, provider, projection, object, spec } = found;
  const seen = {
    observedAt,
    observation: { observedAt: observedAt.toISOString(), resourceVersion, writer, provider, projection },
    hasWorkloadTemplate: found.templateDigest !== null,
  };
  if (object === null || spec === null) return { ...seen, object: undefined };
  const templates = await readSetTemplates(pool, release.rollout_id, [release.run_key]);
  const joined = joinObject({ frame: object, spec: spec.content }, templates.get(release.run_key));
  const parsed = providerOfKind(release.kind).parse(joined);
  return { ...seen, object: parsed.ok ? parsed.value : undefined };
}
