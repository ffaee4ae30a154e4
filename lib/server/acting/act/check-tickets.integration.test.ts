import { createHmac } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { actOnMany } from "#lib/server/acting/act/act-on-many.ts";
import { laneWidth } from "#lib/server/acting/act/cluster-lanes.ts";
import { followActions } from "#lib/server/acting/follow/follow-actions.ts";
import { createNotifier, type Notifier } from "#lib/server/notify/run-notifications.ts";
import { NotificationConfig } from "#lib/server/platform/config/notification-schema.ts";
import { createRecorderMetrics } from "#lib/server/recording/store/recorder-metrics.ts";
import { type ActingWorld, actorOf, createActingWorld, type TestRollout } from "#test/acting-world.ts";
import { Crash, createCrashingPool } from "#test/crashing-pool.ts";
import { type NotificationReceiver, type Received, startNotificationReceiver } from "#test/notification-receiver.ts";

const secret = "a shared secret";
let world: ActingWorld;
let folder: string;
let receiver: NotificationReceiver;
let notifier: Notifier;
const stop = new AbortController();

beforeAll(async () => {
  world = await createActingWorld();
  folder = mkdtempSync(join(tmpdir(), "gatehouse-tickets-"));
  writeFileSync(join(folder, "secret"), secret);
  const current = () => {
    const loaded = world.runtime.config();
    return { ...loaded, config: { ...loaded.config, notifications: NotificationConfig.parse({}) } };
  };
  notifier = createNotifier(
    { pool: world.recorder, store: { current }, log: { warn: () => {} }, metrics: createRecorderMetrics() },
    stop.signal,
  );
  await notifier.prepare();
});
beforeEach(async () => {
  receiver = await startNotificationReceiver();
  requireTicket();
  // The outcomes of earlier tests.
  await tell();
  receiver.received.length = 0;
});
afterEach(async () => {
  await receiver.close();
  world.setPolicies({});
});
afterAll(async () => {
  stop.abort();
  await world.close();
  rmSync(folder, { recursive: true });
});

function requireTicket({ timeoutMs = 2000, signingSecret = `file:${folder}/secret` } = {}): void {
  const check = { url: receiver.url, signingSecret, timeoutMs };
  world.setPolicies({
    reasons: [{ required: true, ticket: { name: "change", pattern: "CHG\\d+", check } }],
  });
}

const say =
  (body: string, status = 200) =>
  (response: ServerResponse): void =>
    void response.writeHead(status).end(body);
const allow = say('{"allow": true, "message": "approved by the board"}');

type Sent = { type: string; id: string; data: Record<string, unknown> };
const sent = (type: "check" | "outcome"): (Received & { event: Sent })[] =>
  receiver.received
    .map((received) => ({ ...received, event: JSON.parse(received.body) as Sent }))
    .filter(({ event }) => event.type === `io.gatehouse.ticket.${type}`);

async function tell(): Promise<void> {
  await notifier.prepare();
  notifier.turn();
  await notifier.settle();
}

const countPatches = () => world.requests.filter(({ method }) => method === "PATCH").length;
const act = (rollout: TestRollout, reason = "CHG1234: metrics are fine") =>
  world.act({ rollout, action: "continue", reason });

function isGenuine({ headers, body }: Received): boolean {
  const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
  return headers["webhook-signature"] === `v1,${createHmac("sha256", secret).update(signed).digest("base64")}`;
}

