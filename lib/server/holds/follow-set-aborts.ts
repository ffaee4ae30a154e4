import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import type { ProblemCode } from "#lib/contract/problem.ts";
import {
  findNewAborts,
  forgetAborted,
  type LastUnderWay,
  listVersions,
  nameVersions,
  noteUnderWay,
  type PartAborted,
} from "#lib/domain/acting/abort-together.ts";
import type { MemberSet } from "#lib/domain/acting/barrier.ts";
import { mostMembers } from "#lib/domain/acting/group-actions.ts";
import { isDeliveryKind } from "#lib/domain/delivery/delivery-kind.ts";
import { stableUuid } from "#lib/domain/delivery/rollout-id.ts";
import { isInScope } from "#lib/domain/policy/rights.ts";
import { actOnMany } from "#lib/server/acting/act/act-on-many.ts";
import { offersAbort, type RecordedMember } from "#lib/server/acting/permission/read-barriers.ts";
import { gatehouseKey, systemActor } from "#lib/server/holds/act-as-gatehouse.ts";
import { isServiceError } from "#lib/server/platform/actor/service-error.ts";
import { readDatabaseTime } from "#lib/server/platform/db/database-time.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import type { Runtime } from "#lib/server/process/runtime-types.ts";
import { StoredPlan } from "#lib/server/records/action-store.ts";

/**
 * When releases were last seen under way, by the name of the set, and when aborts may be looked at again. Kept only in
 * the process: an abort before its start is never followed.
 */
export type AbortsPlace = { last: Map<string, LastUnderWay>; nextLook: Map<string, { at: number; mayPass: boolean }> };

export function createAbortsPlace(): AbortsPlace {
  return { last: new Map(), nextLook: new Map() };
}

/** After a refusal that may pass, in which nothing was sent; and after any other end. */
const againMs = 10_000;
const overMs = 120_000;

/**
 * Aborts the other members of sets with `onAbort: abort` that receive a version which was aborted in one of them while
 * this process watched. Once per set and version: the group's row has a key that follows from both, in the transaction
 * that requests it. Aborts by this function are followed by no other. `finished` resolves once all have ended.
 */
export async function followSetAborts({
  runtime,
  place,
  sets,
  members,
}: {
  runtime: Runtime;
  place: AbortsPlace;
  /** Those that were read; the others are left for another call. */
  sets: readonly MemberSet[];
  /** At least those of these sets. */
  members: readonly RecordedMember[];
}): Promise<{ finished: Promise<unknown> }> {
  const isAborting = ({ onAbort }: MemberSet) => onAbort === "abort";
  const names = new Set(
    runtime
      .config()
      .config.sets.filter(isAborting)
      .map(({ name }) => name),
  );
  for (const name of place.last.keys()) if (!names.has(name)) place.last.delete(name);
  if (names.size === 0) place.nextLook.clear();
  const read = sets.filter(isAborting);
  if (read.length === 0) return { finished: Promise.resolve() };
  const nowMs = (await readDatabaseTime(runtime.pool)).getTime();
  const running: Promise<void>[] = [];
  for (const set of read) {
    const own = members.filter(({ member }) => isInScope(set, member.place));
    const last: LastUnderWay = place.last.get(set.name) ?? new Map();
    place.last.set(set.name, last);
    /** Members whose abort may still be followed. */
    const pending = new Set<string>();
    for (const found of findNewAborts(own, last, nowMs)) {
      const key = keyOf(set, found);
      const next = place.nextLook.get(key);
      if (next !== undefined && nowMs < next.at) {
        if (next.mayPass) for (const { id } of found.aborted) pending.add(id);
        continue;
      }
      const { finished, mayPass = false } = await follow(runtime, { set, found, key });
      if (finished !== undefined) running.push(finished);
      if (mayPass) for (const { id } of found.aborted) pending.add(id);
      place.nextLook.set(key, { at: nowMs + (mayPass ? againMs : overMs), mayPass });
    }
    forgetAborted(
      last,
      own.filter(({ id }) => !pending.has(id)),
    );
    noteUnderWay(last, own, nowMs);
  }
  for (const [key, { at }] of place.nextLook) if (nowMs >= at) place.nextLook.delete(key);
  return { finished: Promise.all(running) };
}

type Abort = { set: MemberSet; found: PartAborted<RecordedMember>; key: string };

