import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { parseEntryText } from "#lib/domain/audit/audit-entry.ts";
import { formatAuditSentence, joinSentence } from "#lib/domain/audit/audit-sentence.ts";
import { judgeEvents } from "#lib/domain/kube-audit/judge-event-list.ts";
import { appendAudit } from "#lib/server/audit/append-audit.ts";
import { verifyAudit } from "#lib/server/audit/verify-audit.ts";
import { eventRulesOf, storeWrites } from "#lib/server/kube-audit/store-writes.ts";
import { inTransaction } from "#lib/server/platform/db/in-transaction.ts";
import type { KubeObject } from "#sandbox/apiserver/store-types.ts";
import { type AuditEventOptions, makeAuditEvent } from "#test/audit-events.ts";
import { rolloutStatus, sampleRollout, sampleRun } from "#test/recorder-samples.ts";
import { createRecorderWorld, type RecorderWorld, waitFor } from "#test/recorder-world.ts";
import { createTestPool } from "#test/test-pool.ts";
import type { Attributing } from "./append-unasked.ts";
import { attributeChanges } from "./attribute-changes.ts";
import { reviewObservations } from "./review-observations.ts";
import { reviewTerminations } from "./review-terminations.ts";

let world: RecorderWorld;
let pool: ReturnType<typeof createTestPool>;
let settleSeconds = 0;
let now = () => new Date(Date.now() + 10_000);
let names = 0;
beforeAll(async () => {
  world = await createRecorderWorld();
  pool = createTestPool(world.database.recorderUrl, 4);
  await world.start();
});
beforeEach(() => {
  settleSeconds = 0;
  now = () => new Date(Date.now() + 10_000);
});
afterAll(async () => {
  await pool.end();
  await world.close();
});

const rules = () => ({
  controllers: world.config.controllers,
  kubernetesAudit: { ...world.config.kubernetesAudit, settleSeconds },
});
const attributing: Attributing = {
  rulesOf: (name) => (name === world.cluster ? rules() : undefined),
  now: () => now(),
};
const onError = (error: unknown) => {
  throw error;
};
const review = async () => {
  await reviewObservations({ pool, place: { seen: 0n }, attributing, onError });
  await reviewTerminations({ pool, attributing, onError });
};
const attribute = () => attributeChanges({ pool, attributing, onError });

async function deliver(...events: AuditEventOptions[]): Promise<void> {
  const { writes } = judgeEvents(events.map(makeAuditEvent), eventRulesOf({ ...rules(), namespaces: ["*"] }));
  await inTransaction(pool, (tx) => storeWrites(tx, world.cluster, writes));
}

/** Records a new rollout and its abort with kubectl. Returns its name and the resource version of the abort. */
async function addAborted(): Promise<{ name: string; version: string }> {
  names += 1;
  const name = `rollout-${names}`;
  const { store } = world.sandbox;
  const set = (status: Record<string, unknown>, manager: string) => {
    const object = store.get("rollouts", "shop", name) as KubeObject;
    return store.update("rollouts", { ...object, status }, { manager, subresource: "status" });
  };
  const observed = (count: number) =>
    waitFor(`${count} observations of ${name}`, async () => {
      const [row] = await world.query<{ count: number }>(
        "SELECT count(*)::int AS count FROM observation o JOIN rollout r ON r.id = o.rollout_id WHERE r.name = $1",
        [name],
      );
      return row?.count === count;
    });
  store.create("rollouts", sampleRollout({ name }), { manager: "kubectl" });
  await observed(1);
  const status = rolloutStatus({ currentPodHash: "bbb", stableRS: "aaa", currentStepIndex: 1 });
  set(status, "rollouts-controller");
  await observed(2);
  await review();
  const { metadata } = set({ ...status, abort: true }, "kubectl-argo-rollouts");
  await observed(3);
  return { name, version: metadata.resourceVersion };
}

async function entriesOf(name: string) {
  const rows = await world.query<{ entry: string; seq: string }>(
    "SELECT entry, seq FROM audit_entry WHERE name = $1 AND source = 'cluster' ORDER BY seq",
    [name],
  );
  return rows.map(({ entry: text }) => {
    const entry = parseEntryText(text);
    if (entry === undefined) throw new Error("not an entry");
    return { ...entry, text, sentence: joinSentence(formatAuditSentence(entry)) };
  });
}

const sentencesOf = async (name: string) => (await entriesOf(name)).map(({ sentence }) => sentence);

