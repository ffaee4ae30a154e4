import type { Pool } from "pg";
import type { AuditActor, AuditDraft, Evidence } from "#lib/domain/audit/audit-entry.ts";
import { type AppendedAudit, type Waiting, type Within, writeAuditBatch } from "#lib/server/audit/write-audit-batch.ts";
import { auditActorOf, type StoreContext } from "#lib/server/platform/actor/actor.ts";
import { isServiceError, ServiceError } from "#lib/server/platform/actor/service-error.ts";

/**
 * Appends one entry to the chain: gapless seq, the database's time, the evidence row and a change-log row. Resolves
 * once it is committed. `within` runs in the same transaction, so that what depends on the entry is committed or rolled
 * back with it. It may use only the connection it is given, and blocks the chain while it runs. Throws `ServiceError`
 * `audit_unavailable` for every failure: then the caller must not act. If the commit was not confirmed, the entry may
 * exist anyway.
 */
export async function appendAudit({
  pool,
  entry,
  evidence,
  within,
}: {
  pool: Pool;
  entry: AuditDraft;
  evidence?: Evidence | undefined;
  within?: Within | undefined;
}): Promise<AppendedAudit> {
  try {
    return await queueOf(pool).append({ entry, evidence, within });
  } catch (cause) {
    if (isServiceError(cause)) throw cause;
    throw new ServiceError(
      "audit_unavailable",
      "The audit log could not be written, so nothing was done. Try again when the database is back.",
      { cause },
    );
  }
}

type Change = Omit<AuditDraft, "actor" | "source" | "requestId"> & { within?: Within };

/** Appends what a caller changes in Gatehouse itself: `within` makes the change. Throws as `appendAudit` does. */
export function appendChange(
  { runtime, actor, requestId }: StoreContext,
  { within, ...change }: Change,
): Promise<AppendedAudit> {
  const entry: AuditDraft = {
    actor: auditActorOf(actor),
    source: "gatehouse",
    requestId,
    outcome: "applied",
    ...change,
  };
  return appendAudit({ pool: runtime.pool, entry, within });
}

/**
 * The chain takes one transaction at a time, each on disk before the next: entries that wait meanwhile share the next.
 */
const maxBatch = 64;
/** Callers wait at most this long until they are served; more than this many can never be served. */
const maxWaitMs = 5000;
const maxWaiting = 4000;

type AuditQueue = {
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

/** Gatehouse itself, for events that it discovers on its own. */
export const systemActor: AuditActor = { type: "system", name: "Gatehouse" };
