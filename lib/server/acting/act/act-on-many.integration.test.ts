import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import type { ActionGroup, ActionGroupRequest } from "#lib/contract/action-group.ts";
import type { GroupAction } from "#lib/domain/acting/group-actions.ts";
import { everywhere } from "#lib/domain/policy/rights.ts";
import { actOnMany } from "#lib/server/acting/act/act-on-many.ts";
import { getActionGroup } from "#lib/server/acting/act/action-group.ts";
import { laneWidth, mostRuns, stopRuns } from "#lib/server/acting/act/cluster-lanes.ts";
import { followActions } from "#lib/server/acting/follow/follow-actions.ts";
import { ClusterUnreachableError } from "#lib/server/clusters/kubernetes/cluster-errors.ts";
import type { Actor } from "#lib/server/platform/actor/actor.ts";
import { readRows } from "#lib/server/platform/db/run-query.ts";
import type { Runtime } from "#lib/server/process/runtime-types.ts";
import { selectAuditItems, serializeAuditItem } from "#lib/server/records/audit-item.ts";
import {
  type ActingWorld,
  actorOf,
  clusterName,
  createActingWorld,
  failureOf,
  type TestRollout,
} from "#test/acting-world.ts";
import { addDeadCluster } from "#test/many-clusters.ts";
import { createRandom } from "#test/seeded-random.ts";

let world: ActingWorld;

beforeAll(async () => {
  world = await createActingWorld();
});
afterEach(() => {
  world.setIntercept(undefined);
  world.setPolicies({});
});
afterAll(() => world.close());

type Asked = {
  rollouts: readonly TestRollout[];
  action?: GroupAction;
  actor?: Actor;
  runtime?: Runtime;
  idempotencyKey?: string;
  input?: Partial<ActionGroupRequest>;
};

async function requestOf({ rollouts, action = "continue", input }: Asked): Promise<ActionGroupRequest> {
  const members = await Promise.all(
    rollouts.map(async (rollout) => ({ ...rollout.path, expect: await rollout.look() })),
  );
  return { action, reason: "because", of: "v2", members, ...input };
}

async function start(asked: Asked): Promise<{ seq: number; finished: Promise<void> }> {
  const { actor = actorOf("operator"), runtime = world.runtime, idempotencyKey } = asked;
  const ctx = { runtime, actor, requestId: randomUUID() };
  return actOnMany({ ctx, input: await requestOf(asked), idempotencyKey });
}

function read(seq: number, actor = actorOf("operator")): Promise<ActionGroup> {
  return getActionGroup({ ctx: world.contextOf(actor), input: { seq } });
}

async function act(asked: Asked): Promise<ActionGroup> {
  const { seq, finished } = await start(asked);
  await finished;
  return read(seq, asked.actor);
}

function addRollouts(count: number): Promise<TestRollout[]> {
  return Promise.all(Array.from({ length: count }, () => world.addRollout()));
}

const isPatch = ({ method }: { method: string }) => method === "PATCH";
const stateOf = (group: ActionGroup, of: TestRollout | undefined) =>
  group.members.find(({ rollout }) => rollout.namespace === of?.path.namespace);
const moveOn = (rollout: TestRollout) => rollout.setStatus((status) => ({ ...status, currentStepIndex: 2 }));

