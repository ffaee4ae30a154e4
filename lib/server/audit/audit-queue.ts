import type { Pool } from "pg";
import { type AppendedAudit, type Waiting, writeAuditBatch } from "#lib/server/audit/write-audit-batch.ts";

/** The chain takes one transaction at a time, each on the disk before the next: what waits meanwhile shares the next. */
const maxBatch = 64;
/** Callers wait at most this long until they are taken up; more than this many can never be served. */
const maxWaitMs = 5000;
const maxWaiting = 4000;

export type AuditQueue = {
  /** Rejects with whatever failed, or with what `within` threw. */
  append(order: Pick<Waiting, "entry" | "evidence" | "within">): Promise<AppendedAudit>;
};

// Next bundles each route apart: a queue that hung on this module would be one per route. What `within` throws comes
// back untouched, for its class is that of the caller's bundle.
const handle = Symbol.for("gatehouse.audit-queue");

/**
 * The queue of this pool, and so of this process: it lives as long as the pool does. However many wait, they take one
 * connection, and leave the others to whoever else asks.
 */
export function queueOf(pool: Pool): AuditQueue {
  const holder = pool as Pool & { [handle]?: AuditQueue };
  holder[handle] ??= createAuditQueue(pool);
  return holder[handle];
}

type Queued = Waiting & { overdue: NodeJS.Timeout };

function createAuditQueue(pool: Pool): AuditQueue {
  const waiting: Queued[] = [];
  let isRunning = false;

  function draw(): Queued[] {
    const drawn = waiting.splice(0, maxBatch);
    for (const { overdue } of drawn) clearTimeout(overdue);
    return drawn;
  }

  function giveUp(queued: Queued): void {
    const place = waiting.indexOf(queued);
    if (place === -1) return;
    waiting.splice(place, 1);
    queued.reject(new Error(`the audit chain was busy for ${maxWaitMs} ms`));
  }

  /** Waits for no batch to fill: who comes alone goes at once. */
  async function run(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    try {
      while (waiting.length > 0) waiting.unshift(...(await writeAuditBatch({ pool, draw })));
    } finally {
      isRunning = false;
    }
  }

  return {
    append: (order) =>
      new Promise((resolve, reject) => {
        if (waiting.length >= maxWaiting) return reject(new Error(`${maxWaiting} entries wait for the audit chain`));
        const overdue = setTimeout(() => giveUp(queued), maxWaitMs);
        const queued: Queued = { ...order, resolve, reject, overdue };
        waiting.push(queued);
        void run();
      }),
  };
}
