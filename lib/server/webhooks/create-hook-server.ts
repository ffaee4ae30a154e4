import pg, { type Pool } from "pg";
import { checkRequest, decideHook, type HookWorld } from "#lib/domain/flagger/gates/decide-hook.ts";
import type { HookAnswer } from "#lib/domain/flagger/gates/hook-answer.ts";
import { type HookPayload, isGate, parseEventPayload } from "#lib/domain/flagger/gates/hook-payload.ts";
import { isPooled } from "#lib/server/platform/config/environment.ts";
import { transactionTime } from "#lib/server/platform/db/database-time.ts";
import { hearErrors, serverLimits } from "#lib/server/platform/db/pools.ts";
import { write } from "#lib/server/platform/db/run-query.ts";
import { type Columns, tables } from "#lib/server/platform/db/tables.ts";
import { assertSchemaReady } from "#lib/server/process/assert-schema-ready.ts";
import type { WebRuntime } from "#lib/server/process/web-runtime.ts";
import { type Batcher, batchCalls } from "#lib/server/webhooks/batch-calls.ts";
import { type CredentialGuard, createCredentialGuard } from "#lib/server/webhooks/check-credential.ts";
import { type Deadline, type HookCall, msUntil } from "#lib/server/webhooks/hook-call.ts";
import { createHookLog, type HookLog } from "#lib/server/webhooks/hook-log.ts";
import { judgeCall } from "#lib/server/webhooks/judge-call.ts";
import { type CallFacts, type CallKey, readCallFacts, readCredentials } from "#lib/server/webhooks/read-call-facts.ts";
import {
  type AuditAnswer,
  type AuditDelivery,
  type CredentialLookUp,
  createAuditReceiver,
} from "#lib/server/webhooks/receive-audit.ts";
import { deleteUnmatchedMessages, type NewMessage, storeMessages } from "#lib/server/webhooks/store-messages.ts";

/** Answers Flagger's hook calls, and takes audit events. Never throws, and never answers later than the deadline. */
export type HookServer = {
  answer(call: HookCall, deadline: Deadline): Promise<HookAnswer>;
  /** Takes a batch of audit events of a cluster's API server. */
  receiveAudit(delivery: AuditDelivery): Promise<AuditAnswer>;
  /** Writes the calls that are not logged yet. */
  flush(): Promise<void>;
  close(): Promise<void>;
};

type Parts = {
  runtime: WebRuntime;
  pool: Pool;
  guard: CredentialGuard;
  log: HookLog;
  readFacts: Batcher<CallKey, CallFacts>;
  lookUp: CredentialLookUp;
  storeMessage: Batcher<NewMessage, { isNew: boolean }>;
  /** When each credential was last noted as used, in ms since 1970. */
  usedAt: Map<string, number>;
  failures: { count: number; silentUntil: number };
};

const usedEveryMs = 60_000;
const logEveryMs = 5000;
const cleanEveryMs = 3_600_000;

function createHookServer(runtime: WebRuntime): HookServer {
  const url = runtime.environment.databaseUrl;
  if (url === undefined) throw new Error("hooks need a database");
  const pool = createHookPool({
    url,
    isPooled: isPooled(runtime.environment),
    onError: () => runtime.metrics.databaseErrors.inc(),
  });
  const log = createHookLog({ pool, log: runtime.log });
  const parts: Parts = {
    runtime,
    pool,
    log,
    guard: createCredentialGuard(runtime),
    readFacts: batchCalls({
      work: async (calls) => {
        await assertSchemaReady(runtime);
        return readCallFacts(pool, calls);
      },
    }),
    lookUp: batchCalls({
      work: async (ids) => {
        await assertSchemaReady(runtime);
        return readCredentials(pool, ids);
      },
      maxBatches: 1,
    }),
    storeMessage: batchCalls({ work: (messages) => storeMessages(pool, messages), maxBatches: 1 }),
    usedAt: new Map(),
    failures: { count: 0, silentUntil: 0 },
  };
  const clean = setInterval(() => void deleteUnmatchedMessages(pool).catch(() => {}), cleanEveryMs).unref();
  const receiveAudit = createAuditReceiver({
    ...{ runtime, pool, guard: parts.guard, lookUp: parts.lookUp },
    onUsed: (used) => noteUse(parts, used),
    onFailure: (error) => noteFailure(parts, error),
  });
  return {
    answer: (call, deadline) => answer(parts, { call, deadline }),
    receiveAudit,
    flush: log.flush,
    close: async () => {
      clearInterval(clean);
      await log.flush();
      await pool.end();
    },
  };
}

type Asked = { call: HookCall; deadline: Deadline };

async function answer(parts: Parts, { call, deadline }: Asked): Promise<HookAnswer> {
  const checked = checkRequest(call);
  const given = checked.ok ? await answerChecked(parts, { call, deadline, payload: checked.payload }) : checked.answer;
  const { type } = call;
  const { decision, reason } = given;
  parts.runtime.metrics.gateRequests.inc({ type, decision, reason });
  return given;
}

type Checked = Asked & { payload: HookPayload };
/** An answer, and whether its call is logged: only those of callers that we know are. */
type Given = { answer: HookAnswer; isLogged: boolean };

