import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Approval } from "#lib/contract/approval.ts";
import type { Role } from "#lib/contract/common.ts";
import { everywhere } from "#lib/domain/policy/rights.ts";
import { getAction } from "#lib/server/acting/act/get-action.ts";
import { requestApproval } from "#lib/server/acting/act/request-approval.ts";
import { decideApproval, listApprovals } from "#lib/server/acting/approvals/approvals.ts";
import { robotIssuer } from "#lib/server/people/auth/derive-rights.ts";
import type { Actor } from "#lib/server/platform/actor/actor.ts";
import { actingTools } from "#test/acting-tools.ts";
import { type ActingWorld, actorOf, createActingWorld, failureOf, type TestRollout } from "#test/acting-world.ts";

let world: ActingWorld;
beforeAll(async () => {
  world = await createActingWorld();
});
afterEach(() => {
  world.setPolicies({});
  world.setIntercept(undefined);
  world.setRoles([{ role: "operator", groups: ["gatehouse:operators"] }]);
});
afterAll(() => world.close());

const person = (name: string, role: Role = "operator"): Actor => ({
  ...actorOf(role),
  subject: name,
  name,
  username: name,
});
const oncall = person("oncall");
const releaser = person("releaser");
const two = { secondPerson: [{ name: "four eyes", actions: ["continue"] }] };

async function ask(rollout: TestRollout, actor: Actor = oncall): Promise<Approval> {
  return requestApproval({
    ctx: world.contextOf(actor),
    input: { ...rollout.path, action: "continue", reason: "metrics look fine", expect: await rollout.look() },
  });
}
const decide = (actor: Actor, approval: Approval, decision: "approve" | "reject" | "withdraw" = "approve") =>
  decideApproval({
    ctx: world.contextOf(actor),
    input: { id: approval.id, decision, viewDigest: approval.viewDigest },
  });

/** Makes a rollout and the releaser's approval of the oncall's request to continue it. */
async function approved(): Promise<{ rollout: TestRollout; approval: Approval }> {
  world.setPolicies(two);
  const rollout = await world.addRollout();
  const approval = await ask(rollout);
  await decide(releaser, approval);
  return { rollout, approval };
}

async function stateOf(approval: Approval): Promise<string | undefined> {
  const { items } = await listApprovals({ ctx: world.contextOf(oncall), input: { limit: 100 } });
  return items.find(({ id }) => id === approval.id)?.state;
}
const continueWith = (rollout: TestRollout, approval: Approval, actor = oncall) =>
  world.act({ rollout, action: "continue", actor, approval: approval.id });

describe("an approval is of one action and nothing else", () => {
  it("is not used up by an action that no rule names, by whoever asked for it or by others", async () => {
    const { rollout, approval } = await approved();
    for (const actor of [oncall, releaser, person("guest")])
      await expect(world.act({ rollout, action: "restart", actor, approval: approval.id })).rejects.toMatchObject({
        code: "second_person_required",
      });
    world.setPolicies({});
    await expect(continueWith(rollout, approval, person("guest"))).rejects.toMatchObject({
      code: "second_person_required",
    });
    expect(await stateOf(approval)).toBe("approved");
    const entries = await world.entriesOf(rollout);
    expect(entries.filter(({ outcome }) => outcome === "intent")).toEqual([]);
    await expect(continueWith(rollout, approval)).resolves.toMatchObject({ state: "applied" });
  });

  it("tells in the intent who the second person was", async () => {
    const { rollout, approval } = await approved();
    await continueWith(rollout, approval);
    const intent = (await world.entriesOf(rollout)).find(({ outcome }) => outcome === "intent");
    expect(intent?.detail).toMatchObject({
      approval: approval.id,
      approvedBy: [{ issuer: "https://issuer.example", subject: "releaser", name: "releaser", username: "releaser" }],
    });
  });

  it("is nothing where there is none of that id", async () => {
    const rollout = await world.addRollout();
    for (const approval of [randomUUID(), "x"])
      await expect(world.act({ rollout, action: "restart", actor: oncall, approval })).rejects.toMatchObject({
        code: "second_person_required",
      });
  });

  it.each([
    ["another cluster", "cluster = 'staging'"],
    ["another namespace", "namespace = 'elsewhere'"],
    ["another name", "name = 'search'"],
    ["another record of the rollout", "rollout_id = (SELECT r.id FROM rollout r WHERE r.id <> rollout_id LIMIT 1)"],
    ["another requester", "requested_by = 'https://issuer.example|guest'"],
    ["another view", "view_digest = 'd'"],
    ["another action", "action = 'restart'"],
    ["other parameters", `params = '{"at": "2026-11-20T12:00:00Z"}'`],
    ["its own requester's word", "votes = jsonb_set(votes, '{0,key}', to_jsonb(requested_by))"],
  ])("is refused for %s, and once more when the intent is written", async (_, change) => {
    const before = await approved();
    await world.owner.query(`UPDATE approval SET ${change} WHERE id = $1`, [before.approval.id]);
    const refused = { code: "second_person_required" };
    await expect(continueWith(before.rollout, before.approval)).rejects.toMatchObject(refused);

    const between = await approved();
    world.setIntercept(async (_request, send) => {
      await world.owner.query(`UPDATE approval SET ${change} WHERE id = $1`, [between.approval.id]);
      return send();
    });
    await expect(continueWith(between.rollout, between.approval)).rejects.toMatchObject(refused);
    world.setIntercept(undefined);
    const { rows } = await world.owner.query("SELECT action_id FROM approval WHERE id = ANY ($1)", [
      [before.approval.id, between.approval.id],
    ]);
    expect(rows).toEqual([{ action_id: null }, { action_id: null }]);
    expect(await world.outcomesOf(between.rollout)).not.toContain("action.continue intent");
  });
});

