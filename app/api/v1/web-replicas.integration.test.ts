import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ActionAccepted } from "#lib/contract/action.ts";
import { Approval } from "#lib/contract/approval.ts";
import { RolloutDetail } from "#lib/contract/rollout.ts";
import { endSession, findSession } from "#lib/server/people/auth/stored-session.ts";
import { setWebRuntime, type WebRuntime } from "#lib/server/process/web-runtime.ts";
import { type ClustersWorld, createClustersWorld, type Person } from "#test/clusters-world.ts";
import { bindRole, readManifest } from "#test/rbac.ts";
import { connectRecorded, type Recorded } from "#test/recorded.ts";
import { waitFor } from "#test/recorder-world.ts";
import { parseEvents } from "#test/stream-events.ts";
import { POST as decide } from "./approvals/[id]/decision/route.ts";
import { GET as verifyAudit } from "./audit/verify/route.ts";
import { GET as getMe } from "./me/route.ts";
import { POST as postAction } from "./rollouts/[cluster]/[namespace]/[kind]/[name]/actions/route.ts";
import { POST as askApproval } from "./rollouts/[cluster]/[namespace]/[kind]/[name]/approvals/route.ts";
import { GET as getRollout } from "./rollouts/[cluster]/[namespace]/[kind]/[name]/route.ts";
import { GET as getStream } from "./stream/route.ts";

let world: ClustersWorld;
let recorded: Recorded;
let one: WebRuntime;
let other: WebRuntime;
let owner: Person;
let second: Person;

const config = { access: "act", impersonation: { groupsPrefix: "oidc:", groups: ["platform-owners"] } };
const rbac = [
  ...readManifest("rbac-read.yaml"),
  ...readManifest("rbac-act.yaml"),
  bindRole("rollout-operator", { kind: "Group", name: "oidc:platform-owners" }, "payments"),
];

beforeAll(async () => {
  world = await createClustersWorld({
    clusters: { prod: { config, rbac } },
    auth: { roles: [{ role: "admin", groups: ["platform-owners"] }] },
    policies: { secondPerson: [{ name: "four eyes", actions: ["promote-full"] }] },
  });
  one = world.web.runtime;
  other = world.web.addReplica();
  recorded = await connectRecorded(world.web.database.recorderUrl);
  owner = await world.signIn({ sub: "owner", groups: ["platform-owners"] });
  second = await world.signIn({ sub: "second", groups: ["platform-owners"] });
  await waitFor("cursors", () => [one, other].every(({ changes }) => changes.cursor() !== undefined));
});
afterAll(async () => {
  await recorded.close();
  await world.close();
});
beforeEach(() => setWebRuntime(one));

const placeOf = (name: string) => ({ cluster: "prod", namespace: "payments", kind: "Rollout", name });

/** Sends a request to this replica. A handler takes its replica before it first waits. */
function callAt(replica: WebRuntime, ...[handler, options]: Parameters<ClustersWorld["call"]>) {
  setWebRuntime(replica);
  return world.call(handler, options);
}

async function expectationOf(name: string) {
  const { body } = await callAt(one, getRollout, { as: owner, params: placeOf(name) });
  const { viewDigest, uid, revisionKey } = RolloutDetail.parse(body);
  return { viewDigest, uid, revisionKey };
}

/** Counts the patches that the API server accepted: it refuses all but one that were made for the same version. */
const patches = () =>
  world.of("prod").tap.requests.filter(({ method, status }) => method === "PATCH" && status === 200).length;

async function openStream(replica: WebRuntime, lastEventId?: string) {
  setWebRuntime(replica);
  const gone = new AbortController();
  const headers = {
    cookie: owner.cookie,
    "sec-fetch-site": "same-origin",
    ...(lastEventId === undefined ? {} : { "last-event-id": lastEventId }),
  };
  const request = world.web.request("/api/v1/stream", { headers, signal: gone.signal });
  const response = await getStream(request, { params: Promise.resolve({}) });
  return { events: parseEvents(response.body ?? new ReadableStream()), close: () => gone.abort() };
}

