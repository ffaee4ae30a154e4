import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "pg";
import type { Freeze, FreezeChange, FreezeRequest } from "#lib/contract/freeze.ts";
import { actionNames, isProtective } from "#lib/domain/acting/action-catalogue.ts";
import { longestFreezeDays } from "#lib/domain/policy/freeze.ts";
import { actsInScope, readablePart } from "#lib/domain/policy/list-grants.ts";
import type { Rights, Scope } from "#lib/domain/policy/rights.ts";
import { appendChange } from "#lib/server/audit/append-audit.ts";
import { actorKey, type StoreCall, type StoreContext } from "#lib/server/platform/actor/actor.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { readDatabaseTime } from "#lib/server/platform/db/database-time.ts";
import { logChange } from "#lib/server/platform/db/log-change.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { toColumn } from "#lib/server/platform/db/tables.ts";
import {
  type FreezeRow,
  mostFreezes,
  mostOwnFreezes,
  readFreezes,
  scopeOfFreeze,
} from "#lib/server/records/freeze-row.ts";

/** Returns whether the actor may make, extend and end a freeze: the right `freeze` in the whole of its scope. */
export function mayFreeze(rights: Rights, scope: Scope): boolean {
  return actsInScope(rights, { action: "freeze", scope });
}

/** Throws `forbidden` without the right. */
function assertMayFreeze(rights: Rights, scope: Scope): void {
  if (!mayFreeze(rights, scope))
    throw new ServiceError("forbidden", "Your rights do not include freeze in this whole scope. Choose a smaller one.");
}

/** Throws `invalid_request` for an end that is past, too far away, or not after the start or the present end. */
function assertEnd({ after, endsAt, now }: { after: Date; endsAt: Date; now: Date }): void {
  const reason =
    endsAt <= now
      ? "is past"
      : endsAt <= after
        ? `is not after ${after.toISOString()}`
        : endsAt.getTime() - now.getTime() > longestFreezeDays * 86_400_000
          ? `is more than ${longestFreezeDays} days from now`
          : undefined;
  if (reason === undefined) return;
  throw new ServiceError("invalid_request", `endsAt ${reason}.`, { invalidParams: [{ name: "endsAt", reason }] });
}

/**
 * Returns the freeze with the part of its scope that the actor may read; undefined if the actor may read no part.
 */
function serializeFreeze(row: FreezeRow, { rights, now }: { rights: Rights; now: Date }): Freeze | undefined {
  const { id, reason, startsAt, endsAt, madeByName } = row;
  const part = readablePart(rights, scopeOfFreeze(row));
  if (part === undefined) return undefined;
  return {
    id,
    reason,
    scope: { clusters: [...part.clusters], namespaces: [...part.namespaces], rollouts: [...part.rollouts] },
    startsAt: startsAt.toISOString(),
    endsAt: endsAt.toISOString(),
    inForce: startsAt <= now && now < endsAt,
    madeBy: madeByName,
    mayEnd: endsAt > now && mayFreeze(rights, scopeOfFreeze(row)),
  };
}

/** Lists the freezes that people made and that have not ended, as far as they concern what the actor may read. */
export async function listFreezes({ ctx: { runtime, actor } }: { ctx: StoreContext }): Promise<{ items: Freeze[] }> {
  const { rights } = actor;
  const { now, freezes } = await readFreezes(runtime.pool);
  return { items: freezes.flatMap((row) => serializeFreeze(row, { rights, now }) ?? []) };
}

/**
 * Stops what advances rollouts in a scope, in every process from the moment of its commit. Protective actions pass.
 * Resolves once everything whose intent came first was sent: after that, nothing is.
 * Throws `forbidden` without the right `freeze` in the whole scope, `invalid_request` for a bad end, and `conflict` if
 * there are too many freezes.
 */