describe("the check of a ticket", () => {
  it("is asked once, signed, and its answer is evidence", async () => {
    receiver.answer(allow);
    const rollout = await world.addRollout();
    const { id } = await act(rollout);
    const [asked, ...more] = sent("check");
    expect(more).toEqual([]);
    expect(asked !== undefined && isGenuine(asked)).toBe(true);
    expect(asked?.event).toMatchObject({
      specversion: "1.0",
      source: "https://gatehouse.example",
      subject: `prod-eu/${rollout.path.namespace}/Rollout/checkout`,
      data: {
        ...{ id, rule: "change", ticket: "CHG1234", action: "continue", reason: "CHG1234: metrics are fine" },
        target: rollout.path,
        actor: { name: "operator-person", username: "operator-person" },
      },
    });
    const [intent] = await world.entriesOf(rollout);
    expect(intent?.outcome).toBe("intent");
    expect(intent?.detail?.tickets).toEqual([
      {
        ...{ rule: "change", ticket: "CHG1234" },
        answer: {
          allow: true,
          status: 200,
          message: "approved by the board",
          at: expect.any(String),
          ms: expect.any(Number),
        },
      },
    ]);
    expect((await world.verify()).ok).toBe(true);
  });

  it("refuses on a plain no, and keeps what it said: bounded, on one line, redacted", async () => {
    const message = `not yet\n\u202eapi_key=s3cr3tvalue ${"x".repeat(2000)}`;
    receiver.answer(say(JSON.stringify({ allow: false, message })));
    const rollout = await world.addRollout();
    const patches = countPatches();
    await expect(act(rollout)).rejects.toMatchObject({
      code: "ticket_refused",
      message: expect.stringMatching(/^Ticket check "change" refused CHG1234: not yet api_key=\[redacted\] x+…$/),
    });
    expect(countPatches()).toBe(patches);
    const [entry] = await world.entriesOf(rollout);
    expect(entry).toMatchObject({
      outcome: "refused",
      detail: { policy: "change", problem: "ticket_refused", tickets: [{ answer: { allow: false, status: 200 } }] },
    });
    expect(JSON.stringify(entry)).not.toMatch(/s3cr3tvalue|\u202e|x{301}/);
  });

  it.each<{ name: string; how: (response: ServerResponse) => void; says: string }>([
    { name: "another status", how: say('{"allow": true}', 201), says: "answered 201" },
    { name: "an error", how: say('{"allow": true}', 500), says: "answered 500" },
    {
      name: "a redirect, which is not followed",
      how: (response) => void response.writeHead(307, { location: receiver.url }).end('{"allow": true}'),
      says: "answered 307",
    },
    { name: "no JSON", how: say("allow: true"), says: "answered without" },
    { name: "nothing", how: say(""), says: "answered without" },
    { name: "no decision", how: say('{"message": "hm"}'), says: "answered without" },
    { name: "a word for a decision", how: say('{"allow": "true"}'), says: "answered without" },
    {
      name: "a huge body",
      how: say(`{"allow": true, "message": "${"x".repeat(16 * 1024)}"}`),
      says: "answered more than 16 KiB",
    },
    { name: "no answer", how: () => {}, says: "no answer within 1 s" },
    {
      name: "half an answer",
      how: (response) => void response.writeHead(200).write('{"allow": true'),
      says: "no answer within 1 s",
    },
    { name: "a broken connection", how: (response) => void response.destroy(), says: "no connection" },
  ])("refuses on $name", async ({ how, says }) => {
    requireTicket({ timeoutMs: 500 });
    receiver.answer(how);
    const rollout = await world.addRollout();
    const patches = countPatches();
    const began = performance.now();
    await expect(act(rollout)).rejects.toMatchObject({
      code: "ticket_refused",
      message: expect.stringContaining(`gave no usable answer about CHG1234 (${says}`),
    });
    expect(performance.now() - began).toBeLessThan(2500);
    expect(receiver.received).toHaveLength(1);
    expect(countPatches()).toBe(patches);
    const [entry, ...more] = await world.entriesOf(rollout);
    expect(more).toEqual([]);
    expect(entry).toMatchObject({ outcome: "refused", detail: { tickets: [{ rule: "change", ticket: "CHG1234" }] } });
    expect(entry?.detail?.tickets).not.toHaveProperty("0.answer.allow");
  });

  it("refuses if its secret or its server is gone", async () => {
    requireTicket({ signingSecret: `file:${folder}/none` });
    const rollout = await world.addRollout();
    await expect(act(rollout)).rejects.toMatchObject({
      message: expect.stringContaining("the signing secret was not found"),
    });
    expect(receiver.received).toEqual([]);
    requireTicket();
    await receiver.close();
    await expect(act(rollout)).rejects.toMatchObject({
      message: expect.stringContaining("(no connection (ECONNREFUSED))"),
    });
  });

  it("never asks about or holds up a protective action, even while the server hangs", async () => {
    receiver.answer(() => {});
    const rollout = await world.addRollout();
    const refused = expect(act(rollout)).rejects.toMatchObject({ code: "ticket_refused" });
    await expect.poll(() => receiver.received.length).toBe(1);
    const began = performance.now();
    await expect(world.act({ rollout, action: "abort", reason: "errors" })).resolves.toMatchObject({
      state: "applied",
    });
    expect(performance.now() - began).toBeLessThan(1500);
    await refused;
    expect(receiver.received).toHaveLength(1);
  });

  it("asks nothing about what is refused anyway", async () => {
    receiver.answer(allow);
    const rollout = await world.addRollout();
    await expect(act(rollout, "metrics are fine")).rejects.toMatchObject({
      code: "reason_required",
      message: 'The reason must name a ticket such as CHG1234 (rule "change").',
    });
    const expectation = { ...(await rollout.look()), viewDigest: "old" };
    const stale = world.act({ rollout, action: "continue", reason: "CHG1", expect: expectation });
    await expect(stale).rejects.toMatchObject({ code: "stale_view" });
    expect(receiver.received).toEqual([]);
  });

  it("asks once about a request that is repeated", async () => {
    receiver.answer(allow);
    const rollout = await world.addRollout();
    const again = {
      rollout,
      action: "continue",
      reason: "CHG1",
      idempotencyKey: "once",
      expect: await rollout.look(),
    } as const;
    const [first, second] = await Promise.all([world.act(again), world.act(again)]);
    expect(second.id).toBe(first.id);
    expect(sent("check")).toHaveLength(1);
  });

  it("asks once about each of many, a few at a time", async () => {
    let open = 0;
    let most = 0;
    receiver.answer((response, { body }) => {
      open += 1;
      most = Math.max(most, open);
      const { subject } = JSON.parse(body) as { subject: string };
      setTimeout(() => {
        open -= 1;
        say(JSON.stringify({ allow: !subject.includes(rollouts[0]?.path.namespace ?? "") }))(response);
      }, 50);
    });
    const rollouts = await Promise.all(Array.from({ length: laneWidth + 2 }, () => world.addRollout()));
    const members = await Promise.all(rollouts.map(async ({ path, look }) => ({ ...path, expect: await look() })));
    const input = { action: "continue" as const, reason: "CHG1", members };
    const { finished } = await actOnMany({ ctx: world.contextOf(actorOf("operator")), input });
    await finished;
    expect(sent("check")).toHaveLength(rollouts.length);
    expect(new Set(sent("check").map(({ event }) => event.data.id)).size).toBe(rollouts.length);
    expect(most).toBeLessThanOrEqual(laneWidth);
    const outcomes = await Promise.all(rollouts.map(world.outcomesOf));
    expect(outcomes[0]).toEqual(["action.continue refused"]);
    for (const each of outcomes.slice(1)) expect(each).toEqual(["action.continue intent", "action.continue applied"]);
  });
});

