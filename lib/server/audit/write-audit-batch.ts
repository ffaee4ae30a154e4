import { sql } from "kysely";
import type { Pool, PoolClient } from "pg";
import { type ChainHead, computeLink } from "#lib/domain/audit/audit-chain.ts";
import { type AuditDraft, type AuditEntry, type Evidence, formatEntryText } from "#lib/domain/audit/audit-entry.ts";
import {
  type AuditRow,
  commit,
  insertRows,
  openChain,
  rowOf,
  type Tried,
  tryBehindSavepoint,
} from "#lib/server/audit/audit-statements.ts";
import { isDatabaseError, write } from "#lib/server/platform/db/run-query.ts";
import { hasBrand } from "#lib/util/has-brand.ts";

export type AppendedAudit = { seq: number; time: string; hash: string };
export type Within = (client: PoolClient, appended: AppendedAudit) => Promise<void>;

/** One caller of the queue. */
export type Waiting = {
  entry: AuditDraft;
  evidence: Evidence | undefined;
  within: Within | undefined;
  resolve(appended: AppendedAudit): void;
  reject(cause: unknown): void;
};

/** Longer than the statements' timeouts allow: after that the connection is dead, and the waiting callers continue. */
const deadlineMs = 15_000;
/** After this long no further `within` is started: those already done wait for the same commit. */
const withinBudgetMs = 100;
/** Data exceptions, violated constraints, program limits: the fault of a row, not of the database. */
const refusedRow = /^(?:22|23|54)/;

/**
 * Writes the entries from `draw` in one transaction and settles every caller, except those it returns: they must be
 * drawn again, first. Never rejects. A broken connection, or a commit that failed or was not confirmed, rejects them
 * all.
 *
 * Entries with a `within` share the transaction too, each behind a savepoint: intents and outcomes have one, and people
 * wait for these. Several callers' row locks are then held until the commit. Other code that locks more than one of
 * these rows may do so in another order; PostgreSQL then fails one statement, and so one entry.
 */
export async function writeAuditBatch<One extends Waiting>({
  pool,
  draw,
}: {
  pool: Pool;
  draw: () => One[];
}): Promise<One[]> {
  let client: PoolClient;
  try {
    client = await pool.connect();
  } catch (error) {
    rejectAll(draw(), error);
    return [];
  }
  const batch = draw();
  const line = watchLine(client);
  const progress: Progress = { withinStarted: false, isCommitting: false };
  let broken: Error | undefined;
  try {
    return await Promise.race([writeAll({ client, batch, progress }), line.lost]);
  } catch (error) {
    broken = await Promise.race([takeBack(client, error), line.lost]).catch(toError);
    const isSomebodysRow = broken === undefined && !progress.withinStarted && isRefusedRow(error);
    if (batch.length === 1 || !isSomebodysRow) {
      // A broken connection loses the answer to COMMIT; an error that the database answered rolls back.
      const isUnconfirmed = progress.isCommitting && broken !== undefined;
      rejectAll(batch, isUnconfirmed ? new UnconfirmedCommitError(error) : error);
      return [];
    }
  } finally {
    line.stop();
    client.release(broken);
  }
  // Writing each one separately shows whose row it is.
  for (const one of batch) await writeAuditBatch({ pool, draw: () => [one] });
  return [];
}

type Progress = {
  /** A caller's code has run in the transaction: it must not run a second time. */
  withinStarted: boolean;
  /** COMMIT was sent and is not answered yet. */
  isCommitting: boolean;
};

/** The entries may be committed, with what depends on them: the answer was lost. */
class UnconfirmedCommitError extends Error {
  readonly brand = "unconfirmed-commit-error";

  constructor(cause: unknown) {
    super("the commit was not confirmed", { cause });
  }
}

export function isUnconfirmedCommit(error: unknown): boolean {
  return hasBrand(error, "unconfirmed-commit-error");
}

/** The chain while it is locked. `done` notifies the callers once it is committed. */
type Chain = { head: ChainHead; time: string; done: (() => void)[] };

