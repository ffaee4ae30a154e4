import type { Pool } from "pg";
import { listHeldBack, type MemberSet } from "#lib/domain/acting/barrier.ts";
import { isInScope } from "#lib/domain/policy/rights.ts";
import type { RecordedMember } from "#lib/server/acting/permission/read-barriers.ts";
import { logRolloutChanges } from "#lib/server/platform/db/log-change.ts";

/** Ids of the members that each set held back at the last look, by its name. Kept only in the process. */
export type HeldBackPlace = { bySet: ReadonlyMap<string, ReadonlySet<string>> };

/** A statement has at most 65,535 values: seven for each member. */
const mostAtOnce = 5000;

/**
 * Tells open pages of the members that a set has begun or ceased to hold back since the last look: what changed was
 * another member. Those in `changed` have told of themselves.
 */
export async function publishHeldBack({
  pool,
  place,
  all,
  sets,
  members,
  changed,
}: {
  pool: Pool;
  place: HeldBackPlace;
  all: readonly MemberSet[];
  /** Those that were read; the others stay as they were. */
  sets: readonly MemberSet[];
  /** At least those of these sets. */
  members: readonly RecordedMember[];
  changed: readonly { id: string }[];
}): Promise<void> {
  const own = new Set(changed.map(({ id }) => id));
  const news = new Map<string, RecordedMember>();
  const names = new Set(all.map(({ name }) => name));
  const bySet = new Map([...place.bySet].filter(([name]) => names.has(name)));
  for (const set of sets) {
    const inSet = members.filter(({ member }) => isInScope(set, member.place));
    const before = place.bySet.get(set.name);
    const heldBack = new Set(listHeldBack(inSet.map(({ member }) => member)));
    // While its state is not known, it stays as it was.
    const now = inSet.filter(({ id, member }) => (member.isKnown ? heldBack.has(member) : before?.has(id) === true));
    const ids = new Set(now.map(({ id }) => id));
    bySet.set(set.name, ids);
    if (before === undefined) continue;
    for (const each of inSet)
      if (before.has(each.id) !== ids.has(each.id) && !own.has(each.id)) news.set(each.id, each);
  }
  const places = [...news.values()].map(({ member }) => member.place);
  for (let from = 0; from < places.length; from += mostAtOnce)
    await logRolloutChanges(pool, places.slice(from, from + mostAtOnce));
  place.bySet = bySet;
}