describe("an event that came before the entry", () => {
  it("names the person in the entry itself", async () => {
    const { name } = await addAborted();
    await deliver({ name });
    await review();
    const [entry, ...others] = await entriesOf(name);
    expect(others).toEqual([]);
    expect(entry).toMatchObject({
      code: "cluster.abort",
      actor: { type: "kubernetes-user", name: "sre-oncall@example.com" },
      detail: {
        client: "kubectl-argo-rollouts",
        person: { found: true, type: "user", program: "kubectl-argo-rollouts", evidence: "time" },
      },
    });
    expect(entry?.sentence).toMatch(/^sre-oncall@example\.com, with kubectl-argo-rollouts, aborted shop\/rollout-\d+/);
    expect(await attribute()).toEqual({ found: 0 });
  });

  it("leaves groups and addresses out of the chain, which is kept for ever", async () => {
    const { name } = await addAborted();
    await deliver({ name });
    await review();
    const [entry] = await entriesOf(name);
    expect(entry?.text).not.toContain("192.0.2.7");
    expect(entry?.text).not.toContain("system:authenticated");
  });
});

describe("an event that comes later", () => {
  it("makes one more entry, and leaves the former as it is", async () => {
    const { name } = await addAborted();
    await review();
    const [former] = await entriesOf(name);
    expect(former?.actor).toEqual({ type: "unknown", name: "kubectl-argo-rollouts" });
    expect(await attribute()).toEqual({ found: 0 });
    await deliver({ name });
    expect(await attribute()).toEqual({ found: 1 });
    expect(await attribute()).toEqual({ found: 0 });
    const [same, later, ...others] = await entriesOf(name);
    expect([same?.text, others]).toEqual([former?.text, []]);
    expect(later).toMatchObject({
      code: "cluster.attributed",
      action: "abort",
      actor: { type: "kubernetes-user", name: "sre-oncall@example.com" },
      detail: { explains: former?.seq, client: "kubectl-argo-rollouts" },
    });
    expect(later?.sentence).toBe(
      `sre-oncall@example.com, with kubectl-argo-rollouts, aborted shop/${name} (entry ${former?.seq})`,
    );
    expect(await verifyAudit({ client: pool })).toMatchObject({ ok: true });
  });

  it("is written once, if two processes find it", async () => {
    const { name } = await addAborted();
    await review();
    await deliver({ name });
    const found = await Promise.all([attribute(), attribute(), attribute()]);
    expect(found.reduce((sum, one) => sum + one.found, 0)).toBe(1);
    expect(await sentencesOf(name)).toHaveLength(2);
  });

  it("is looked for, however many changes stay open before it", async () => {
    const { name } = await addAborted();
    await review();
    const entry = { actor: { type: "unknown" as const, name: "" }, source: "cluster" as const, code: "cluster.abort" };
    const others = await Promise.all(
      Array.from({ length: 450 }, () => appendAudit({ pool, entry: { ...entry, requestId: "never" } })),
    );
    const seqs = others.map(({ seq }) => seq);
    // A cluster without audit events, or one whose events fit nothing.
    await world.query(
      `INSERT INTO unasked_change (rollout_id, observation_id, audit_seq, cluster, namespace, kind, name, target_kind,
         target_name, action, client, window_from, window_to, at, state)
       SELECT gen_random_uuid(), 0, seq, cluster, namespace, kind, 'never-' || n, target_kind, target_name, action, client,
         window_from, window_to, at - interval '1 minute', 'open'
         FROM unasked_change, unnest($2::bigint[]) WITH ORDINALITY AS other (seq, n) WHERE name = $1`,
      [name, seqs],
    );
    await deliver(...Array.from({ length: 250 }, (_, n) => ({ name: `never-${n + 1}`, agent: "kubectl" })));
    const dueNow = "SELECT FROM unasked_change WHERE state = 'open' AND look_at <= now()";
    const passes: number[] = [];
    for (let pass = 0; pass < 4; pass++) {
      passes.push((await attribute()).found);
      if (pass === 2) expect(await world.query(dueNow)).toEqual([]);
    }
    expect(passes).toEqual([0, 0, 0, 0]);
    await deliver({ name });
    expect(await attribute()).toEqual({ found: 1 });
    await world.query("DELETE FROM unasked_change WHERE audit_seq = ANY($1)", [seqs]);
  });

  it("is looked for ever more rarely, and once when it is settled", async () => {
    const { name } = await addAborted();
    await review();
    settleSeconds = 40;
    const secondsToLook = async () => {
      const sql = "SELECT EXTRACT(epoch FROM look_at - now())::float8 AS seconds FROM unasked_change WHERE name = $1";
      return (await world.query<{ seconds: number }>(sql, [name]))[0]?.seconds;
    };
    const waitedFor = (time: string) =>
      world.query(
        `UPDATE unasked_change SET look_at = now(), at = now() - $2::interval,
           window_to = now() - $2::interval WHERE name = $1`,
        [name, time],
      );
    await attribute();
    expect(await secondsToLook()).toBeLessThanOrEqual(40);
    for (const [time, seconds] of [
      ["50 seconds", 60],
      ["10 minutes", 600],
      ["20 hours", 3600],
    ] as const) {
      await waitedFor(time);
      await attribute();
      expect(await secondsToLook()).toBeCloseTo(seconds, -1);
    }
  });

  it("is no longer looked for after a day", async () => {
    const { name } = await addAborted();
    await review();
    await world.query("UPDATE unasked_change SET at = now() - interval '25 hours' WHERE name = $1", [name]);
    await deliver({ name });
    expect(await attribute()).toEqual({ found: 0 });
    const rows = await world.query("SELECT state FROM unasked_change WHERE name = $1", [name]);
    expect(rows).toEqual([{ state: "unknown" }]);
  });
});