describe("one action on many rollouts", () => {
  it("is an action of its own for each, with an intent and an outcome that name the request", async () => {
    const rollouts = await addRollouts(3);
    const group = await act({ rollouts });
    expect(group).toMatchObject({ running: false, sentence: 'continued 3 of 3 of "v2"', reason: "because" });
    expect(group.members.map(({ state }) => state)).toEqual(["applied", "applied", "applied"]);
    for (const rollout of rollouts) {
      expect(await world.outcomesOf(rollout)).toEqual(["action.continue intent", "action.continue applied"]);
      const entries = await world.entriesOf(rollout);
      expect(entries.map(({ detail }) => detail?.group)).toEqual([group.seq, group.seq]);
    }
    expect(await world.verify()).toMatchObject({ ok: true });
  });

  it("has the reason as its members have it", async () => {
    const rollouts = await addRollouts(1);
    const spaced = await act({ rollouts, action: "abort", input: { reason: "  because \n" } });
    const blank = await act({ rollouts, action: "abort", input: { reason: " \u200b " } });
    expect([spaced.reason, blank.reason]).toEqual(["because", null]);
  });

  it("is one line of the audit log, which counts its members", async () => {
    const rollouts = await addRollouts(3);
    const [first] = rollouts;
    const input = await requestOf({ rollouts });
    if (first !== undefined) moveOn(first);
    const { seq } = await act({ rollouts, input });
    const [row] = await readRows(world.web, selectAuditItems.where("a.seq", "=", String(seq)));
    const item = row && serializeAuditItem(row);
    expect(item).toMatchObject({ code: "action.group", sentence: 'operator-person continued 2 of 3 of "v2"' });
    // What is hashed has no counts: they come later.
    expect(item?.detail).toMatchObject({ action: "continue", of: "v2", members: 3, refused: [] });
    expect(item?.detail).not.toHaveProperty("done");
  });

  it("counts members without effect, and half done ones, apart", async () => {
    const rollouts = await addRollouts(3);
    const { seq } = await act({ rollouts });
    const [idle, half] = rollouts;
    const settle = "UPDATE action SET state = $2 WHERE group_seq = $3 AND rollout_id = $1";
    await world.owner.query(settle, [idle?.id, "not-effective", seq]);
    await world.owner.query(settle, [half?.id, "partial", seq]);
    const sentence = 'continued 1 of 3 of "v2", no known effect in 1, partly in 1';
    expect(await read(seq)).toMatchObject({ sentence });
    const [row] = await readRows(world.web, selectAuditItems.where("a.seq", "=", String(seq)));
    expect(row && serializeAuditItem(row).sentence).toBe(`operator-person ${sentence}`);
  });

  it("refuses the member that moved on by name, and goes on with the others", async () => {
    const rollouts = await addRollouts(4);
    const [, moved] = rollouts;
    const input = await requestOf({ rollouts });
    if (moved === undefined) throw new Error("there are four");
    moveOn(moved);
    const group = await act({ rollouts, input });
    expect(stateOf(group, moved)).toMatchObject({
      state: "refused",
      problem: "stale_view",
      auditSeq: expect.any(Number),
      outcomeSeq: expect.any(Number),
    });
    expect(group.members.filter(({ state }) => state === "applied")).toHaveLength(3);
    expect(moved.read().status).toMatchObject({ controllerPause: true });
    expect(await world.outcomesOf(moved)).toEqual(["action.continue refused"]);
  });

  it("advances no member that was not seen as it is, whichever change and whenever", async () => {
    const random = createRandom(34);
    const rollouts = await addRollouts(24);
    const input = await requestOf({ rollouts });
    const changed = new Set<string>();
    const change = (rollout: TestRollout) => {
      if (changed.has(rollout.id)) return;
      changed.add(rollout.id);
      const kind = Math.floor(random() * 3);
      rollout.setStatus((status) =>
        kind === 0
          ? { ...status, currentStepIndex: 2 }
          : kind === 1
            ? { ...status, currentPodHash: "newer" }
            : { ...status, pauseConditions: [{ reason: "CanaryPauseStep", startTime: "2026-11-20T11:00:00Z" }] },
      );
    };
    for (const rollout of rollouts) if (random() < 0.3) change(rollout);
    const patched = new Set<string>();
    // Others change between the reading of the object and the patch, which then is for another version.
    world.setIntercept(async (request, send) => {
      const rollout = rollouts.find(({ path }) => request.path.includes(`/${path.namespace}/`));
      if (!isPatch(request) || rollout === undefined) return send();
      if (!patched.has(rollout.id) && random() < 0.4) change(rollout);
      const answer = await send();
      if (answer.status < 300) patched.add(rollout.id);
      return answer;
    });
    const group = await act({ rollouts, input });
    expect(changed.size).toBeGreaterThan(4);
    expect(patched.size).toBeGreaterThan(4);
    expect([...patched].filter((id) => changed.has(id))).toEqual([]);
    for (const rollout of rollouts) {
      const { state } = stateOf(group, rollout) ?? {};
      expect(state).toBe(changed.has(rollout.id) ? "refused" : "applied");
    }
    expect(await world.verify()).toMatchObject({ ok: true });
  });

  it("aborts a member that moved on, as a single abort does", async () => {
    const rollouts = await addRollouts(2);
    const input = await requestOf({ rollouts, action: "abort" });
    for (const rollout of rollouts) moveOn(rollout);
    const group = await act({ rollouts, action: "abort", input });
    expect(group.members.map(({ state }) => state)).toEqual(["applied", "applied"]);
    expect(rollouts.map(({ read: now }) => now().status)).toEqual([
      expect.objectContaining({ abort: true }),
      expect.objectContaining({ abort: true }),
    ]);
  });
});