describe("the outcome", () => {
  it("is sent back, signed, with the id of the question", async () => {
    receiver.answer(allow);
    const rollout = await world.addRollout();
    const { id } = await act(rollout);
    await tell();
    await tell();
    const [told, ...more] = sent("outcome");
    expect(more).toEqual([]);
    expect(told !== undefined && isGenuine(told)).toBe(true);
    expect(told?.headers["webhook-id"]).not.toBe(sent("check")[0]?.headers["webhook-id"]);
    expect(told?.event.data).toMatchObject({
      ...{ id, rule: "change", ticket: "CHG1234", action: "continue", outcome: "applied", target: rollout.path },
      link: expect.stringMatching(/^https:\/\/gatehouse\.example\/audit\/\d+$/),
    });
  });

  it("is sent again until it is taken", async () => {
    receiver.answer(allow);
    const rollout = await world.addRollout();
    await act(rollout);
    receiver.answer(say("", 503));
    await tell();
    receiver.answer(say("", 204));
    await world.owner.query("UPDATE notification SET next_attempt_at = now() WHERE state = 'queued'");
    await tell();
    const ids = sent("outcome").map(({ headers }) => headers["webhook-id"]);
    expect(ids).toEqual([ids[0], ids[0]]);
  });

  it("is told after a refusal too, to whoever may have said yes", async () => {
    requireTicket({ timeoutMs: 200 });
    receiver.answer(() => {});
    // More refusals than the audit log takes in a minute.
    const rollout = await world.addRollout();
    for (let count = 0; count < 12; count++)
      await expect(act(rollout)).rejects.toMatchObject({ code: "ticket_refused" });
    receiver.answer(say("", 204));
    await tell();
    const told = sent("outcome").map(({ event }) => event.data);
    expect(told.map(({ outcome }) => outcome)).toEqual(Array.from({ length: 12 }, () => "refused"));
    const asked = sent("check").map(({ event }) => event.data.id);
    expect(told.map(({ id }) => id).toSorted()).toEqual(asked.toSorted());
  });

  it("is sent if the process ends between the question and the intent", async () => {
    let isDead = false;
    const fuse = {
      steps: () => 0,
      isBlown: () => isDead,
      run: <Result>(work: () => Promise<Result>) => (isDead ? Promise.reject(new Crash("it is dead")) : work()),
    };
    receiver.answer((response) => {
      isDead = true;
      allow(response);
    });
    const rollout = await world.addRollout();
    const patches = countPatches();
    const runtime = { ...world.runtime, pool: createCrashingPool(world.web, fuse) };
    const died = world.act({ rollout, action: "continue", reason: "CHG7", runtime });
    await expect(died).rejects.toBeDefined();
    expect(countPatches()).toBe(patches);
    expect(await world.entriesOf(rollout)).toEqual([]);

    await world.owner.query("UPDATE action SET requested_at = now() - interval '3 minutes' WHERE state = 'requested'");
    await followActions({ pool: world.recorder, clusterFor: () => world.client });
    receiver.answer(say("", 204));
    await tell();
    expect(await world.outcomesOf(rollout)).toEqual(["action.continue refused"]);
    const id = sent("check")[0]?.event.data.id;
    const told = sent("outcome").map(({ event }) => event.data);
    expect(told.filter((each) => each.id === id)).toMatchObject([{ ticket: "CHG7", outcome: "refused" }]);
  });

  it("is suppressed if the rule is gone, and told to no one who was not asked", async () => {
    receiver.answer(allow);
    const rollout = await world.addRollout();
    const { id } = await act(rollout);
    world.setPolicies({ reasons: [{ required: true, ticket: { name: "other", pattern: "CHG\\d+" } }] });
    const unasked = await world.addRollout();
    await act(unasked, "CHG2");
    await tell();
    await tell();
    expect(sent("outcome")).toEqual([]);
    const { rows } = await world.owner.query(
      "SELECT state, channel FROM notification WHERE events->0->'ticket'->>'id' = $1",
      [id],
    );
    expect(rows).toEqual([{ state: "suppressed", channel: "ticket:change" }]);
    const [intent] = await world.entriesOf(unasked);
    expect(intent?.detail?.tickets).toEqual([{ rule: "other", ticket: "CHG2" }]);
  });
});
