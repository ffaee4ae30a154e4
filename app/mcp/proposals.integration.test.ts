import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Approval } from "#lib/contract/approval.ts";
import { CreatedToken } from "#lib/contract/system.ts";
import { verifyAudit } from "#lib/server/audit/verify-audit.ts";
import { type Agent, type AgentTransport, agentTransports, connectAgent } from "#test/agent-client.ts";
import {
  actingCluster,
  actsAt,
  type ClustersWorld,
  createClustersWorld,
  type Person,
  waiting,
} from "#test/clusters-world.ts";
import { serveRoutes } from "#test/route-server.ts";
import { createTestPool } from "#test/test-pool.ts";
import { POST as decide } from "../api/v1/approvals/[id]/decision/route.ts";
import { GET as listApprovals } from "../api/v1/approvals/route.ts";
import { POST as requestApproval } from "../api/v1/rollouts/[cluster]/[namespace]/[kind]/[name]/approvals/route.ts";
import { POST as proposeRoute } from "../api/v1/rollouts/[cluster]/[namespace]/[kind]/[name]/proposals/route.ts";
import { POST as createToken } from "../api/v1/tokens/route.ts";

let world: ClustersWorld;
let routes: Awaited<ReturnType<typeof serveRoutes>>;
let oncall: Person;
let looker: Person;
let second: Person;
const agents = new Map<AgentTransport, Agent>();
let other: Agent;
let owner: ReturnType<typeof createTestPool>;

const pausedBy = (reason: string) => ({
  ...waiting,
  pauseConditions: [{ reason, startTime: "2026-11-20T10:00:00Z" }],
});

beforeAll(async () => {
  world = await createClustersWorld({
    clusters: { demo: actingCluster() },
    auth: {
      roles: [
        { role: "operator", groups: ["on-call"] },
        { role: "viewer", groups: ["developers"] },
      ],
    },
    policies: { secondPerson: [{ name: "two", actions: ["promote-full"] }] },
  });
  owner = createTestPool(world.web.database.ownerUrl);
  routes = await serveRoutes();
  oncall = await world.signIn({ sub: "oncall", groups: ["on-call"] });
  second = await world.signIn({ sub: "second", groups: ["on-call"] });
  looker = await world.signIn({ sub: "looker", groups: ["developers"] });
  const { url } = routes;
  for (const over of agentTransports) agents.set(over, await connectAgent({ over, url, token: await tokenOf(over) }));
  other = await connectAgent({ over: "/mcp", url, token: await tokenOf("another") });
});
afterAll(async () => {
  await Promise.all([...agents.values(), other].map(({ client }) => client.close()));
  routes.close();
  await owner.end();
  await world.close();
});

/** Makes a viewer's token of the oncall, named as its agent. */
async function tokenOf(name: string, role = "viewer"): Promise<string> {
  const { body } = await world.call(createToken, { as: oncall, body: { name, role } });
  return CreatedToken.parse(body).token;
}

function agentOf(over: AgentTransport): Agent {
  const agent = agents.get(over);
  if (agent === undefined) throw new Error(over);
  return agent;
}

let count = 0;
const reason = "success-rate fails in every second measurement";

/** Adds a rollout that waits for a person after an Inconclusive, and has the agent look at it. */
async function found(agent: Agent) {
  count += 1;
  const name = `shop-${count}`;
  await world.addRollout("demo", name);
  await world.setStatus("demo", name, pausedBy("InconclusiveAnalysisRun"));
  const path = { cluster: "demo", namespace: "payments", kind: "Rollout", name };
  const { data } = await agent.call("why", path);
  return { name, path, seen: data, expect: { viewDigest: String(data.viewDigest) } };
}

async function proposed(agent: Agent, action = "abort") {
  const at = await found(agent);
  const { data } = await agent.call("propose", { ...at.path, action, reason, expect: at.expect });
  return { ...at, id: String(data.id), state: data.state };
}

