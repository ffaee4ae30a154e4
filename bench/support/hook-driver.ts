import { randomUUID } from "node:crypto";
import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { HookPurpose } from "#lib/contract/hook.ts";
import { computeChecksum } from "#lib/domain/flagger/gates/checksum.ts";
import { createHookSecret, hashHookSecret } from "#lib/server/webhooks/hook-secret.ts";
import type { BenchCluster } from "./start-cluster.ts";
import { type Gatehouse, waitUntil } from "./start-gatehouse.ts";

export type HookedCanaries = {
  names: string[];
  namespace: string;
  checksum: string;
  /** User and password of the calls. */
  credential: string;
};

export type HookResult = {
  /** Times from when a call was due until its answer. */
  ms: number[];
  /** Calls that Flagger would take as passed. */
  passed: number;
  /** Passed calls whose gate was not approved. */
  wrong: number;
  /** Calls without an answer, or with one that Flagger would retry. */
  failed: number;
  behindMs: number;
};

export type HookDriver = {
  /**
   * Calls gates at a steady rate, whether or not earlier calls are answered; ends when all are. `onAnswer` gets the time
   * of an answer, and when its call was due since the start.
   */
  run(options: {
    perSecond: number;
    seconds: number;
    onAnswer?: (ms: number, dueMs: number) => void;
  }): Promise<HookResult>;
  /** Resolves once the approved gate passes. */
  untilAnswered(): Promise<void>;
  close(): void;
};

const namespace = "bench";
const status = { phase: "Progressing", canaryWeight: 20, lastAppliedSpec: "7d9c8f6b5", trackedConfigs: {} };

/** Writes canaries as the recorder would, a credential, and one approval: of the first canary's promotion. */
export async function addCanaries(gatehouse: Gatehouse, count: number): Promise<HookedCanaries> {
  const names = Array.from({ length: count }, (_, index) => `canary-${index}`);
  const rows = names.map((name) => ({ id: randomUUID(), uid: randomUUID(), name }));
  const objects = rows.map(({ uid, name }) => ({
    kind: "Canary",
    metadata: { namespace, name, uid },
    spec: { targetRef: { kind: "Deployment", name }, analysis: { stepWeight: 20, maxWeight: 60 } },
    status,
  }));
  await gatehouse.query(
    `WITH known AS (INSERT INTO cluster (name) VALUES ('bench') ON CONFLICT DO NOTHING)
     INSERT INTO rollout (id, cluster, namespace, kind, name, uid, phase, message, step_count, view_digest, revision_key,
       resource_version, object, updated_at)
     SELECT id, 'bench', $2, 'Canary', object #>> '{metadata,name}', object #>> '{metadata,uid}', 'Progressing', '', 0, 'd',
       '', '1', object, now() FROM unnest($1::uuid[], $3::jsonb[]) AS w (id, object)`,
    [rows.map(({ id }) => id), namespace, objects.map((object) => JSON.stringify(object))],
  );
  await gatehouse.query(
    `WITH known AS (INSERT INTO cluster (name) VALUES ('bench') ON CONFLICT DO NOTHING)
     INSERT INTO source (id, cluster, resource, kind, state, watch_contact_at, read_contact_at, stale_after_ms)
     VALUES ('canaries', 'bench', 'canaries', 'Canary', 'live', now(), now(), 3600000)`,
  );
  const checksum = computeChecksum(status);
  await approvePromotion(gatehouse, { name: names[0] ?? "", checksum });
  return { names, namespace, checksum, credential: await addCredential(gatehouse, { cluster: "bench" }) };
}

/** Adds a canary that the recorder of a live cluster records, and approves its promotion once it has done so. */
export async function addLiveCanary(gatehouse: Gatehouse, cluster: BenchCluster): Promise<HookedCanaries> {
  const [name, liveNamespace] = ["gate", "team-1"];
  const object = {
    apiVersion: "flagger.app/v1beta1",
    kind: "Canary",
    metadata: { namespace: liveNamespace, name },
    spec: { targetRef: { kind: "Deployment", name }, analysis: { stepWeight: 20, maxWeight: 60 } },
    status,
  };
  await cluster.putObject({ resource: "canaries", object });
  await waitUntil({
    what: "the canary is recorded",
    withinMs: 60_000,
    check: async () => (await gatehouse.query("SELECT FROM rollout WHERE name = $1", [name])).length > 0,
  });
  const checksum = computeChecksum(status);
  await approvePromotion(gatehouse, { name, checksum });
  const credential = await addCredential(gatehouse, { cluster: "bench" });
  return { names: [name], namespace: liveNamespace, checksum, credential };
}