export async function createFreeze({ ctx, input }: StoreCall<FreezeRequest>): Promise<Freeze> {
  const { actor, runtime } = ctx;
  const { reason, clusters, namespaces, rollouts } = input;
  assertMayFreeze(actor.rights, { clusters, namespaces, rollouts });
  const now = await readDatabaseTime(runtime.pool);
  const startsAt = input.startsAt === undefined ? now : new Date(input.startsAt);
  const endsAt = new Date(input.endsAt);
  assertEnd({ after: startsAt, endsAt, now });
  const row = {
    id: randomUUID(),
    ...{ reason: toColumn(reason), clusters: clusters.map(toText), namespaces: namespaces.map(toText) },
    ...{
      rollouts: rollouts.map(toText),
      startsAt,
      endsAt,
      madeBy: toColumn(actorKey(actor)),
      madeByName: toColumn(actor.name),
    },
  };
  const { seq } = await appendChange(ctx, {
    code: "freeze.create",
    reason,
    detail: {
      freeze: row.id,
      ...{ clusters, namespaces, rollouts },
      startsAt: startsAt.toISOString(),
      endsAt: endsAt.toISOString(),
    },
    within: async (tx) => {
      const { freezes: others } = await readFreezes(tx);
      const own = others.filter(({ madeBy }) => madeBy === row.madeBy).length;
      if (own >= mostOwnFreezes)
        throw new ServiceError("conflict", `You have made ${own} freezes that have not ended: end some first.`);
      if (others.length >= mostFreezes)
        throw new ServiceError("conflict", `There are ${mostFreezes} freezes already: end some first.`);
      await prismaOn(tx).freeze.create({ data: row });
      await logChange(tx, { kind: "freeze", ref: row.id, cluster: null, namespace: null });
    },
  });
  await untilSent(runtime.pool, seq);
  const made = serializeFreeze({ ...row, endedByName: null }, { rights: actor.rights, now });
  if (made === undefined) throw new Error("a freeze is about what its maker may read");
  return made;
}

/** Longer than the cluster needs to answer a patch; a web process that has died would never answer. */
const sentWithinMs = 2000;
const lookEveryMs = 20;

/** Waits until the actions with an intent before this entry have their outcome. */
async function untilSent(pool: Pool, seq: number): Promise<void> {
  const where = {
    state: "requested" as const,
    intentSeq: { lt: seq },
    action: { in: actionNames.filter((name) => !isProtective(name)) },
  };
  const until = performance.now() + sentWithinMs;
  while (performance.now() < until && (await prismaOn(pool).action.count({ where })) > 0) await sleep(lookEveryMs);
}

function toText(pattern: string): string {
  return toColumn(pattern);
}

/**
 * Moves the end of a freeze further away, or ends it now if no new end is given. Throws `not_found` for a freeze that
 * has ended or never was, `forbidden` without the right `freeze` in its whole scope, and `invalid_request` for a bad
 * end.
 */
export async function changeFreeze({
  ctx,
  input: { id, reason, ...input },
}: StoreCall<FreezeChange & { id: string }>): Promise<Freeze> {
  const { actor, runtime } = ctx;
  const { rights } = actor;
  const now = await readDatabaseTime(runtime.pool);
  const row = await prismaOn(runtime.pool).freeze.findFirst({ where: { id, endsAt: { gt: now } } });
  if (row === null || serializeFreeze(row, { rights, now }) === undefined) throw notFound(id);
  assertMayFreeze(rights, scopeOfFreeze(row));
  const isEnd = input.endsAt === undefined;
  const endsAt = input.endsAt === undefined ? now : new Date(input.endsAt);
  if (!isEnd) assertEnd({ after: row.endsAt, endsAt, now });
  await appendChange(ctx, {
    code: isEnd ? "freeze.end" : "freeze.extend",
    reason,
    detail: { freeze: id, endsAt: endsAt.toISOString() },
    within: async (tx) => {
      // One that has been ended meanwhile stays so.
      const { count } = await prismaOn(tx).freeze.updateMany({
        where: { id, endsAt: row.endsAt },
        data: { endsAt, ...(isEnd ? { endedByName: toColumn(actor.name) } : {}) },
      });
      if (count === 0) throw notFound(id);
      await logChange(tx, { kind: "freeze", ref: id, cluster: null, namespace: null });
    },
  });
  const changed = serializeFreeze({ ...row, endsAt }, { rights, now });
  if (changed === undefined) throw notFound(id);
  return changed;
}

function notFound(id: string): ServiceError {
  return new ServiceError("not_found", `There is no freeze ${id}, or it has ended.`);
}