describe("events of several people", () => {
  it("name nobody, and say that it is ambiguous", async () => {
    const { name } = await addAborted();
    await review();
    await deliver({ name }, { name, username: "release@example.com" });
    expect(await attribute()).toEqual({ found: 1 });
    const [, later] = await entriesOf(name);
    expect(later?.actor).toEqual({ type: "unknown", name: "kubectl-argo-rollouts" });
    expect(later?.text).not.toContain("@example.com");
    expect(later?.sentence).toMatch(
      /^kubectl-argo-rollouts, outside Gatehouse, aborted .*: ambiguous, requests of 2 senders fit$/,
    );
  });

  it("are waited for as long as they may still arrive", async () => {
    settleSeconds = 40;
    now = () => new Date();
    const { name } = await addAborted();
    await deliver({ name });
    await review();
    expect(await attribute()).toEqual({ found: 0 });
    expect(await sentencesOf(name)).toHaveLength(1);
    await deliver({ name, username: "release@example.com" });
    now = () => new Date(Date.now() + 60_000);
    expect(await attribute()).toEqual({ found: 1 });
    expect((await sentencesOf(name)).at(-1)).toContain("ambiguous");
  });

  it("are told apart at once by the version that one of them made", async () => {
    settleSeconds = 40;
    now = () => new Date();
    const { name, version } = await addAborted();
    const changes = { responseObject: { metadata: { resourceVersion: version } } };
    await deliver({ name, username: "release@example.com" }, { name, changes });
    await review();
    const [entry] = await entriesOf(name);
    expect(entry).toMatchObject({
      actor: { name: "sre-oncall@example.com" },
      detail: { person: { evidence: "version" } },
    });
  });
});

describe("a service account", () => {
  it("is called one", async () => {
    const { name } = await addAborted();
    await deliver({ name, username: "system:serviceaccount:ci:deployer" });
    await review();
    expect((await sentencesOf(name))[0]).toMatch(/^service account ci\/deployer, with kubectl-argo-rollouts, aborted /);
  });
});

it("of another object or time names nobody", async () => {
  const { name } = await addAborted();
  const at = new Date(Date.now() - 3_600_000);
  await deliver({ name: "other" }, { name, namespace: "elsewhere" }, { name, resource: "experiments" }, { name, at });
  await review();
  expect(await attribute()).toEqual({ found: 0 });
  expect(await sentencesOf(name)).toEqual([
    expect.stringMatching(/^kubectl-argo-rollouts, outside Gatehouse, aborted/),
  ]);
});

it("names who ended a run", async () => {
  const { store } = world.sandbox;
  store.create("rollouts", { ...sampleRollout({ name: "owner" }), status: rolloutStatus() }, { manager: "kubectl" });
  const uid = store.get("rollouts", "shop", "owner")?.metadata.uid ?? "";
  const run = sampleRun({ name: "ended", owner: { kind: "Rollout", name: "owner", uid } });
  store.create("analysisruns", run, { manager: "rollouts-controller" });
  const seen = (what: string, condition: string) =>
    waitFor(what, async () => (await world.query(`SELECT 1 FROM analysis_run WHERE ${condition}`)).length > 0);
  await seen("the run is recorded", "name = 'ended' AND rollout_id IS NOT NULL");
  const object = store.get("analysisruns", "shop", "ended") as KubeObject;
  const spec = { ...object.spec, terminate: true };
  store.update("analysisruns", { ...object, spec }, { manager: "kubectl-argo-rollouts" });
  await seen("its end is recorded", "name = 'ended' AND terminated");
  await review();
  await deliver({ name: "ended", resource: "analysisruns", changes: { requestObject: { spec: { terminate: true } } } });
  expect(await attribute()).toEqual({ found: 1 });
  const [former, later] = await entriesOf("owner");
  expect(former?.code).toBe("cluster.terminate");
  expect(later?.sentence).toBe(
    `sre-oncall@example.com, with kubectl-argo-rollouts, terminated run ended of shop/owner (entry ${former?.seq})`,
  );
});
