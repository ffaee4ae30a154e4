import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CreatedToken } from "#lib/contract/system.ts";
import { type ActionName, actionNames, isProtective, rolloutActions } from "#lib/domain/acting/action-catalogue.ts";
import { formatAuditSentence, joinSentence } from "#lib/domain/audit/audit-sentence.ts";
import { chainLock } from "#lib/server/audit/audit-statements.ts";
import { verifyAudit } from "#lib/server/audit/verify-audit.ts";
import { type Agent, type AgentTransport, agentTransports, connectAgent } from "#test/agent-client.ts";
import { actingCluster, actsAt, type ClustersWorld, createClustersWorld, type Person } from "#test/clusters-world.ts";
import { waitFor } from "#test/recorder-world.ts";
import { serveRoutes } from "#test/route-server.ts";
import { createTestPool } from "#test/test-pool.ts";
import { POST as actOnRollout } from "../api/v1/rollouts/[cluster]/[namespace]/[kind]/[name]/actions/route.ts";
import { POST as createToken } from "../api/v1/tokens/route.ts";

let world: ClustersWorld;
let routes: Awaited<ReturnType<typeof serveRoutes>>;
let oncall: Person;
let careful: Person;
let owner: ReturnType<typeof createTestPool>;
const open: Agent[] = [];
const reason = "success-rate fails in every second measurement";

beforeAll(async () => {
  world = await createClustersWorld({
    clusters: { demo: actingCluster() },
    auth: {
      roles: [
        { role: "operator", groups: ["on-call"], agentsMayAct: true },
        { role: "operator", groups: ["careful"] },
      ],
    },
    policies: {
      // Protective actions go through a freeze, those of agents too.
      freezes: [{ name: "always", start: "0 0 * * *", timeZone: "UTC", duration: "24h" }],
      secondPerson: [{ name: "two", actions: ["pause"], includeProtective: true, rollouts: ["two-*"] }],
      reasons: [{ required: true, actions: ["abort"], rollouts: ["asked-*"] }],
    },
  });
  owner = createTestPool(world.web.database.ownerUrl);
  routes = await serveRoutes();
  oncall = await world.signIn({ sub: "oncall", groups: ["on-call"] });
  careful = await world.signIn({ sub: "careful", groups: ["careful"] });
});
afterAll(async () => {
  await Promise.all(open.map(({ client }) => client.close()));
  routes.close();
  await owner.end();
  await world.close();
});

const limits = () => world.web.runtime.config().config.limits;

/** Makes an agent of its own, with a budget of its own. */
async function agentOf(
  as: Person,
  { over = "/mcp", role = "operator" }: { over?: AgentTransport; role?: string } = {},
) {
  const name = `agent ${open.length}`;
  const { body } = await world.call(createToken, { as, body: { name, role } });
  const { token } = CreatedToken.parse(body);
  const agent = await connectAgent({ over, url: routes.url, token });
  open.push(agent);
  return { ...agent, name, token };
}

/** Adds a rollout, and has the agent look at it. */
async function found(agent: Agent, name = `shop-${Math.random().toString(36).slice(2, 10)}`) {
  await world.addRollout("demo", name);
  const path = { cluster: "demo", namespace: "payments", kind: "Rollout", name };
  const { data } = await agent.call("why", path);
  const { viewDigest, uid, revisionKey } = data;
  return { name, path, expect: { viewDigest, uid, revisionKey } };
}

const { isAborted, patches, entriesOf } = actsAt("demo", () => world);

describe.each(agentTransports)("an agent that the config lets, over %s", (over) => {
  it("aborts by itself, in the name of its owner, and the audit log says so", async () => {
    const agent = await agentOf(oncall, { over });
    const { name, path, expect: seen } = await found(agent);
    const { data } = await agent.call("act", { ...path, action: "abort", reason, expect: seen });
    expect(data).toMatchObject({ state: "applied", auditSeq: expect.any(Number) });
    expect(isAborted(name)).toBe(true);

    const [intent, outcome] = await entriesOf(name);
    for (const entry of [intent, outcome])
      expect(entry).toMatchObject({
        ...{ code: "action.abort", reason, requestId: expect.stringMatching(/./) },
        actor: { type: "token", subject: "oncall", token: { name: agent.name } },
        detail: { agent: { id: expect.any(String), name: agent.name, tool: "act" } },
      });
    expect([intent.outcome, outcome.outcome]).toEqual(["intent", "applied"]);
    expect(joinSentence(formatAuditSentence(outcome))).toBe(
      `oncall (token ${agent.name}) aborted payments/${name} at 100 % (by an agent itself)`,
    );
    expect(await verifyAudit({ client: owner })).toMatchObject({ ok: true });
  });
});