/** The same for the same set and version, from whichever registry its members take it; as short as a key may be. */
function keyOf({ name }: MemberSet, { images }: Abort["found"]): string {
  return `set-abort-${stableUuid(name, ...listVersions(images).sort())}`;
}

const passing = new Set<ProblemCode>(["unavailable", "audit_unavailable", "rate_limited"]);

async function follow(
  runtime: Runtime,
  { set, found, key }: Abort,
): Promise<{ mayPass?: boolean; finished?: Promise<void> }> {
  const { pool, log } = runtime;
  const isOurs = await readOwnAborts(pool, [...found.aborted, ...found.underWay]);
  // No abort of Gatehouse leads to another one in a chain.
  const cause = found.aborted.find((each) => !isOurs(each));
  // People who retry what Gatehouse aborted have decided.
  const members = found.underWay.filter((each) => offersAbort(each) && !isOurs(each)).slice(0, mostMembers);
  if (cause === undefined || members.length === 0 || (await wasFollowed(pool, key))) return {};
  const places = members.map(({ member }) => member.place);
  const entry = await readCauseEntry(pool, cause);
  // Whoever reads it may see one of the members, and need not see the one that was aborted.
  const because = `Set "${set.name}" aborts together: another member was aborted`;
  const about = { ...cause.member.place, set: set.name, members: members.length };
  try {
    const { seq, finished } = await actOnMany({
      ctx: { runtime, actor: systemActor(places, "abort"), requestId: `set-${randomUUID()}` },
      input: {
        action: "abort",
        of: nameVersions(found.images),
        reason: entry === undefined ? `${because}.` : `${because} (audit entry ${entry}).`,
        members: members.flatMap(({ member: { place }, uid, runKey, viewDigest }) =>
          isDeliveryKind(place.kind)
            ? [{ ...place, kind: place.kind, expect: { viewDigest: viewDigest ?? "", uid, revisionKey: runKey } }]
            : [],
        ),
      },
      idempotencyKey: key,
    });
    log.warn({ ...about, seq }, "a member of a set was aborted: the others are aborted too");
    return { finished };
  } catch (error) {
    if (!isServiceError(error)) throw error;
    log.warn({ ...about, error: error.message }, "the other members of a set could not be aborted");
    return { mayPass: passing.has(error.code) };
  }
}

/** Returns whether Gatehouse itself has aborted the present release of a member. */
async function readOwnAborts(
  pool: Pool,
  members: readonly RecordedMember[],
): Promise<(member: RecordedMember) => boolean> {
  const own = await prismaOn(pool).action.findMany({
    where: {
      rolloutId: { in: members.map(({ id }) => id) },
      ...{ actorKey: gatehouseKey, action: "abort", intentSeq: { not: null } },
    },
    select: { rolloutId: true, plan: true },
  });
  return ({ id, runKey }) =>
    own.some(({ rolloutId, plan }) => {
      const ofRun = StoredPlan.safeParse(plan).data?.runKey;
      return rolloutId === id && (ofRun === undefined || ofRun === runKey);
    });
}

/** Also after the 24 hours in which a key stands for its request. */
async function wasFollowed(pool: Pool, key: string): Promise<boolean> {
  const where = { actorKey: gatehouseKey, idempotencyKey: `many ${key}` };
  return (await prismaOn(pool).action.findFirst({ where, select: { id: true } })) !== null;
}

/** An abort is told within this time, or its entry is of another one. */
const causeMs = 120_000;

/** Returns the number of the audit entry about the abort, if there is one by now; never one for a controller's own abort. */
async function readCauseEntry(pool: Pool, { id: rolloutId, runKey }: RecordedMember): Promise<bigint | undefined> {
  const since = new Date((await readDatabaseTime(pool)).getTime() - causeMs);
  const { action, unaskedChange } = prismaOn(pool);
  const [asked, unasked] = await Promise.all([
    // One that was sent, for this release.
    action.findMany({
      where: { rolloutId, action: "abort", appliedAt: { not: null }, requestedAt: { gt: since } },
      ...{ orderBy: { requestedAt: "desc" }, take: 10, select: { intentSeq: true, plan: true } },
    }),
    unaskedChange.findFirst({
      where: { rolloutId, action: "abort", at: { gt: since } },
      orderBy: { at: "desc" },
      select: { auditSeq: true },
    }),
  ]);
  const own = asked.find(({ plan }) => StoredPlan.safeParse(plan).data?.runKey === runKey);
  return own?.intentSeq ?? unasked?.auditSeq;
}
