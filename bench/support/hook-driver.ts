import { randomUUID } from "node:crypto";
import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { computeChecksum } from "#lib/domain/flagger/gates/checksum.ts";
import { createHookSecret, hashHookSecret } from "#lib/server/hooks/hook-secret.ts";
import { type Gatehouse, waitUntil } from "./start-gatehouse.ts";

export type HookedCanaries = {
  names: string[];
  checksum: string;
  /** User and password of the calls. */
  credential: string;
};

export type HookResult = {
  /** From when a call was due until it was answered. */
  ms: number[];
  /** Calls that Flagger would take as passed. */
  passed: number;
  /** Those of them whose gate nobody approved. */
  wrong: number;
  /** Without an answer, or with one that Flagger would retry. */
  failed: number;
  behindMs: number;
};

export type HookDriver = {
  /** Calls gates at a steady rate, whether or not earlier calls are answered; ends when all are. */
  run(options: { perSecond: number; seconds: number }): Promise<HookResult>;
  /** Resolves once the approved gate passes. */
  untilAnswered(): Promise<void>;
  close(): void;
};

const namespace = "bench";

/** Writes canaries as the recorder would, a credential, and one approval: of the first canary's promotion. */
export async function addCanaries(gatehouse: Gatehouse, count: number): Promise<HookedCanaries> {
  const status = { phase: "Progressing", canaryWeight: 20, lastAppliedSpec: "7d9c8f6b5", trackedConfigs: {} };
  const names = Array.from({ length: count }, (_, index) => `canary-${index}`);
  const rows = names.map((name) => ({ id: randomUUID(), uid: randomUUID(), name }));
  const objects = rows.map(({ uid, name }) => ({
    kind: "Canary",
    metadata: { namespace, name, uid },
    spec: { targetRef: { kind: "Deployment", name }, analysis: { stepWeight: 20, maxWeight: 60 } },
    status,
  }));
  await gatehouse.query(
    `INSERT INTO rollout (id, cluster, namespace, kind, name, uid, phase, message, step_count, view_digest, revision_key,
       resource_version, object, updated_at)
     SELECT id, 'bench', $2, 'Canary', object #>> '{metadata,name}', object #>> '{metadata,uid}', 'Progressing', '', 0, 'd',
       '', '1', object, now() FROM unnest($1::uuid[], $3::jsonb[]) AS w (id, object)`,
    [rows.map(({ id }) => id), namespace, objects.map((object) => JSON.stringify(object))],
  );
  await gatehouse.query(
    `INSERT INTO source (id, cluster, resource, kind, state, watch_contact_at, read_contact_at, stale_after_ms)
     VALUES ('canaries', 'bench', 'canaries', 'Canary', 'live', now(), now(), 3600000)`,
  );
  const [id, secret, checksum] = [randomUUID(), createHookSecret(), computeChecksum(status)];
  await gatehouse.query(
    `INSERT INTO hook_credential (id, name, cluster, namespaces, secret_hash, created_by)
     VALUES ($1, 'bench', 'bench', '{*}', $2, 'bench')`,
    [id, hashHookSecret(secret)],
  );
  await gatehouse.query(
    `INSERT INTO gate_decision (id, rollout_id, cluster, namespace, kind, name, uid, gate, verdict, bound, actor_name,
       reason, expires_at)
     VALUES ($1, $2, 'bench', $3, 'Canary', $4, $5, 'confirm-promotion', 'approve', $6, 'bench', 'bench',
       now() + interval '1 hour')`,
    [randomUUID(), rows[0]?.id, namespace, names[0], rows[0]?.uid, JSON.stringify({ checksum })],
  );
  return { names, checksum, credential: `${id}:${secret}` };
}

export function startHookDriver({ port, canaries }: { port: number; canaries: HookedCanaries }): HookDriver {
  const agent = new Agent({ keepAlive: true, maxSockets: 1200 });
  const { names, checksum, credential } = canaries;
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
    async run({ perSecond, seconds }) {
      const result: HookResult = { ms: [], passed: 0, wrong: 0, failed: 0, behindMs: 0 };
      const total = perSecond * seconds;
      const startedAt = performance.now();
      const open: Promise<void>[] = [];
      const send = async (index: number): Promise<void> => {
        const dueAt = startedAt + (index * 1000) / perSecond;
        result.behindMs = Math.max(result.behindMs, performance.now() - dueAt);
        const at = index % names.length;
        const status = await call(names[at]);
        result.ms.push(performance.now() - dueAt);
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