async function writeAll<One extends Waiting>({
  client,
  batch,
  progress,
}: {
  client: PoolClient;
  batch: readonly One[];
  progress: Progress;
}): Promise<One[]> {
  if (batch.length === 0) return [];
  const evidence = batch.flatMap((one) => one.evidence ?? []);
  const chain: Chain = { ...(await openChain(client, evidence)), done: [] };
  await appendPlain({ client, chain, plain: batch.filter(({ within }) => within === undefined) });
  progress.withinStarted = true;
  const postponed = await appendDependent({ client, chain, batch });
  if (chain.done.length === 0) await write(client, sql`ROLLBACK`);
  else await commit(client, progress);
  for (const settle of chain.done) settle();
  return postponed;
}

/** Appends in one statement: nothing that could fail depends on these entries. Omits a draft without canonical text. */
async function appendPlain({
  client,
  chain,
  plain,
}: {
  client: PoolClient;
  chain: Chain;
  plain: readonly Waiting[];
}): Promise<void> {
  const rows = plain.flatMap((one) => {
    try {
      const { row, appended } = linkTo(chain, one);
      advance({ chain, one, appended });
      return [row];
    } catch (error) {
      one.reject(error);
      return [];
    }
  });
  if (rows.length > 0) await insertRows(client, rows);
}

/** Appends the entries one by one, each with its `within`. Returns those for which time ran out. */
async function appendDependent<One extends Waiting>({
  client,
  chain,
  batch,
}: {
  client: PoolClient;
  chain: Chain;
  batch: readonly One[];
}): Promise<One[]> {
  const dependent = batch.filter(({ within }) => within !== undefined);
  const attempt = batch.length === 1 ? tryAlone : tryBehindSavepoint;
  const endsAt = performance.now() + withinBudgetMs;
  for (const [index, one] of dependent.entries()) {
    if (index > 0 && performance.now() > endsAt) return dependent.slice(index);
    const result = await attempt(client, async () => {
      const { row, appended } = linkTo(chain, one);
      await insertRows(client, [row]);
      await one.within?.(client, appended);
      return appended;
    });
    if (result.ok) advance({ chain, one, appended: result.value });
    else one.reject(result.error);
  }
  return [];
}

/** Runs `work` without a savepoint: the whole transaction is rolled back, since no other caller shares it. */
async function tryAlone<Value>(_: PoolClient, work: () => Promise<Value>): Promise<Tried<Value>> {
  try {
    return { ok: true, value: await work() };
  } catch (error) {
    return { ok: false, error };
  }
}

function linkTo({ head, time }: Chain, one: Waiting): { row: AuditRow; appended: AppendedAudit } {
  const entry: AuditEntry = { ...one.entry, seq: head.seq + 1, time, evidenceDigest: one.evidence?.digest };
  const link = computeLink({ head, entry: formatEntryText(entry) });
  return { row: rowOf({ entry, link }), appended: { seq: link.seq, time, hash: link.hash } };
}

function advance({ chain, one, appended }: { chain: Chain; one: Waiting; appended: AppendedAudit }): void {
  chain.head = appended;
  chain.done.push(() => one.resolve(appended));
}

/** Rolls back if the database answered with the error. Otherwise, or if that fails too, the connection is broken. */
async function takeBack(client: PoolClient, error: unknown): Promise<Error | undefined> {
  if (!isDatabaseError(error)) return toError(error);
  await write(client, sql`ROLLBACK`);
  return undefined;
}

/** Watches a connection. `lost` rejects if it breaks, even while idle, or if the transaction does not end in time. */
function watchLine(client: PoolClient): { lost: Promise<never>; stop(): void } {
  const { promise: lost, reject } = Promise.withResolvers<never>();
  lost.catch(() => {});
  client.on("error", reject);
  const timer = setTimeout(() => reject(new Error(`no commit within ${deadlineMs} ms`)), deadlineMs);
  return {
    lost,
    stop: () => {
      clearTimeout(timer);
      client.removeListener("error", reject);
    },
  };
}

function isRefusedRow(error: unknown): boolean {
  return isDatabaseError(error) && refusedRow.test(error.code ?? "");
}

function rejectAll(batch: readonly Waiting[], error: unknown): void {
  for (const { reject } of batch) reject(error);
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
