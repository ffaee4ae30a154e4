import type { Pool } from "pg";
import { eventRulesOf, storeWrites } from "#lib/server/kube-audit/store-writes.ts";
import { inTransaction } from "#lib/server/platform/db/in-transaction.ts";
import type { WebRuntime } from "#lib/server/process/web-runtime.ts";
import type { Batcher } from "#lib/server/webhooks/batch-calls.ts";
import type { CredentialGuard } from "#lib/server/webhooks/check-credential.ts";
import type { ClaimedCredential } from "#lib/server/webhooks/hook-secret.ts";
import type { CredentialRow } from "#lib/server/webhooks/read-call-facts.ts";

/** A batch of audit events as it comes in. Its body is read only once the caller is known. */
export type AuditDelivery = {
  cluster: string;
  credential: ClaimedCredential | undefined;
  address: string;
  readBody(): Promise<AuditBody>;
};
export type AuditBody = { kind: "bytes"; bytes: Buffer } | { kind: "missing" } | { kind: "too_large" };

export type AuditReason =
  | "stored"
  | "bad_credential"
  | "out_of_scope"
  | "unknown_cluster"
  | "rate_limited"
  | "busy"
  | "payload_too_large"
  | "bad_payload"
  | "store_unavailable";
export type AuditAnswer = { status: number; reason: AuditReason; events?: { stored: number; received: number } };

/** Finds a credential by its id. However many senders claim one, their lookups take one connection. */
export type CredentialLookUp = Batcher<string, { now: Date; credential: CredentialRow | undefined }>;

/** Batches that may be read at once: with the limit of a body, this bounds the memory that senders can take. */
const maxBodies = 4;
/** A batch of the largest size takes a thread a third of a second. */
const judgedWithinMs = 5000;
/** Another one starts after a thread was killed, which takes seconds on a busy machine. */
const threadWithinMs = 10_000;
/** A database that takes longer has not answered: the API server keeps the batch and sends it again. */
const answerWithinMs = 800;

const statusOf: Record<AuditReason, number> = {
  stored: 200,
  bad_payload: 400,
  bad_credential: 401,
  out_of_scope: 403,
  unknown_cluster: 403,
  payload_too_large: 413,
  rate_limited: 429,
  busy: 429,
  store_unavailable: 503,
};

/**
 * Takes batches of audit events. The API server sends a batch again after any failure (`retryOnError` of its webhook
 * backend), five times by default, and delays no other request for it. Never throws.
 */
export function createAuditReceiver({
  runtime,
  pool,
  guard,
  lookUp,
  onUsed,
  onFailure,
}: {
  runtime: WebRuntime;
  pool: Pool;
  guard: CredentialGuard;
  lookUp: CredentialLookUp;
  onUsed: (used: { id: string; now: Date }) => void;
  onFailure: (error: unknown) => void;
}): (delivery: AuditDelivery) => Promise<AuditAnswer> {
  let bodies = 0;
  async function judge(delivery: AuditDelivery): Promise<AuditAnswer> {
    const { cluster, credential, readBody } = delivery;
    const refusal = guard.refuseEarly(delivery);
    if (refusal !== undefined || credential === undefined) return answer(refusal ?? "bad_credential");
    const known = await inTime(lookUp(credential.id, performance.now() + answerWithinMs));
    const row = known.credential;
    const access = guard.check(delivery, { row, purpose: "kubernetes-audit" });
    if (access !== "granted") return answer(access);
    onUsed({ id: credential.id, now: known.now });
    // Only a sender that is known gets one of the places.
    if (bodies >= maxBodies) return answer("busy");
    bodies += 1;
    try {
      const body = await readBody();
      if (body.kind === "too_large") return answer("payload_too_large");
      if (body.kind === "missing") return answer("bad_payload");
      return await store({ cluster, bytes: body.bytes, namespaces: row?.namespaces ?? [] });
    } finally {
      bodies -= 1;
    }
  }

  type Batch = { cluster: string; bytes: Buffer; namespaces: readonly string[] };

  async function store({ cluster: name, bytes, namespaces }: Batch): Promise<AuditAnswer> {
    const cluster = runtime.config().config.clusters.find((known) => known.name === name);
    if (cluster === undefined) return answer("unknown_cluster");
    // A thread parses it: the event loop also answers gates. A copy, since a view would send all of Buffer's pool.
    const input = { bytes: new Uint8Array(bytes), rules: eventRulesOf({ ...cluster, namespaces }) };
    const judged = await runtime.evaluations.run("judgeEventList", input, {
      ...{ owner: `audit of ${name}`, most: maxBodies, limitMs: judgedWithinMs, waitMs: threadWithinMs },
    });
    if ("refused" in judged) {
      if (judged.refused === "failed") throw new Error(`audit events could not be judged: ${judged.error}`);
      return answer(judged.refused === "too-long" ? "bad_payload" : "busy");
    }
    if (judged.value === undefined) return answer("bad_payload");
    const { writes, unreadable, received } = judged.value;
    const { stored, own } =
      writes.length === 0
        ? { stored: 0, own: 0 }
        : await inTime(inTransaction(pool, (tx) => storeWrites(tx, name, writes)));
    const kept = writes.length - own;
    const { auditEvents } = runtime.metrics;
    auditEvents.inc({ cluster: name, result: "stored" }, stored);
    auditEvents.inc({ cluster: name, result: "duplicate" }, kept - stored);
    auditEvents.inc({ cluster: name, result: "unreadable" }, unreadable);
    auditEvents.inc({ cluster: name, result: "left_out" }, received - kept - unreadable);
    return { ...answer("stored"), events: { stored, received } };
  }

  return async (delivery) => {
    const given = await judge(delivery).catch((error: unknown) => {
      onFailure(error);
      return answer("store_unavailable");
    });
    const isKnown = runtime.config().config.clusters.some(({ name }) => name === delivery.cluster);
    runtime.metrics.auditDeliveries.inc({ cluster: isKnown ? delivery.cluster : "", reason: given.reason });
    return given;
  };
}

function answer(reason: AuditReason): AuditAnswer {
  return { status: statusOf[reason], reason };
}

async function inTime<Value>(work: Promise<Value>): Promise<Value> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error("the database did not answer in time")), answerWithinMs);
  // It may still fail when it is no longer awaited.
  work.catch(() => {});
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
