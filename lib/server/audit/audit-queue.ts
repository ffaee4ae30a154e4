import type { Pool } from "pg";
import { type AppendedAudit, type Waiting, writeAuditBatch } from "#lib/server/audit/write-audit-batch.ts";

/**
 * The chain takes one transaction at a time, each on disk before the next: entries that wait meanwhile share the next.
 */
const maxBatch = 64;
/** Callers wait at most this long until they are served; more than this many can never be served. */
const maxWaitMs = 5000;
const maxWaiting = 4000;

export type AuditQueue = {
  /** Rejects with the underlying failure, or with what `within` threw. */
  append(order: Pick<Waiting, "entry" | "evidence" | "within">): Promise<AppendedAudit>;
};

// Next bundles each route separately: a queue stored in this module would exist once per route. What `within` throws is
// returned untouched, since its class is that of the caller's bundle.
const handle = Symbol.for("gatehouse.audit-queue");

/**
 * Returns the queue of this pool, and so of this process: it lives as long as the pool. All waiting callers together
 * take one connection, and leave the others to the rest of the process.
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

  /** Does not wait for a batch to fill: a single caller goes at once. */
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