describe("two web replicas on one database", () => {
  it("a stream that lost its replica resumes at another, with every event once and in order", async () => {
    const refs = Array.from({ length: 240 }, (_, index) => `change-${index}`);
    const first = await openStream(one);
    const writing = (async () => {
      for (const ref of refs) await recorded.addChange({ kind: "release", ref });
    })();
    const heard: string[] = [];
    let last: string | undefined;
    const hear = async (stream: Awaited<ReturnType<typeof openStream>>, until: number) => {
      while (heard.length < until) {
        const event = (await stream.events.next()).value;
        if (event === undefined) throw new Error("the stream ended");
        expect(event.event).not.toBe("reset");
        if (event.event !== "change") continue;
        const { kind, id } = JSON.parse(event.data ?? "{}") as { kind: string; id: string };
        last = event.id;
        if (kind === "release") heard.push(id);
      }
    };
    await hear(first, 80);
    first.close();
    const next = await openStream(other, last);
    await hear(next, 160);
    next.close();
    const back = await openStream(one, last);
    await hear(back, refs.length);
    back.close();
    await writing;
    expect(heard).toEqual(refs);
  });

  it("a session of one is known to the other, and its end too", async () => {
    const person = await world.signIn({ sub: "leaver", groups: ["platform-owners"] });
    expect((await callAt(other, getMe, { as: person })).status).toBe(200);
    const { rows } = await one.pool.query<{ id: string }>(
      "SELECT s.id FROM user_session s JOIN user_account u ON u.id = s.user_id WHERE u.subject = 'leaver'",
    );
    const sessionId = rows[0]?.id ?? "";
    expect(await findSession({ runtime: one, sessionId, isActive: false })).toBeDefined();
    await endSession({ runtime: other, sessionId, requestId: randomUUID() });
    expect((await callAt(one, getMe, { as: person })).status).toBe(401);
  });

  it("one idempotency key is one action, whichever replica it reaches", async () => {
    await world.addRollout("prod", "repeated");
    const body = { action: "continue", reason: "because", expect: await expectationOf("repeated") };
    const headers = { "idempotency-key": randomUUID() };
    const before = patches();
    const send = (replica: WebRuntime) =>
      callAt(replica, postAction, { as: owner, params: placeOf("repeated"), body, headers });
    const answers = [await send(one), await send(other)];
    expect(answers.map(({ status }) => status)).toEqual([202, 202]);
    expect(new Set(answers.map((answer) => ActionAccepted.parse(answer.body).id)).size).toBe(1);
    expect(patches() - before).toBe(1);
    const reused = { ...body, action: "abort" };
    const refused = await callAt(other, postAction, { as: owner, params: placeOf("repeated"), body: reused, headers });
    expect(refused).toMatchObject({ status: 409, body: { code: "conflict" } });
  });

  it("two people who act at once at different replicas: one effect, and the chain is whole", async () => {
    await world.addRollout("prod", "raced");
    const expected = await expectationOf("raced");
    const before = patches();
    const send = (replica: WebRuntime, as: Person) =>
      callAt(replica, postAction, {
        as,
        params: placeOf("raced"),
        body: { action: "continue", reason: "because", expect: expected },
      });
    const answers = await Promise.all([send(one, owner), send(other, second)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([202, 409]);
    expect(patches() - before).toBe(1);
    expect((await callAt(one, verifyAudit, { as: owner })).body).toMatchObject({ ok: true });
  });

  it("an approval that was given at one is used once, at either", async () => {
    await world.addRollout("prod", "approved");
    const params = placeOf("approved");
    const asked = { action: "promote-full", reason: "because", expect: await expectationOf("approved") };
    const alone = await callAt(one, postAction, { as: owner, params, body: asked });
    expect(alone).toMatchObject({ status: 409, body: { code: "second_person_required" } });
    const { id, viewDigest } = Approval.parse(
      (await callAt(one, askApproval, { as: owner, params, body: asked })).body,
    );
    const decision = { decision: "approve", viewDigest };
    const decided = await callAt(other, decide, { as: second, params: { id }, body: decision });
    expect(decided).toMatchObject({ status: 200, body: { state: "approved" } });
    const before = patches();
    const body = { ...asked, approval: id };
    const answers = await Promise.all(
      [one, other].map((replica) => callAt(replica, postAction, { as: owner, params, body })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([202, 409]);
    expect(patches() - before).toBe(1);
  });

  it("failed tokens are counted by each replica for itself", async () => {
    const guess = (replica: WebRuntime) => callAt(replica, getMe, { as: { token: "gh_wrong" } });
    const statuses = [];
    for (let count = 0; count < 31; count++) statuses.push((await guess(one)).status);
    expect(statuses.at(0)).toBe(401);
    expect(statuses.at(-1)).toBe(429);
    expect((await guess(other)).status).toBe(401);
  });
});
