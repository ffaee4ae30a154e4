import { appendFile } from "node:fs/promises";
import type { Pool } from "pg";
import type { Logger } from "pino";
import { type Checkpoint, formatCheckpoint } from "#lib/domain/audit/audit-chain.ts";
import type { CheckpointConfig } from "#lib/server/platform/config/config-schema.ts";
import { describeSecretPlace, readSecretPlace } from "#lib/server/platform/config/secret-place.ts";
import { readDatabaseTime } from "#lib/server/platform/db/database-time.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";

const webhookTimeoutMs = 10_000;

/** The last head that a process published to each place, so that each place receives a head once. */
export type PublishedHeads = Map<string, number>;

/**
 * Publishes the newest link of the chain to each place that does not have it yet: the log, and the file and the
 * webhook of the config. A place that fails is retried with the next pass; the others do not wait for it. Resolves with the failures.
 */
export async function publishCheckpoint({
  pool,
  config,
  published,
  log,
}: {
  pool: Pool;
  config: CheckpointConfig;
  published: PublishedHeads;
  log: Logger;
}): Promise<{ failed: { place: string; reason: string }[] }> {
  const head = await readHead(pool);
  if (head === undefined) return { failed: [] };
  const places: [string, () => Promise<void>][] = [
    ["log", async () => log.info({ checkpoint: head }, "audit checkpoint")],
  ];
  const { file, webhook } = config;
  if (file !== undefined)
    places.push([`file ${file}`, () => appendFile(file, `${formatCheckpoint(head)}\n`, { mode: 0o600 })]);
  if (webhook !== undefined) places.push([`webhook ${webhook.url}`, () => post(webhook, head)]);
  const failed: { place: string; reason: string }[] = [];
  for (const [place, tell] of places) {
    if (published.get(place) === head.seq) continue;
    await tell().then(
      () => published.set(place, head.seq),
      (error: unknown) => failed.push({ place, reason: error instanceof Error ? error.message : String(error) }),
    );
  }
  return { failed };
}

async function readHead(pool: Pool): Promise<Checkpoint | undefined> {
  const row = await prismaOn(pool).auditEntry.findFirst({
    orderBy: { seq: "desc" },
    select: { seq: true, hash: true },
  });
  if (row === null) return undefined;
  return { seq: Number(row.seq), hash: row.hash, time: (await readDatabaseTime(pool)).toISOString() };
}

async function post(webhook: NonNullable<CheckpointConfig["webhook"]>, head: Checkpoint): Promise<void> {
  const token = webhook.token === undefined ? undefined : await readSecretPlace(webhook.token);
  if (webhook.token !== undefined && token === undefined)
    throw new Error(`the token was not found in ${describeSecretPlace(webhook.token)}`);
  const response = await fetch(webhook.url, {
    method: "POST",
    redirect: "error",
    headers: {
      "content-type": "application/json",
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: formatCheckpoint(head),
    signal: AbortSignal.timeout(webhookTimeoutMs),
  });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`answered ${response.status}`);
}
