import { type RawBuilder, type Selectable, sql } from "kysely";
import type { PoolClient } from "pg";
import { type ChainHead, type computeLink, emptyChain } from "#lib/domain/audit/audit-chain.ts";
import type { AuditEntry, Evidence } from "#lib/domain/audit/audit-entry.ts";
import type { Tables } from "#lib/server/platform/db/generated/tables.ts";
import { readRowOfLast, runCommand, write } from "#lib/server/platform/db/run-query.ts";
import { fragment, tableName, tables, toColumn } from "#lib/server/platform/db/tables.ts";

/** Any fixed number works, as long as every process uses the same one. */
export const chainLock = 7_241_905_330_461;

/** Longer than the lock may take: after that the connection is dead, and the next is tried before anything is written. */
const answerWithinMs = 6_000;

const { ref } = fragment<{ a: "audit_entry" }>();

// The timeouts free the chain from a process that was stopped in the middle of an append.
const begin = sql`BEGIN ISOLATION LEVEL READ COMMITTED;
SET LOCAL lock_timeout = '5s';
SET LOCAL idle_in_transaction_session_timeout = '5s';
SET LOCAL statement_timeout = '10s'`;

type Head = { time: string } & (Pick<Selectable<Tables["audit_entry"]>, "seq" | "hash"> | { seq: null; hash: null });
// A simple query of several statements: each has its own snapshot, so the head is read after the lock is held.
const lockAndReadHead = sql<Head>`
SELECT pg_advisory_xact_lock(${sql.lit(chainLock)});
SELECT to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS time, head.seq, head.hash
  FROM (SELECT) AS one LEFT JOIN (
    SELECT ${ref("a.seq")}, ${ref("a.hash")} FROM ${tableName("audit_entry")} AS a ORDER BY ${ref("a.seq")} DESC LIMIT 1
  ) AS head ON true`;

const columns = {
  ...{ seq: "bigint", time: "timestamptz", entry: "text", entry_hash: "text", previous_hash: "text", hash: "text" },
  ...{ code: "text", source: "text", action: "text", outcome: "text", action_id: "uuid" },
  ...{ actor_name: "text", actor_subject: "text", cluster: "text", namespace: "text", kind: "text", name: "text" },
  evidence_digest: "text",
} as const satisfies Record<keyof Tables["audit_entry"], string>;
const names = Object.keys(columns) as (keyof typeof columns)[];
const types = Object.values(columns);

/** One row of `audit_entry`, in the order of `columns`. */
export type AuditRow = readonly (string | number | null)[];

/**
 * Opens the transaction, writes the evidence (before the lock: a large one must not make others wait), locks the chain
 * and reads its head and the database's clock. The end of the transaction releases the lock.
 */
export async function openChain(
  client: PoolClient,
  evidence: readonly Evidence[],
): Promise<{ head: ChainHead; time: string }> {
  if (evidence.length === 0) return readHead(client, sql<Head>`${begin};${lockAndReadHead}`);
  await write(client, begin, { answerWithinMs });
  const digests = evidence.map(({ digest }) => digest);
  const contents = evidence.map(({ content }) => content);
  await write(
    client,
    tables
      .insertInto("evidence")
      .columns(["digest", "content"])
      // Ordered by digest, so that two processes that write the same ones cannot deadlock.
      .expression(
        sql`SELECT digest, content FROM unnest(${digests}::text[], ${contents}::text[]) AS given (digest, content)
          ORDER BY digest`,
      )
      .onConflict((conflict) => conflict.column("digest").doNothing()),
  );
  return readHead(client, lockAndReadHead);
}

async function readHead(client: PoolClient, query: RawBuilder<Head>): Promise<{ head: ChainHead; time: string }> {
  const row = await readRowOfLast(client, query, { answerWithinMs });
  if (row === undefined) throw new Error("the head of the audit chain could not be read");
  return { head: row.seq === null ? emptyChain : { seq: Number(row.seq), hash: row.hash }, time: row.time };
}

export function rowOf({ entry, link }: { entry: AuditEntry; link: ReturnType<typeof computeLink> }): AuditRow {
  const { actor, target } = entry;
  return [
    ...[link.seq, entry.time, link.entry, link.entryHash, link.previousHash, link.hash],
    ...[entry.code, entry.source, entry.action, entry.outcome, entry.actionId].map(toColumn),
    ...[
      actor.name,
      actor.subject,
      target?.cluster,
      target?.namespace,
      target?.kind,
      target?.name,
      entry.evidenceDigest,
    ].map(toColumn),
  ];
}

/** Inserts rows in chain order, with a row of the change log for each. */
export async function insertRows(client: PoolClient, rows: readonly AuditRow[]): Promise<void> {
  const lists = types.map((type, index) => sql`${rows.map((row) => row[index])}::${sql.raw(type)}[]`);
  await write(
    client,
    tables
      .with("appended", (db) =>
        db
          .insertInto("audit_entry")
          .columns(names)
          .expression(sql`SELECT * FROM unnest(${sql.join(lists)})`)
          .returning(["seq", "cluster", "namespace", "kind", "name"]),
      )
      .insertInto("change_log")
      .columns(["kind", "ref", "op", "cluster", "namespace", "object_kind", "name"])
      .expression(({ selectFrom }) =>
        selectFrom("appended as a")
          .select(({ cast }) => [
            sql.lit("audit").as("kind"),
            cast<string>("a.seq", "text").as("ref"),
            sql.lit("upsert").as("op"),
          ])
          .select(["a.cluster", "a.namespace", "a.kind", "a.name"])
          .orderBy("a.seq"),
      ),
  );
}

/** Commits. Also throws if PostgreSQL answers the commit by rolling back: a statement had failed unreported. */
export async function commit(client: PoolClient, progress: { isCommitting: boolean }): Promise<void> {
  progress.isCommitting = true;
  const command = await runCommand(client, sql`COMMIT`);
  progress.isCommitting = false;
  if (command !== "COMMIT") throw new Error("the transaction was rolled back instead of being committed");
}

export type Tried<Value> = { ok: true; value: Value } | { ok: false; error: unknown };

/** Runs `work` behind a savepoint. A failure is rolled back and returned; the rest of the transaction stays. */
export async function tryBehindSavepoint<Value>(client: PoolClient, work: () => Promise<Value>): Promise<Tried<Value>> {
  await write(client, sql`SAVEPOINT entry`);
  try {
    const value = await work();
    // Fails if `work` hid that one of its statements had failed.
    await write(client, sql`RELEASE SAVEPOINT entry`);
    return { ok: true, value };
  } catch (error) {
    await write(client, sql`ROLLBACK TO SAVEPOINT entry; RELEASE SAVEPOINT entry`);
    return { ok: false, error };
  }
}