describe("rights", () => {
  it("are those of each member: the others go on", async () => {
    const rollouts = await addRollouts(3);
    const [own] = rollouts;
    const namespaces = [own?.path.namespace ?? ""];
    const base = actorOf("operator");
    const actor: Actor = {
      ...base,
      rights: {
        grants: [
          { role: "operator", scope: { ...everywhere, namespaces }, actions: ["*"], breakGlass: false },
          { role: "viewer", scope: everywhere, actions: [], breakGlass: false },
        ],
        cap: "admin",
      },
    };
    const group = await act({ rollouts, actor });
    expect(group.sentence).toBe('continued 1 of 3 of "v2"');
    expect(group.members.map(({ state, problem }) => [state, problem]).sort()).toEqual([
      ["applied", null],
      ["refused", "forbidden"],
      ["refused", "forbidden"],
    ]);
  });

  it("answer with the first refusal if they allow no member, and leave the idempotency key unused", async () => {
    const rollouts = await addRollouts(2);
    const idempotencyKey = randomUUID();
    const base = actorOf("operator");
    const actor: Actor = { ...base, rights: actorOf("viewer").rights };
    expect(await failureOf(start({ rollouts, actor, idempotencyKey }))).toMatchObject({ code: "forbidden" });
    for (const rollout of rollouts) expect(await world.outcomesOf(rollout)).toEqual(["action.continue refused"]);
    expect(await act({ rollouts, idempotencyKey })).toMatchObject({ sentence: 'continued 2 of 2 of "v2"' });
  });

  it("of a token are its own: it sees its owner's request only as far as it may read", async () => {
    const rollouts = await addRollouts(2);
    const owner = actorOf("operator");
    const narrow: Actor = { ...owner, type: "token", rights: { grants: [], cap: "admin" } };
    const { seq } = await act({ rollouts, actor: { ...owner, type: "token", token: { id: "t1", name: "one" } } });
    const by = (id: string) => read(seq, { ...narrow, token: { id, name: "a token" } });
    await expect(by("t1")).resolves.toMatchObject({ seq });
    expect(await failureOf(by("t2"))).toMatchObject({ code: "not_found" });
    await expect(read(seq, owner)).resolves.toMatchObject({ seq });
  });

  it("hide the request from those who may read none of its members", async () => {
    const { seq } = await act({ rollouts: await addRollouts(1) });
    const stranger: Actor = { ...actorOf("viewer"), rights: { grants: [], cap: "admin" } };
    expect(await failureOf(read(seq, stranger))).toMatchObject({ code: "not_found" });
    await expect(read(seq, actorOf("viewer"))).resolves.toMatchObject({ seq });
  });

  it("leave members that need a second person to their own pages", async () => {
    const rollouts = await addRollouts(2);
    const [guarded] = rollouts;
    world.setPolicies({
      secondPerson: [{ name: "two", actions: ["continue"], namespaces: [guarded?.path.namespace ?? ""] }],
    });
    const group = await act({ rollouts });
    expect(stateOf(group, guarded)).toMatchObject({ problem: "second_person_required" });
    expect(group.sentence).toBe('continued 1 of 2 of "v2"');
  });

  it("stop at a freeze, member by member", async () => {
    const rollouts = await addRollouts(2);
    const [frozen] = rollouts;
    const always = { name: "quiet", start: "* * * * *", duration: "2m" };
    world.setPolicies({ freezes: [{ ...always, namespaces: [frozen?.path.namespace ?? ""] }] });
    const group = await act({ rollouts });
    expect(stateOf(group, frozen)).toMatchObject({ problem: "frozen" });
    expect(group.sentence).toBe('continued 1 of 2 of "v2"');
  });
});

