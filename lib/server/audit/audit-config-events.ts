import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "pg";
import type { Logger } from "pino";
import type { AuditDraft } from "#lib/domain/audit/audit-entry.ts";
import { appendAudit, systemActor } from "#lib/server/audit/append-audit.ts";
import { loadedContentOf, readNewestConfigEvent } from "#lib/server/platform/config/config-events.ts";
import type { ConfigEvent, ConfigStore } from "#lib/server/platform/config/config-store.ts";
import { policiesEvidenceOf } from "#lib/server/platform/config/policy-schema.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import type { Connection } from "#lib/server/platform/db/run-query.ts";

const maxWaiting = 50;

/** An unreadable file has no digest, so its fault is used instead. */
function contentOf(event: ConfigEvent): string {
  if (event.type === "loaded") return loadedContentOf(event);
  return event.digest ?? (event.type === "refused" ? event.fault : "unreadable");
}

/**
 * Records each load, refusal and hold of the config in the audit log, by digest. Of its content only the policies are
 * kept, as the evidence of a load: past decisions are reproduced by them. Replicas that see the same file write one entry
 * between them. Retries while the database is down. Returns how to stop.
 */
export function auditConfigEvents(options: {
  store: Pick<ConfigStore, "subscribe">;
  pool: Pool;
  log: Logger;
  retryMs?: number;
}): () => Promise<void> {
  const { store, pool, log, retryMs = 2000 } = options;
  const waiting: ConfigEvent[] = [];
  const stop = new AbortController();
  let running: Promise<void> | undefined;

  const tryToWrite = async (event: ConfigEvent): Promise<boolean> => {
    try {
      await writeOnce(pool, event);
      return true;
    } catch (error) {
      log.debug({ err: error }, "config event not audited yet");
      return false;
    }
  };
  const run = async (): Promise<void> => {
    // Taken out first: the bound drops no event that is being written.
    for (let event = waiting.shift(); event !== undefined; event = waiting.shift())
      while (!stop.signal.aborted && !(await tryToWrite(event)))
        await sleep(retryMs, undefined, { signal: stop.signal, ref: false }).catch(() => {});
    running = undefined;
  };
  const unsubscribe = store.subscribe((event) => {
    waiting.push(event);
    if (waiting.length > maxWaiting) waiting.shift();
    running ??= run();
  });
  return async () => {
    unsubscribe();
    stop.abort();
    await running;
  };
}

async function writeOnce(pool: Pool, event: ConfigEvent): Promise<void> {
  const code = codeOf(event);
  const content = contentOf(event);
  if (await isNewest(pool, { code, content })) return;
  const alreadyWritten = new Error("another replica was faster");
  await appendAudit({
    pool,
    entry: draftOf(event),
    evidence: event.type === "loaded" ? policiesEvidenceOf(event.policies) : undefined,
    // The chain is locked here: other replicas that report the same file wait, and then find this entry.
    within: async (client) => {
      if (await isNewest(client, { code, content })) throw alreadyWritten;
      await prismaOn(client).configEvent.create({ data: { code, content }, select: { id: true } });
    },
  }).catch((error: Error) => {
    if (error.cause !== alreadyWritten) throw error;
  });
}

async function isNewest(
  connection: Connection,
  { code, content }: { code: string; content: string },
): Promise<boolean> {
  const newest = await readNewestConfigEvent(connection);
  return newest?.code === code && newest.content === content;
}

function codeOf(event: ConfigEvent): string {
  if (event.type === "loaded") return "config.loaded";
  return event.type === "refused" ? "config.refused" : "config.held";
}

function draftOf(event: ConfigEvent): AuditDraft {
  const base = { actor: systemActor, source: "system", requestId: randomUUID() } as const;
  if (event.type === "loaded") {
    const { digest, clusters, bindings, needsRestart } = event;
    return { ...base, code: "config.loaded", detail: { digest, clusters, bindings, needsRestart: [...needsRestart] } };
  }
  if (event.type === "refused") {
    const { digest, fault, error } = event;
    return { ...base, code: "config.refused", outcome: "refused", detail: { digest, fault, error } };
  }
  const { clusters, bindings } = event.removals;
  return { ...base, code: "config.held", outcome: "refused", detail: { digest: event.digest, clusters, bindings } };
}