describe("an approval is taken back until it is used", () => {
  it.each<[string, Actor]>([
    ["who asked", oncall],
    ["who approved it", releaser],
    ["an admin of the place", person("chief", "admin")],
  ])("by %s", async (_, actor) => {
    const { rollout, approval } = await approved();
    expect(await decide(actor, approval, "withdraw")).toMatchObject({ state: "withdrawn", withdrawable: false });
    await expect(continueWith(rollout, approval)).rejects.toMatchObject({ code: "second_person_required" });
    const entry = (await world.entriesOf(rollout)).find(({ code }) => code === "approval.withdraw");
    expect(entry?.detail).toMatchObject({
      requestedBy: { subject: "oncall", username: "oncall" },
      approvedBy: [{ subject: "releaser", username: "releaser" }],
    });
  });

  it("by nobody else, and not once it is used", async () => {
    const { rollout, approval } = await approved();
    const chief = person("chief", "admin");
    const elsewhere = { ...everywhere, namespaces: ["elsewhere"] };
    const far = {
      ...chief,
      rights: {
        ...chief.rights,
        grants: [
          ...oncall.rights.grants,
          { role: "admin" as const, scope: elsewhere, actions: ["*"], breakGlass: false },
        ],
      },
    };
    for (const actor of [person("guest"), far])
      await expect(decide(actor, approval, "withdraw")).rejects.toMatchObject({ code: "forbidden" });
    await continueWith(rollout, approval);
    await expect(decide(oncall, approval, "withdraw")).rejects.toMatchObject({ code: "conflict" });
  });

  it("while it waits, by an admin too; one that was rejected stays so", async () => {
    world.setPolicies(two);
    const rollout = await world.addRollout();
    expect(await decide(person("chief", "admin"), await ask(rollout), "withdraw")).toMatchObject({
      state: "withdrawn",
    });
    const rejected = await ask(rollout);
    await decide(releaser, rejected, "reject");
    await expect(decide(oncall, rejected, "withdraw")).rejects.toMatchObject({ code: "conflict" });
  });
});

describe("the word of somebody counts while they may do it themselves", () => {
  it.each([
    ["has no role any more", []],
    ["only looks on now", [{ role: "viewer" as const, groups: ["gatehouse:operators"] }]],
    ["may do other actions", [{ role: "operator" as const, groups: ["gatehouse:operators"], actions: ["abort"] }]],
    ["may do it elsewhere", [{ role: "operator" as const, groups: ["gatehouse:operators"], namespaces: ["x"] }]],
  ])("not once the approver %s", async (_, roles) => {
    const { rollout, approval } = await approved();
    world.setRoles(roles);
    const failure = await failureOf(continueWith(rollout, approval));
    expect(failure).toMatchObject({
      code: "second_person_required",
      message: expect.stringContaining("lost the right"),
    });
    world.setRoles([{ role: "operator", users: ["releaser"] }]);
    await expect(continueWith(rollout, approval)).resolves.toMatchObject({ state: "applied" });
  });

  it("not where it was given before anybody wrote down who they are", async () => {
    const { rollout, approval } = await approved();
    await world.owner.query("UPDATE approval SET votes = votes #- '{0,username}' WHERE id = $1", [approval.id]);
    await expect(continueWith(rollout, approval)).rejects.toMatchObject({ code: "second_person_required" });
  });
});

