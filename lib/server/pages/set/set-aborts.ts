import type { SetAbort, SetAborts } from "#lib/contract/version-set.ts";
import { describePartAborted, findPartAborted, nameVersions } from "#lib/domain/acting/abort-together.ts";
import { imagesOfRelease, type MemberSet } from "#lib/domain/acting/barrier.ts";
import { mostMembers } from "#lib/domain/acting/group-actions.ts";
import { isInScope, mayRead } from "#lib/domain/policy/rights.ts";
import { offersAbort, type RecordedMember, readMembersAtAborts } from "#lib/server/acting/permission/read-barriers.ts";
import { isOneOf } from "#lib/server/platform/db/conditions.ts";
import { readRows } from "#lib/server/platform/db/run-query.ts";
import { fragment } from "#lib/server/platform/db/tables.ts";
import type { Call, ServiceContext } from "#lib/server/process/service-context.ts";
import { selectRollouts, serializeRollout } from "#lib/server/records/rollout-row.ts";

const { ref } = fragment<{ r: "rollout" }>();

/**
 * Returns the versions that were aborted in some members of a set with `onAbort` while others still receive them: the
 * proposals to abort those too. Computed from the recorded states, so that each ends by itself.
 */
export async function getSetAborts({ ctx }: Call<unknown>): Promise<SetAborts> {
  const sets: MemberSet[] = ctx.runtime.config().config.sets.filter(({ onAbort }) => onAbort !== undefined);
  if (sets.length === 0) return { items: [] };
  const members = await readMembersAtAborts(ctx.runtime.pool, sets);
  const found = sets.flatMap((set) => findIn(ctx, set, members));
  const ids = [...new Set(found.flatMap(({ ids }) => ids))];
  if (ids.length === 0) return { items: [] };
  const rows = await readRows(ctx.runtime.pool, selectRollouts.where(isOneOf(ref("r.id"), ids, "uuid")));
  const rollouts = new Map(rows.map((row) => [row.id, serializeRollout(row, ctx.runtime)]));
  return {
    items: found.map(({ ids, ...item }) => ({ ...item, rollouts: ids.flatMap((id) => rollouts.get(id) ?? []) })),
  };
}

type Found = Omit<SetAbort, "rollouts"> & { ids: string[] };

function findIn({ actor }: ServiceContext, set: MemberSet, members: readonly RecordedMember[]): Found[] {
  const own = members.filter(({ member }) => isInScope(set, member.place));
  const isSeen = ({ member }: RecordedMember) => mayRead(actor.rights, member.place);
  return findPartAborted(own).flatMap(({ aborted, underWay }) => {
    const goOn = underWay.filter(isSeen);
    const seen = goOn.filter(offersAbort);
    const named = aborted.filter(isSeen);
    // Another service of the set may have the version in an image that the reader may not know of.
    const [shown] = [...named, ...seen];
    if (shown === undefined || seen.length === 0) return [];
    const images = imagesOfRelease(shown.member);
    const because = describePartAborted({
      ...{ set: set.name, images, aborted: named.map(({ member }) => member.place) },
      ...{ hidden: aborted.length - named.length, underWay: goOn.length },
    });
    const ids = seen.slice(0, mostMembers).map(({ id }) => id);
    return { set: set.name, images: [...images], version: nameVersions(images), because, ids };
  });
}