async function answerChecked(parts: Parts, { call, deadline, payload }: Checked): Promise<HookAnswer> {
  const unknown = (why: "store_unavailable" | "timeout"): Given => ({
    answer: decideHook({ request: call, world: { kind: "unknown", why } }),
    isLogged: parts.guard.isRemembered(call),
  });
  const late = Promise.withResolvers<Given>();
  const timer = setTimeout(() => late.resolve(unknown("timeout")), msUntil(deadline));
  const found = answerInTime(parts, { call, deadline, payload }).catch((error: unknown): Given => {
    if (msUntil(deadline) === 0) return unknown("timeout");
    noteFailure(parts, error);
    return unknown("store_unavailable");
  });
  const { answer: given, isLogged } = await Promise.race([found, late.promise]);
  clearTimeout(timer);
  if (isLogged) {
    const { cluster, type, label } = call;
    parts.log.add({ at: parts.runtime.now(), cluster, type, label, payload, answer: given });
  }
  return given;
}

async function answerInTime(parts: Parts, { call, deadline, payload }: Checked): Promise<Given> {
  const { guard, readFacts, lookUp, runtime } = parts;
  const { cluster, credential, type } = call;
  const refusal = guard.refuseEarly(call);
  if (refusal !== undefined || credential === undefined)
    return { answer: decide(call, { kind: "known", access: refusal ?? "bad_credential" }), isLogged: false };
  const { namespace, name } = payload;
  if (guard.isSuspect(call)) {
    const { credential: row } = await lookUp(credential.id, deadline);
    const access = guard.check(call, { row, purpose: "flagger", namespace });
    if (access !== "granted") return { answer: decide(call, { kind: "known", access }), isLogged: false };
  }
  const read = () => readFacts({ credentialId: credential.id, cluster, namespace, name }, deadline);
  const facts = await read();
  const access = guard.check(call, { row: facts.credential, purpose: "flagger", namespace });
  // Calls outside the credential's scope are not logged: they could be taken for a canary's own call.
  if (access !== "granted") return { answer: decide(call, { kind: "known", access }), isLogged: false };
  noteUse(parts, { id: credential.id, now: facts.now });
  if (isGate(type)) {
    const answer = await judgeCall({ runtime, call, gate: type, payload, facts, readFacts: read, deadline });
    return { answer, isLogged: true };
  }
  const event = type === "event" ? await storeEvent(parts, { call, facts, deadline }) : undefined;
  return { answer: decide(call, { kind: "known", access, ...(event && { event }) }), isLogged: true };
}

function decide(request: HookCall, world: HookWorld): HookAnswer {
  return decideHook({ request, world });
}

async function storeEvent({ storeMessage }: Parts, { call, facts, deadline }: Asked & { facts: CallFacts }) {
  const said = call.body.kind === "json" ? parseEventPayload(call.body.value) : undefined;
  if (said === undefined) return undefined;
  const { rollout, now } = facts;
  const skewMs = said.controllerTimeMs - now.getTime();
  const message: NewMessage = {
    ...said,
    cluster: call.cluster,
    canary: rollout === undefined ? undefined : { uid: rollout.uid, rolloutId: rollout.id },
  };
  const { isNew } = await storeMessage(message, deadline);
  return { isDuplicate: !isNew, isKnownCanary: rollout !== undefined, skewMs };
}

/** Logs the first failure, and how many followed: without the database, every call fails. */
function noteFailure({ runtime, failures }: Parts, error: unknown): void {
  runtime.metrics.databaseErrors.inc();
  failures.count += 1;
  if (performance.now() < failures.silentUntil) return;
  runtime.log.warn({ err: error, calls: failures.count }, "hook calls could not be judged");
  failures.count = 0;
  failures.silentUntil = performance.now() + logEveryMs;
}

/** Notes once a minute that a credential is in use. That it cannot be noted changes nothing. */
function noteUse({ pool, usedAt }: Parts, { id, now }: { id: string; now: Date }): void {
  if (now.getTime() - (usedAt.get(id) ?? 0) < usedEveryMs) return;
  usedAt.set(id, now.getTime());
  write(
    pool,
    tables
      .updateTable("hook_credential")
      .set(() => ({ last_used_at: transactionTime }) satisfies Columns<"hook_credential">)
      .where("id", "=", id),
  ).catch(() => {});
}

/** A call is answered within a second: a database that takes longer than this has not answered. */
const answerWithinMs = 700;

/**
 * Creates the pool that only hook calls use: a page that keeps the other pool busy must not close a gate. A silent
 * database costs a connection, not the next call.
 */
export function createHookPool({
  url,
  isPooled,
  onError,
}: {
  url: string;
  /** A pooler is in between: see `serverLimits`. */
  isPooled: boolean;
  onError: (error: Error) => void;
}): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: 8,
    connectionTimeoutMillis: answerWithinMs,
    idleTimeoutMillis: 30_000,
    ...serverLimits({ isPooled, statementMs: answerWithinMs }),
    query_timeout: answerWithinMs,
    keepAlive: true,
    application_name: "gatehouse-hooks",
  });
  hearErrors(pool, onError);
  return pool;
}

const servers = new WeakMap<WebRuntime, HookServer>();

/** Returns the hook server of a process's runtime; undefined before there is a runtime. Creates it on first use. */
export function hookServerOf(runtime: WebRuntime | undefined): HookServer | undefined {
  if (runtime === undefined) return undefined;
  const server = servers.get(runtime) ?? createHookServer(runtime);
  servers.set(runtime, server);
  return server;
}

/** Ends the hook server of a runtime that is about to end. */
export async function closeHookServer(runtime: WebRuntime): Promise<void> {
  await servers.get(runtime)?.close();
}