describe("a robot", () => {
  const robot: Actor = {
    ...person("deployer"),
    type: "token",
    issuer: robotIssuer,
    session: undefined,
    token: { id: randomUUID(), name: "ci" },
  };

  it("asks for no second person: who holds its token could be the one who approves", async () => {
    world.setPolicies(two);
    const rollout = await world.addRollout();
    await expect(ask(rollout, robot)).rejects.toMatchObject({ code: "forbidden" });
    await expect(world.act({ rollout, action: "continue", actor: robot })).rejects.toMatchObject({
      code: "second_person_required",
      message: expect.stringContaining("A robot cannot ask"),
    });
    await expect(world.act({ rollout, action: "restart", actor: robot })).resolves.toMatchObject({ state: "applied" });
  });

  it("may where the rule says so, and what it was allowed ends with the rule", async () => {
    const allowing = { secondPerson: [{ ...two.secondPerson[0], name: "four eyes", robotsMayAsk: true }] };
    world.setPolicies(allowing);
    const rollout = await world.addRollout();
    const approval = await ask(rollout, robot);
    await decide(releaser, approval);
    world.setPolicies(two);
    await expect(continueWith(rollout, approval, robot)).rejects.toMatchObject({ code: "second_person_required" });
    world.setPolicies(allowing);
    await expect(continueWith(rollout, approval, robot)).resolves.toMatchObject({ state: "applied" });
  });
});

describe("what lifts the pause in the spec unpauses", () => {
  const only = { actions: ["unpause"] };
  const paused = () => world.addRollout({ spec: { paused: true } });
  const limited = (name: string, actions: string[]): Actor => {
    const actor = person(name);
    return {
      ...actor,
      rights: { ...actor.rights, grants: actor.rights.grants.map((grant) => ({ ...grant, actions })) },
    };
  };

  it("so it asks for the right to unpause", async () => {
    const actor = limited("oncall", ["continue"]);
    const rollout = await paused();
    const failure = await failureOf(world.act({ rollout, action: "continue", actor }));
    expect(failure).toMatchObject({ code: "forbidden", message: expect.stringContaining("unpause") });
    expect(rollout.read().spec.paused).toBe(true);
    await expect(world.act({ rollout: await world.addRollout(), action: "continue", actor })).resolves.toMatchObject({
      state: "applied",
    });
  });

  it("and is held back by a freeze of unpause", async () => {
    world.setPolicies({ freezes: [{ name: "always", start: "* * * * *", duration: "2m", ...only }] });
    for (const action of ["continue", "promote-full"] as const)
      await expect(world.act({ rollout: await paused(), action })).rejects.toMatchObject({ code: "frozen" });
    await expect(world.act({ rollout: await world.addRollout(), action: "continue" })).resolves.toMatchObject({
      state: "applied",
    });
  });

  it("and needs the second person of unpause, who may unpause too", async () => {
    world.setPolicies({ secondPerson: [{ name: "four eyes", ...only }] });
    const rollout = await paused();
    await expect(world.act({ rollout, action: "continue", actor: oncall })).rejects.toMatchObject({
      code: "second_person_required",
    });
    const approval = await ask(rollout);
    await expect(decide(limited("guest", ["continue"]), approval)).rejects.toMatchObject({ code: "forbidden" });
    await decide(releaser, approval);
    world.setRoles([{ role: "operator", users: ["releaser"], actions: ["continue"] }]);
    await expect(continueWith(rollout, approval)).rejects.toMatchObject({ code: "second_person_required" });
    world.setRoles([{ role: "operator", users: ["releaser"], actions: ["continue", "unpause"] }]);
    await expect(continueWith(rollout, approval)).resolves.toMatchObject({ state: "applied" });
    expect(rollout.read().spec.paused).toBe(false);
  });
});

it("a reason that nobody can see is none", async () => {
  const rollout = await world.addRollout();
  for (const reason of ["\u200b", "\u00a0\u2060", "\u3164", "\u202e\u0007"])
    await expect(world.act({ rollout, action: "continue", reason })).rejects.toMatchObject({ code: "reason_required" });
});

it("an action, and what the recorder adds to it, name the person by more than the display name", async () => {
  const tools = actingTools(() => world);
  const actor = { ...person("guest"), name: "Release Bot" };
  const rollout = await world.addRollout();
  tools.loseAnswers(true);
  const { id, state } = await world.act({ rollout, action: "continue", actor });
  world.setIntercept(undefined);
  expect(state).toBe("unknown");
  await tools.age(id, 46);
  await tools.follow();
  const added = (await world.entriesOf(rollout)).find(({ source }) => source === "system");
  expect(added?.detail?.requestedBy).toEqual({
    issuer: "https://issuer.example",
    subject: "guest",
    name: "Release Bot",
    username: "guest",
  });
  expect(await getAction({ ctx: world.contextOf(actor), input: { id } })).toMatchObject({
    actor: "Release Bot",
    actorUsername: "guest",
  });
  world.setPolicies(two);
  const other = await world.addRollout();
  expect(await ask(other, actor)).toMatchObject({ requestedBy: "Release Bot", requestedByUsername: "guest" });
});