type Proposed = { id: string; expect: { viewDigest?: string; reason?: string } };
function answer(as: Person | { token: string }, { id, expect: seen }: Proposed, decision = "approve") {
  return world.call(decide, { as, params: { id }, body: { decision, ...seen } });
}
async function stateOf(agent: Agent, id: string): Promise<unknown> {
  const { data } = await agent.call("proposals", { limit: 25 });
  return (data.items as { id: string; state: string }[]).find((each) => each.id === id)?.state;
}
async function countedAborts(): Promise<number> {
  const { values } = await world.web.runtime.metrics.actions.get();
  return values
    .filter(({ labels }) => "kind" in labels && labels.kind === "abort")
    .reduce((sum, { value }) => sum + value, 0);
}
const { isAborted, patches, entriesOf } = actsAt("demo", () => world);

describe.each(agentTransports)("a story over %s", (over) => {
  it("an agent reads an Inconclusive, proposes to abort, and a person accepts", async () => {
    const agent = agentOf(over);
    const before = patches();
    const counted = await countedAborts();
    const { id, name, seen, state, expect: expected } = await proposed(agent);
    expect(seen).toMatchObject({ attention: { reason: "inconclusive" } });
    expect(state).toBe("pending");
    const { data: inbox } = await agent.call("inbox");
    expect(JSON.stringify(inbox)).toContain(`demo/payments/Rollout/${name}`);
    expect(patches()).toBe(before);

    const { body: list } = await world.call(listApprovals, { as: oncall, path: "/api/v1/approvals?state=open" });
    const shown = (list.items as Approval[]).find((each) => each.id === id);
    expect(shown).toMatchObject({ agent: { name: over }, requestedBy: "oncall", reason, decidable: true, own: false });
    const { status, body } = await answer(oncall, { id, expect: expected });
    expect(status, JSON.stringify(body)).toBe(200);
    expect(Approval.parse(body)).toMatchObject({ state: "used", decidedBy: "oncall", actionId: expect.any(String) });
    expect(isAborted(name)).toBe(true);

    const entries = await entriesOf(name);
    const [asked] = entries.filter(({ code }) => code === "approval.request");
    expect(asked).toMatchObject({ actor: { type: "token", subject: "oncall", token: { name: over } }, reason });
    expect(asked.detail).toMatchObject({ approval: id, agent: { name: over } });
    const [intent] = entries.filter(({ code }) => code === "action.abort");
    expect(intent).toMatchObject({ actor: { type: "user", subject: "oncall" }, outcome: "intent", reason });
    expect(intent.detail.proposal).toMatchObject({
      ...{ id, agent: { name: over }, proposedBy: { subject: "oncall" }, reasonBy: "agent" },
    });
    // Whoever repeats the click after a broken connection learns what was done; nothing is done again.
    const again = await answer(oncall, { id, expect: expected });
    expect(again).toMatchObject({ status: 200, body: { state: "used", actionId: body.actionId } });
    expect((await answer(second, { id, expect: expected })).body).toMatchObject({
      ...{ code: "conflict", detail: "The proposal was accepted by oncall." },
    });
    expect((await entriesOf(name)).filter(({ code }) => code === "action.abort")).toHaveLength(
      entries.filter(({ code }) => code === "action.abort").length,
    );
    expect(await countedAborts()).toBe(counted + 1);
    expect(await verifyAudit({ client: owner })).toMatchObject({ ok: true });
  });
});