/** Returns user and password of a new credential. */
export async function addCredential(
  gatehouse: Gatehouse,
  {
    cluster,
    namespaces = ["*"],
    purpose = "flagger",
  }: { cluster: string; namespaces?: string[]; purpose?: HookPurpose },
): Promise<string> {
  const [id, secret] = [randomUUID(), createHookSecret()];
  await gatehouse.query(
    `INSERT INTO hook_credential (id, name, cluster, namespaces, purpose, secret_hash, created_by)
     VALUES ($1, 'bench', $2, $3, $4, $5, 'bench')`,
    [id, cluster, namespaces, purpose, hashHookSecret(secret)],
  );
  return `${id}:${secret}`;
}

async function approvePromotion(gatehouse: Gatehouse, { name, checksum }: { name: string; checksum: string }) {
  await gatehouse.query(
    `WITH made AS (
       INSERT INTO action (id, rollout_id, cluster, namespace, kind, name, action, state, actor_key, actor_name,
         view_digest, request_hash, request_id)
       SELECT $1, id, cluster, namespace, kind, name, 'x', 'effective', 'x', 'x', '', '', '' FROM rollout WHERE name = $2)
     INSERT INTO gate_decision (id, rollout_id, cluster, namespace, kind, name, uid, gate, verdict, bound, actor_name,
       reason, expires_at)
     SELECT $1, id, cluster, namespace, kind, name, uid, 'confirm-promotion', 'approve', $3, 'bench', 'bench',
       now() + interval '3 hours' FROM rollout WHERE name = $2`,
    [randomUUID(), name, JSON.stringify({ checksum })],
  );
}

export function startHookDriver({ port, canaries }: { port: number; canaries: HookedCanaries }): HookDriver {
  const agent = new Agent({ keepAlive: true, maxSockets: 1200 });
  const { names, namespace, checksum, credential } = canaries;
  const authorization = `Basic ${Buffer.from(credential).toString("base64")}`;

  /** Calls the promotion gate of one canary; the status is undefined if there was no answer. */
  function call(name: string | undefined): Promise<number | undefined> {
    const body = JSON.stringify({ name, namespace, phase: "Progressing", checksum });
    const headers = { authorization, "content-type": "application/json", "content-length": Buffer.byteLength(body) };
    return new Promise((resolve) => {
      const path = "/hooks/flagger/bench/confirm-promotion";
      const sent = request({ agent, host: "127.0.0.1", port, path, method: "POST", headers }, (response) => {
        response.resume();
        response.once("end", () => resolve(response.statusCode));
      });
      // The server had closed the idle connection meanwhile: any client tries such a call again.
      sent.once("error", () => resolve(sent.reusedSocket ? call(name) : undefined));
      sent.end(body);
    });
  }

  return {
    async run({ perSecond, seconds, onAnswer }) {
      const result: HookResult = { ms: [], passed: 0, wrong: 0, failed: 0, behindMs: 0 };
      const total = perSecond * seconds;
      const startedAt = performance.now();
      const open: Promise<void>[] = [];
      const send = async (index: number): Promise<void> => {
        const dueAt = startedAt + (index * 1000) / perSecond;
        result.behindMs = Math.max(result.behindMs, performance.now() - dueAt);
        const at = index % names.length;
        const status = await call(names[at]);
        const ms = performance.now() - dueAt;
        result.ms.push(ms);
        onAnswer?.(ms, dueAt - startedAt);
        if (status === undefined || status === 429 || status >= 500) result.failed += 1;
        else if (status <= 202) {
          result.passed += 1;
          if (at !== 0) result.wrong += 1;
        }
      };
      for (let sent = 0; sent < total; ) {
        const due = Math.min(total, Math.floor(((performance.now() - startedAt) * perSecond) / 1000) + 1);
        while (sent < due) open.push(send(sent++));
        await sleep(1);
      }
      await Promise.all(open);
      return result;
    },
    untilAnswered: () =>
      waitUntil({
        what: "the approved gate passes",
        withinMs: 30_000,
        check: async () => (await call(names[0])) === 200,
      }),
    close: () => agent.destroy(),
  };
}