describe("the same key", () => {
  it("is the same request, also at the same time", async () => {
    const rollouts = await addRollouts(2);
    const input = await requestOf({ rollouts });
    const idempotencyKey = randomUUID();
    world.requests.length = 0;
    const asked = { rollouts, input, idempotencyKey };
    const [one, other] = await Promise.all([start(asked), start(asked)]);
    await Promise.all([one.finished, other.finished]);
    const again = await start(asked);
    await again.finished;
    expect(new Set([one.seq, other.seq, again.seq]).size).toBe(1);
    expect(world.requests.filter(isPatch)).toHaveLength(2);
    const entries = await world.owner.query("SELECT 1 FROM audit_entry WHERE code = 'action.group' AND seq >= $1", [
      one.seq,
    ]);
    expect(entries.rows).toHaveLength(1);
  });

  it("with other members is a conflict, and a single action may have the same key", async () => {
    const rollouts = await addRollouts(3);
    const [first, second, third] = rollouts;
    if (first === undefined || second === undefined || third === undefined) throw new Error("there are three");
    const idempotencyKey = randomUUID();
    await act({ rollouts: [first], idempotencyKey });
    expect(await failureOf(start({ rollouts: [second], idempotencyKey }))).toMatchObject({ code: "conflict" });
    await expect(world.act({ rollout: third, action: "continue", idempotencyKey })).resolves.toMatchObject({
      state: "applied",
    });
  });
});

describe("requests of one person", () => {
  it("are at most three at the same time, and protective ones are counted apart", async () => {
    const rollouts = await addRollouts(mostRuns + 2);
    const gate = Promise.withResolvers<void>();
    world.setIntercept(async (_, send) => gate.promise.then(send));
    const asked: Asked[] = rollouts.map((rollout) => ({ rollouts: [rollout] }));
    const running = await Promise.all(asked.slice(0, mostRuns).map(start));
    const [one = { rollouts }, other = { rollouts }] = asked.slice(mostRuns);
    expect(await failureOf(start(one))).toMatchObject({ code: "rate_limited" });
    running.push(await start({ ...other, action: "abort" }));
    gate.resolve();
    await Promise.all(running.map(({ finished }) => finished));
    expect(await act(one)).toMatchObject({ sentence: 'continued 1 of 1 of "v2"' });
  });
});