describe("a proposal", () => {
  it("is superseded once the view has moved on", async () => {
    const agent = agentOf("/mcp");
    const { id, name, path, expect: seen } = await proposed(agent);
    await world.setStatus("demo", name, pausedBy("CanaryPauseStep"));
    expect(await stateOf(agent, id)).toBe("superseded");
    expect((await answer(oncall, { id, expect: seen })).body).toMatchObject({ code: "stale_view" });
    expect(isAborted(name)).toBe(false);
    // The agent must look again.
    expect(await agent.refusal("propose", { ...path, action: "abort", reason, expect: seen })).toMatchObject({
      code: "stale_view",
    });
    const { data } = await agent.call("why", path);
    const again = { ...path, action: "abort", reason, expect: { viewDigest: data.viewDigest } };
    expect((await agent.call("propose", again)).data.state).toBe("pending");
  });

  it("to advance is not accepted once another action went out, which the view may not show; to abort it is", async () => {
    const agent = agentOf("/mcp");
    const [forward, back] = [await proposed(agent, "continue-waive"), await proposed(agent)];
    const decidedSince = await proposed(agent, "continue-waive");
    for (const { id } of [forward, back, decidedSince])
      await owner.query(
        `INSERT INTO action (id, rollout_id, cluster, namespace, kind, name, action, state, actor_key, actor_name,
           view_digest, request_hash, intent_seq, request_id)
         SELECT gen_random_uuid(), rollout_id, cluster, namespace, kind, name, 'hold', 'effective', 'k', 'someone',
           view_digest, 'h', (SELECT max(seq) FROM audit_entry), 'r' FROM approval WHERE id = $1`,
        [id],
      );
    await owner.query(
      `WITH earlier AS (
         UPDATE action a SET requested_at = p.requested_at - interval '1 min' FROM approval p
         WHERE p.id = $1 AND a.rollout_id = p.rollout_id RETURNING a.*)
       INSERT INTO gate_decision (id, rollout_id, cluster, namespace, kind, name, uid, gate, verdict, bound, actor_name, reason)
       SELECT id, rollout_id, cluster, namespace, kind, name, 'u', 'confirm-promotion', 'hold', '{}', actor_name, ''
       FROM earlier`,
      [decidedSince.id],
    );
    for (const each of [forward, decidedSince]) {
      const byOncall = { ...each, expect: { ...each.expect, reason: "I looked at it" } };
      expect((await answer(oncall, byOncall)).body).toMatchObject({
        code: "not_allowed_now",
        detail: "Another action came after the agent's look: nothing was done.",
      });
    }
    expect((await answer(oncall, back)).status).toBe(200);
    expect(isAborted(back.name)).toBe(true);
  });

  it("is withdrawn by its agent and no other, and expires", async () => {
    const agent = agentOf("/mcp");
    const first = await proposed(agent);
    expect(await other.refusal("withdraw_proposal", { id: first.id })).toMatchObject({ code: "forbidden" });
    expect((await agent.call("withdraw_proposal", { id: first.id })).data.state).toBe("withdrawn");
    const second = await proposed(agent);
    await owner.query("UPDATE approval SET expires_at = now() - interval '1 s' WHERE id = $1", [second.id]);
    expect(await stateOf(agent, second.id)).toBe("expired");
    for (const each of [first, second]) {
      expect((await answer(oncall, each)).body).toMatchObject({ code: "conflict" });
      expect(isAborted(each.name)).toBe(false);
    }
  });

  it("is all that an agent withdraws, even with rights to more", async () => {
    const token = await tokenOf("strong agent", "operator");
    const agent = await connectAgent({ over: "/mcp", url: routes.url, token });
    const { path, expect: seen } = await found(agent);
    const asked = { action: "promote-full", reason, expect: seen };
    const { body } = await world.call(requestApproval, { as: oncall, params: path, body: asked });
    const { id, state } = Approval.parse(body);
    expect(state).toBe("pending");
    expect(await agent.refusal("withdraw_proposal", { id })).toMatchObject({ code: "forbidden" });
    expect((await answer(oncall, { id, expect: {} }, "withdraw")).body).toMatchObject({ state: "withdrawn" });
    await agent.client.close();
  });

  it("is declined by a person", async () => {
    const each = await proposed(agentOf("/mcp"));
    expect((await answer(oncall, each, "reject")).body).toMatchObject({ state: "rejected", decidedBy: "oncall" });
    expect((await answer(oncall, each)).body).toMatchObject({ code: "conflict" });
    expect(isAborted(each.name)).toBe(false);
  });

  it("is accepted by signed-in people with the right, on the view of the agent", async () => {
    const each = await proposed(agentOf("/mcp"));
    const { body } = await world.call(createToken, { as: oncall, body: { name: "strong", role: "operator" } });
    const strong = { token: CreatedToken.parse(body).token };
    expect((await answer(strong, each)).body).toMatchObject({ code: "forbidden" });
    expect((await answer(looker, each)).body).toMatchObject({ code: "forbidden" });
    const unseen = { ...each, expect: { viewDigest: "another" } };
    expect((await answer(oncall, unseen)).body).toMatchObject({ code: "stale_view" });
    expect(isAborted(each.name)).toBe(false);
  });

  it("does not replace a second person, nor the person's own reason where a rule asks for one", async () => {
    const each = await proposed(agentOf("/mcp"), "promote-full");
    expect((await answer(oncall, each)).body).toMatchObject({ code: "reason_required" });
    const own = { ...each, expect: { ...each.expect, reason: "I looked at it" } };
    expect((await answer(oncall, own)).body).toMatchObject({ code: "second_person_required" });
  });

  it.each(["revoked_at = now()", "expires_at = now() - interval '1 s'"])(
    "is withdrawn once its agent's token is stopped: %s",
    async (stop) => {
      const name = `stopped ${stop}`.slice(0, 20);
      const agent = await connectAgent({ over: "/mcp", url: routes.url, token: await tokenOf(name) });
      const each = await proposed(agent);
      await owner.query(`UPDATE api_token SET ${stop} WHERE name = $1`, [name]);
      expect(await stateOf(agentOf("/mcp"), each.id)).toBe("withdrawn");
      expect((await answer(oncall, each)).body).toMatchObject({ code: "conflict" });
      expect(isAborted(each.name)).toBe(false);
      await agent.client.close();
    },
  );

  it("is made by tokens only, once, for what the state allows, and ten at a time", async () => {
    const { path, expect: seen } = await found(other);
    const body = { action: "abort", reason, expect: seen };
    const byPerson = await world.call(proposeRoute, { as: oncall, params: path, body });
    expect(byPerson.body).toMatchObject({ code: "forbidden" });
    expect(await other.refusal("propose", { ...path, ...body, action: "retry" })).toMatchObject({
      code: "not_allowed_now",
    });
    await other.call("propose", { ...path, ...body });
    expect(await other.refusal("propose", { ...path, ...body })).toMatchObject({ code: "conflict" });
    await owner.query(
      `INSERT INTO approval (id, rollout_id, cluster, namespace, kind, name, action, uid, view_digest, rule, reason,
         requested_by, requested_by_name, expires_at, agent_id, agent_name)
       SELECT gen_random_uuid(), rollout_id, cluster, namespace, kind, name, 'pause', uid, view_digest, rule, reason,
         requested_by, requested_by_name, expires_at, agent_id, agent_name
       FROM approval, generate_series(1, 9) WHERE name = $1`,
      [path.name],
    );
    const more = await found(other);
    expect(await other.refusal("propose", { ...more.path, ...body, expect: more.expect })).toMatchObject({
      detail: "10 of your proposals are open: withdraw one, or wait.",
    });
  });

  it("has a budget for each agent and hour, and the config stops all at once", async () => {
    const { limits } = world.web.runtime.config().config;
    const agent = agentOf("gatehouse mcp");
    const at = await found(agent);
    const ask = (action: string) => agent.refusal("propose", { ...at.path, action, reason, expect: at.expect });
    // One was made in the story above, which counts although a person has accepted it.
    Object.assign(limits, { proposalsPerHour: 1 });
    expect(await ask("abort")).toMatchObject({ code: "rate_limited" });
    Object.assign(limits, { proposalsPerHour: 0 });
    expect(await ask("abort")).toMatchObject({
      code: "not_allowed_now",
      detail: expect.stringContaining("all agents"),
    });
    Object.assign(limits, { proposalsPerHour: 2 });
    await agent.call("propose", { ...at.path, action: "abort", reason, expect: at.expect });
    Object.assign(limits, { proposalsPerHour: 20 });
  });
});
