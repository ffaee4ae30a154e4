import type { Pool, PoolClient } from "pg";
import { sha256Hex } from "#lib/util/sha256.ts";

/** Runs `work` in one transaction. */
export async function inTransaction<Result>(pool: Pool, work: (tx: PoolClient) => Promise<Result>): Promise<Result> {
  return commitOrRollBack(pool, async (tx) => {
    await tx.query("BEGIN");
    return work(tx);
  });
}

/** By connection with a batch: its statements that nobody has waited for, in order. */
const unanswered = new WeakMap<object, Promise<unknown>[]>();

/**
 * Runs `work` in one transaction, in as few round trips as possible. `fence` is sent together with BEGIN; `work` begins
 * once both have succeeded. The statements that `work` passes to `awaitLater` are answered before the commit.
 */
export async function inBatch<Result>(
  pool: Pool,
  {
    fence,
    work,
    onAnswered = () => {},
  }: {
    fence: (tx: PoolClient) => Promise<void>;
    work: (tx: PoolClient) => Promise<Result>;
    /** Called before the commit. */
    onAnswered?: () => void;
  },
): Promise<Result> {
  return commitOrRollBack(pool, async (tx) => {
    const statements: Promise<unknown>[] = [];
    unanswered.set(tx, statements);
    try {
      await answersOf([tx.query("BEGIN"), fence(tx)]);
      const result = work(tx);
      await Promise.allSettled([result]);
      await answersOf([...statements, result]);
      onAnswered();
      return await result;
    } finally {
      unanswered.delete(tx);
    }
  });
}

/**
 * Takes a statement that was sent, and whose result is not needed. In a batch, the next one is sent without waiting for
 * its answer; a failure rolls the batch back. Otherwise, waits for the answer.
 */
export async function awaitLater(connection: object, statement: Promise<unknown>): Promise<void> {
  const statements = unanswered.get(connection);
  if (statements === undefined) await statement;
  else {
    statement.catch(() => {});
    statements.push(statement);
  }
}

const names = new Map<string, string>();
/** PostgreSQL keeps 63 characters of a name. */
const nameLength = 32;

/**
 * Returns the name of a statement in a batch: a connection parses and plans it once. Its text must not vary. Elsewhere,
 * a pooler may be in between, and statements have no name.
 */
export function nameInBatch(connection: object, text: string): { name?: string } {
  if (!unanswered.has(connection)) return {};
  const name = names.get(text) ?? sha256Hex(text).slice(0, nameLength);
  names.set(text, name);
  return { name };
}

/**
 * Waits for the answers to statements that were sent to one connection at once. Throws the first error of the list that is
 * no consequence of another one.
 */
export async function answersOf<const T extends readonly Promise<unknown>[]>(
  statements: T,
): Promise<{ -readonly [Index in keyof T]: Awaited<T[Index]> }> {
  const errors = (await Promise.allSettled(statements)).flatMap((outcome) =>
    outcome.status === "rejected" ? [outcome.reason as unknown] : [],
  );
  if (errors.length > 0) throw errors.find((error) => !isConsequence(error)) ?? errors[0];
  return (await Promise.all(statements)) as { -readonly [Index in keyof T]: Awaited<T[Index]> };
}

/**
 * Recognises what fails because an earlier statement of the transaction did: 25P02, or 26000 if the name of the statement
 * should have been made known meanwhile.
 */
function isConsequence(error: unknown): boolean {
  return hasCode(error, ["25P02", "26000"]);
}

/** Recognises a prepared statement that the server does not know, or whose columns have changed: it would fail again. */
function isStalePlan(error: unknown): error is Error {
  return hasCode(error, ["26000", "0A000"]);
}

function hasCode(error: unknown, codes: readonly string[]): boolean {
  return error instanceof Error && "code" in error && typeof error.code === "string" && codes.includes(error.code);
}

/** A connection whose transaction failed unexpectedly is closed, not returned to the pool. */
async function commitOrRollBack<Result>(pool: Pool, run: (tx: PoolClient) => Promise<Result>): Promise<Result> {
  const tx = await pool.connect();
  let broken: Error | undefined;
  try {
    const result = await run(tx);
    const { command } = await tx.query("COMMIT");
    // PostgreSQL answers so if a statement had failed and `work` went on all the same: nothing is stored.
    if (command === "ROLLBACK") throw new Error("the transaction was rolled back instead of being committed");
    return result;
  } catch (error) {
    if (isSilence(error) || isStalePlan(error)) broken = error;
    else
      await tx.query("ROLLBACK").catch((rollbackError: Error) => {
        broken = rollbackError;
      });
    throw error;
  } finally {
    tx.release(broken);
  }
}

/** Recognises the driver's own time-out. Any further statement would queue behind the one that got no answer. */
function isSilence(error: unknown): error is Error {
  return error instanceof Error && error.message === "Query read timeout";
}