describe("an agent that acts by itself", () => {
  const actAs = (as: Person | { token: string }, path: Record<string, string>, body: Record<string, unknown>) =>
    world.call(actOnRollout, { as, params: path, body: { reason, agent: true, ...body } });

  it("advances nothing, however strong its token is", async () => {
    const agent = await agentOf(oncall);
    const { path, expect: seen } = await found(agent);
    const before = patches();
    const advancing = rolloutActions.filter((action) => !isProtective(action));
    const parameters: Partial<Record<ActionName, object>> = { "set-image": { container: "*", image: "a:1" } };
    for (const action of advancing) {
      const { status, body } = await actAs(agent, path, { action, expect: seen, ...parameters[action] });
      expect(`${action} ${status} ${body.code}`).toBe(`${action} 403 forbidden`);
      expect(body.detail).toContain("propose it");
      const call = agent.client.callTool({ name: "act", arguments: { ...path, action, reason, expect: seen } });
      expect(
        await call.then(
          ({ isError }) => isError,
          () => true,
        ),
      ).toBe(true);
    }
    expect(advancing.length + actionNames.filter(isProtective).length).toBe(actionNames.length - 1);
    expect(patches()).toBe(before);
  });

  it("needs a token, a binding that lets agents, and the right itself", async () => {
    const agent = await agentOf(careful);
    const { name, path, expect: seen } = await found(agent);
    const asked = { ...path, action: "abort", reason, expect: seen };
    expect(await agent.refusal("act", asked)).toEqual(
      expect.objectContaining({
        code: "forbidden",
        detail: `No role binding lets agents abort demo/payments/Rollout/${name}: propose it.`,
      }),
    );
    const reader = await agentOf(oncall, { role: "viewer" });
    expect(await reader.refusal("act", asked)).toMatchObject({ code: "forbidden" });
    expect((await actAs(oncall, path, { action: "abort", expect: seen })).body).toMatchObject({ code: "forbidden" });
    expect(isAborted(name)).toBe(false);
    const [refused] = await entriesOf(name);
    expect(refused).toMatchObject({
      outcome: "refused",
      detail: { agent: { name: agent.name }, problem: "forbidden" },
    });
    expect((await agent.call("propose", asked)).data).toMatchObject({ state: "pending" });
  });

  it("acts only on the view that it was given, though a person's abort counts on a later one", async () => {
    const agent = await agentOf(oncall);
    const { name, path, expect: seen } = await found(agent);
    await world.setStatus("demo", name, { phase: "Progressing", currentPodHash: "new", stableRS: "old" });
    const asked = { action: "abort", reason, expect: seen };
    expect(await agent.refusal("act", { ...path, ...asked })).toMatchObject({ code: "stale_view" });
    expect(isAborted(name)).toBe(false);
    const byPerson = await world.call(actOnRollout, { as: oncall, params: path, body: asked });
    expect(byPerson.status, JSON.stringify(byPerson.body)).toBe(202);
    expect(isAborted(name)).toBe(true);
  });

  it.each([
    { name: "two-1", action: "pause", code: "second_person_required" },
    { name: "asked-1", action: "abort", code: "reason_required" },
  ])("is told to propose where a rule asks for a person: $code", async ({ name, action, code }) => {
    const agent = await agentOf(oncall);
    const { path, expect: seen } = await found(agent, name);
    const asked = { ...path, action, reason, expect: seen };
    const before = patches();
    expect(await agent.refusal("act", asked)).toMatchObject({
      code,
      detail: expect.stringContaining("An agent cannot do that: propose it."),
    });
    expect(patches()).toBe(before);
    expect((await agent.call("propose", asked)).data).toMatchObject({ state: "pending" });
  });

  it("has a budget for an hour, which 50 calls at once do not exceed", async () => {
    const agent = await agentOf(oncall);
    const seen: Awaited<ReturnType<typeof found>>[] = [];
    for (let at = 0; at < 10; at += 1) seen.push(await found(agent, `raced-${at}`));
    const before = patches();
    const calls = Array.from({ length: 50 }, (_, at) => seen[at % seen.length]).map((each) =>
      agent.client.callTool({
        name: "act",
        arguments: { ...each?.path, action: "abort", reason, expect: each?.expect },
      }),
    );
    const answers = await Promise.all(calls);
    expect(answers.filter(({ isError }) => isError !== true)).toHaveLength(3);
    expect(JSON.stringify(answers)).toContain("An agent may act 3 times an hour by itself: propose it.");
    expect(patches()).toBe(before + 3);
    const { rows } = await owner.query("SELECT count(*)::int FROM action WHERE name LIKE 'raced-%' AND intent_seq > 0");
    expect(rows).toEqual([{ count: 3 }]);

    const another = await agentOf(oncall);
    const { path, expect: now } = await found(another);
    await another.call("act", { ...path, action: "abort", reason, expect: now });
  });

  it("is stopped at once: also a call whose intent is not written yet", async () => {
    const agent = await agentOf(oncall);
    const { name, path, expect: seen } = await found(agent);
    const asked = { ...path, action: "abort", reason, expect: seen };
    const before = patches();
    const client = await owner.connect();
    try {
      await client.query("BEGIN");
      await client.query("SELECT pg_advisory_xact_lock($1)", [chainLock]);
      const call = agent.refusal("act", asked);
      await waitFor("the intent waits for the audit chain", async () => {
        const { rows } = await owner.query("SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted");
        return rows.length > 0;
      });
      Object.assign(limits(), { proposalsPerHour: 0 });
      await client.query("COMMIT");
      expect(await call).toMatchObject({
        code: "not_allowed_now",
        detail: "The config stops all agents (limits.proposalsPerHour).",
      });
      for (const tool of ["act", "propose"])
        expect(await agent.refusal(tool, asked)).toMatchObject({ code: "not_allowed_now" });
      Object.assign(limits(), { proposalsPerHour: 20, agentActionsPerHour: 0 });
      expect(await agent.refusal("act", asked)).toMatchObject({ code: "rate_limited" });
      expect((await agent.call("propose", asked)).data).toMatchObject({ state: "pending" });
    } finally {
      Object.assign(limits(), { proposalsPerHour: 20, agentActionsPerHour: 3 });
      client.release();
    }
    expect(isAborted(name)).toBe(false);
    expect(patches()).toBe(before);
  });
});