describe("a cluster that does not answer", () => {
  it("holds up only its own members, which are refused by name", async () => {
    const timeOut = Promise.withResolvers<void>();
    const dead = await addDeadCluster(world, { count: 12, timeOut: timeOut.promise });
    const alive = await addRollouts(12);
    const rollouts = [...dead.rollouts, ...alive];
    const { seq, finished } = await start({ rollouts, action: "abort", runtime: dead.runtime });
    const listStates = async () => (await read(seq)).members.map(({ state }) => state).sort();
    const expected = [...alive.map(() => "applied"), ...dead.rollouts.map(() => "requested")];
    await expect.poll(listStates, { timeout: 30_000 }).toEqual(expected);
    timeOut.resolve();
    const listDead = async () => (await read(seq)).members.filter(({ rollout }) => rollout.cluster !== clusterName);
    const countRefused = async () => (await listDead()).filter(({ state }) => state === "refused").length;
    await expect.poll(countRefused, { timeout: 10_000, interval: 20 }).toBeGreaterThanOrEqual(laneWidth);
    // After a few without an answer, and ten seconds, the rest is not tried.
    const real = performance.now.bind(performance);
    const later = vi.spyOn(performance, "now").mockImplementation(() => real() + 11_000);
    await finished.finally(() => later.mockRestore());
    const silent = await listDead();
    expect(silent.map(({ problem }) => problem)).toEqual(silent.map(() => "unavailable"));
    const untried = silent.filter(({ message }) => message.includes("does not answer"));
    expect(untried.length).toBeGreaterThanOrEqual(silent.length - 2 * laneWidth);
    expect(await world.verify()).toMatchObject({ ok: true });
  });

  it("for a moment refuses only those that were tried then", async () => {
    const rollouts = await addRollouts(10);
    let failures = 0;
    world.setIntercept(async (_, send) => {
      if (failures >= laneWidth) return send();
      failures += 1;
      throw new ClusterUnreachableError({ cluster: clusterName, sent: false, message: "connection refused" });
    });
    const group = await act({ rollouts, action: "abort" });
    expect(group.members.filter(({ problem }) => problem === "unavailable")).toHaveLength(laneWidth);
    expect(group.members.filter(({ state }) => state === "applied")).toHaveLength(10 - laneWidth);
  });
});

describe("if the process ends", () => {
  it("refuses those that were not begun, and lets the others end", async () => {
    const rollouts = await addRollouts(laneWidth + 3);
    const gate = Promise.withResolvers<void>();
    world.setIntercept(async (_, send) => gate.promise.then(send));
    // Without the lanes and counts of the other tests, which hang on the runtime by symbols.
    const runtime = Object.fromEntries(Object.entries(world.runtime)) as Runtime;
    world.requests.length = 0;
    const { seq, finished } = await start({ rollouts, action: "abort", runtime });
    await expect.poll(() => world.requests.length).toBe(laneWidth);
    const stopped = stopRuns(runtime, 60_000);
    const countStopped = async () =>
      (await read(seq)).members.filter(({ message }) => message.includes("is stopping")).length;
    await expect.poll(countStopped).toBe(3);
    gate.resolve();
    await Promise.all([stopped, finished]);
    expect((await read(seq)).members.filter(({ state }) => state === "applied")).toHaveLength(laneWidth);
  });

  it("gives every member an outcome: the recorder settles those that were not begun", async () => {
    const rollouts = await addRollouts(6);
    // The process stops at its first requests to the cluster, and never comes back.
    world.setIntercept(() => new Promise(() => {}));
    const { seq } = await start({ rollouts });
    await sleep(300);
    expect((await read(seq)).running).toBe(true);
    world.setIntercept(undefined);
    await world.owner.query(
      "UPDATE action SET requested_at = requested_at - interval '200 seconds' WHERE group_seq = $1",
      [seq],
    );
    await followActions({ pool: world.recorder, clusterFor: () => world.client });
    const group = await read(seq);
    expect(group).toMatchObject({ running: false, sentence: 'continued 0 of 6 of "v2"' });
    for (const rollout of rollouts) {
      const entries = await world.entriesOf(rollout);
      expect(entries.at(-1)).toMatchObject({ source: "system", outcome: "refused", detail: { group: seq } });
    }
    expect(await world.verify()).toMatchObject({ ok: true });
  });
});
