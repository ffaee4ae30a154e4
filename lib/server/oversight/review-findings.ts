import { sql } from "kysely";
import type { Pool } from "pg";
import { evaluateRollout, rulesVersion } from "#lib/domain/oversight/evaluate-rollout.ts";
import { type OversightScope, resolveOversight } from "#lib/domain/oversight/scope.ts";
import { clockTime, readDatabaseTime, secondsAfter, transactionTime } from "#lib/server/platform/db/database-time.ts";
import { inTransaction } from "#lib/server/platform/db/in-transaction.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { type Connection, type RowOf, readRow, readRows, write } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import { sha256Hex } from "#lib/util/sha256.ts";
import { fullDepth, readOverseenRollout, readRolloutFacts, recentDepth } from "./read-rollout-facts.ts";
import { type FindingSubject, type OnFindings, recordFindings } from "./record-findings.ts";

export type FindingReview = {
  pool: Pool;
  scopes: readonly OversightScope[];
  maxRollouts?: number;
  /** The current time; default: the database's clock. */
  now?: Date | undefined;
  onFindings?: OnFindings | undefined;
  onError: (error: unknown, rolloutId: string) => void;
};

const selectDue = tables
  .selectFrom("rollout_review")
  .select(["rollout_id as id", "changes", "rules"])
  .where((eb) => eb.or([eb("changes", ">", eb.ref("reviewed")), eb("look_at", "<=", transactionTime)]))
  // Those that waited longest come first: however much changes, each has its turn.
  .orderBy("reviewed_at", (order) => order.asc().nullsFirst());
type Due = RowOf<typeof selectDue>;

/**
 * Applies every rule to the rollouts that have changed or are due by time, and updates the stored findings. Events
 * since the last review are found in the recorded history. Repeating it changes nothing. Resolves with the number of
 * reviewed rollouts.
 */
export async function reviewFindings({
  pool,
  scopes,
  maxRollouts = 100,
  now,
  onFindings,
  onError,
}: FindingReview): Promise<{ reviewed: number }> {
  const due = await readRows(pool, selectDue.limit(maxRollouts));
  const rules = versionOf(scopes);
  let reviewed = 0;
  for (const each of due) {
    try {
      await reviewOne({ pool, scopes, due: each, rules, now, onFindings });
      reviewed += 1;
    } catch (error) {
      onError(error, each.id);
      // It is tried again in a while, so that one that always fails does not hold up the others.
      await postpone(pool, each);
    }
  }
  return { reviewed };
}

/** Reads in how many milliseconds the next rollout is due by time; undefined if none will be. */
export async function readNextLookMs(pool: Pool): Promise<number | undefined> {
  const row = await readRow(
    pool,
    tables
      .selectFrom("rollout_review")
      .select(({ fn, ref }) => [
        sql<number | null>`(extract(epoch FROM ${fn.min(ref("look_at"))} - ${clockTime}) * 1000)::float8`.as("ms"),
      ])
      .where("look_at", "is not", null),
  );
  return row?.ms ?? undefined;
}

/** Marks the rollouts that were reviewed with other rules or limits, unless they are marked or wait for another try. */
export async function markOutdated(pool: Pool, scopes: readonly OversightScope[]): Promise<void> {
  await write(
    pool,
    tables
      .updateTable("rollout_review")
      .set((eb) => ({ changes: eb("changes", "+", "1") }))
      .where("rules", "<>", versionOf(scopes))
      .whereRef("changes", "=", "reviewed")
      .where((eb) => eb.or([eb("look_at", "is", null), eb("look_at", "<=", clockTime)])),
  );
}

/** Identifies the rules and their settings in the config. */
function versionOf(scopes: readonly OversightScope[]): string {
  return sha256Hex(JSON.stringify([rulesVersion, scopes])).slice(0, 16);
}

async function reviewOne({
  pool,
  scopes,
  due,
  rules,
  now,
  onFindings,
}: Omit<FindingReview, "onError" | "maxRollouts"> & { due: Due; rules: string }): Promise<void> {
  const at = now ?? (await readDatabaseTime(pool));
  const rollout = await readOverseenRollout(pool, due.id);
  if (rollout === undefined) return finish(pool, { due, rules, at, lookAt: undefined });
  const { limits, off } = resolveOversight(scopes, rollout);
  const isFirstLook = due.rules !== rules;
  const depth = isFirstLook ? fullDepth : recentDepth;
  const facts = await readRolloutFacts(pool, { rollout, limits, depth, now: at });
  const { found, lookAt } = evaluateRollout(facts, off);
  const { cluster, namespace, kind, name } = rollout;
  const subject: FindingSubject = { about: "rollout", id: rollout.id, place: { cluster, namespace, kind, name } };
  await inTransaction(pool, async (tx) => {
    const changes = await recordFindings(tx, { subject, found, from: facts.releases[0]?.startedAt });
    if (changes.length > 0) await onFindings?.(tx, subject, changes, { isFirstLook });
    await finish(tx, { due, rules, at, lookAt: facts.troubles.length > 0 ? soon(facts.now, lookAt) : lookAt });
  });
}

/** A trouble may have a deadline that only its provider can compute. */
const troubleMs = 15_000;

function soon(now: string, lookAt: number | undefined): number {
  const at = Date.parse(now) + troubleMs;
  return lookAt === undefined ? at : Math.min(at, lookAt);
}

/** Only what had changed before the facts were read counts as seen. */
async function finish(
  connection: Connection,
  { due, rules, at, lookAt }: { due: Due; rules: string; at: Date; lookAt: number | undefined },
): Promise<void> {
  await prismaOn(connection).rolloutReview.updateMany({
    where: { rolloutId: due.id },
    data: {
      reviewed: BigInt(due.changes),
      rules,
      lookAt: lookAt === undefined ? null : new Date(lookAt),
      reviewedAt: at,
    },
  });
}

const retrySeconds = 60;

async function postpone(pool: Pool, { id, changes }: Due): Promise<void> {
  await write(
    pool,
    tables
      .updateTable("rollout_review")
      .set({ reviewed: changes, look_at: secondsAfter(clockTime, retrySeconds) })
      .where("rollout_id", "=", id),
  );
}
