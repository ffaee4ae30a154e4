import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Approval } from "#lib/contract/approval.ts";
import { requestApproval } from "#lib/server/acting/act/request-approval.ts";
import { decideApproval, listApprovals } from "#lib/server/acting/approvals/approvals.ts";
import type { Actor } from "#lib/server/platform/actor/actor.ts";
import { type ActingWorld, actorOf, createActingWorld, type TestRollout } from "#test/acting-world.ts";

let world: ActingWorld;

beforeAll(async () => {
  world = await createActingWorld();
});
afterEach(() => world.setPolicies({}));
afterAll(() => world.close());

/** Returns a signed-in person of this name who authenticated this many minutes ago. */
function person(
  name: string,
  { breakGlass = false, minutesAgo = 0 }: { breakGlass?: boolean; minutesAgo?: number } = {},
): Actor {
  const actor = actorOf("operator");
  const later = new Date(Date.now() + 3_600_000);
  return {
    ...actor,
    subject: name,
    name,
    username: name,
    rights: { ...actor.rights, grants: actor.rights.grants.map((grant) => ({ ...grant, breakGlass })) },
    session: {
      id: "s",
      authenticatedAt: new Date(Date.now() - minutesAgo * 60_000 - 1000),
      idleExpiresAt: later,
      absoluteExpiresAt: later,
    },
  };
}

/** In force at any time. */
const always = { name: "always", start: "* * * * *", duration: "2m" };

describe("a freeze", () => {
  it("holds back what advances, and lets protective actions through", async () => {
    world.setPolicies({ freezes: [always] });
    const rollout = await world.addRollout();
    await expect(world.act({ rollout, action: "continue" })).rejects.toMatchObject({ code: "frozen" });
    await expect(world.act({ rollout, action: "abort" })).resolves.toMatchObject({ state: "applied" });
    expect(await world.outcomesOf(rollout)).toEqual([
      "action.continue refused",
      "action.abort intent",
      "action.abort applied",
    ]);
  });

  it.each(["continue", "promote-full"] as const)(
    "holds back %s too if it begins while the rollout is read",
    async (action) => {
      const rollout = await world.addRollout({ spec: { paused: true } });
      world.setIntercept((request, send) => {
        if (request.method === "GET")
          world.setPolicies({ freezes: [{ name: "now", start: "* * * * *", duration: "2m" }] });
        return send();
      });
      world.requests.length = 0;
      await expect(world.act({ rollout, action })).rejects.toMatchObject({ code: "frozen" });
      expect(world.requests.filter(({ method }) => method === "PATCH")).toEqual([]);
      expect(await world.outcomesOf(rollout)).toEqual([`action.${action} refused`]);
      world.setIntercept(undefined);
    },
  );

  it("holds only where and what it says", async () => {
    world.setPolicies({
      freezes: [
        { ...always, clusters: ["staging-*"] },
        { ...always, actions: ["promote-*"] },
      ],
    });
    const rollout = await world.addRollout();
    await expect(world.act({ rollout, action: "continue" })).resolves.toMatchObject({ state: "applied" });
  });

  it("holds back what advances outside of release windows, unless one of them is open", async () => {
    // Open for a minute each leap year.
    const closed = { name: "leap", start: "0 0 29 2 *", duration: "1m", outside: true };
    world.setPolicies({ freezes: [closed, { ...closed, name: "leap too" }] });
    const rollout = await world.addRollout();
    const refused = world.act({ rollout, action: "continue" });
    await expect(refused).rejects.toMatchObject({
      code: "frozen",
      message: expect.stringMatching(/^Outside the release windows: leap, leap too\. The next one opens 20\d\d-02-29T/),
    });
    const byGlass = person("oncall", { breakGlass: true });
    await expect(world.act({ rollout, action: "continue", actor: byGlass, breakGlass: true })).resolves.toMatchObject({
      state: "applied",
    });
    const entries = await world.entriesOf(rollout);
    expect(entries.map(({ outcome, detail }) => [outcome, detail?.policy ?? detail?.brokenFreeze])).toEqual([
      ["refused", "leap, leap too"],
      ["intent", "leap, leap too"],
      ["applied", "leap, leap too"],
    ]);

    world.setPolicies({ freezes: [closed] });
    const other = await world.addRollout();
    await expect(world.act({ rollout: other, action: "abort" })).resolves.toMatchObject({ state: "applied" });
    world.setPolicies({ freezes: [closed, { ...always, outside: true }] });
    const third = await world.addRollout();
    await expect(world.act({ rollout: third, action: "continue" })).resolves.toMatchObject({ state: "applied" });
  });

  it("is broken by who may, with a reason and a fresh sign-in, and the log says so", async () => {
    world.setPolicies({ freezes: [always] });
    const rollout = await world.addRollout();
    const act = (actor: Actor, reason = "customers cannot pay") =>
      world.act({ rollout, action: "continue", actor, reason, breakGlass: true });
    await expect(act(person("oncall"))).rejects.toMatchObject({ code: "frozen" });
    await expect(act(person("oncall", { breakGlass: true, minutesAgo: 6 }))).rejects.toMatchObject({
      code: "reauthentication_required",
    });
    await expect(act(person("oncall", { breakGlass: true }), "")).rejects.toMatchObject({ code: "reason_required" });
    const token = { ...person("oncall", { breakGlass: true }), type: "token" as const, session: undefined };
    await expect(act(token)).rejects.toMatchObject({ code: "frozen" });
    await expect(act(person("oncall", { breakGlass: true }))).resolves.toMatchObject({ state: "applied" });
    const entries = await world.entriesOf(rollout);
    for (const word of ["intent", "applied"])
      expect(entries.find(({ outcome }) => outcome === word)?.detail).toMatchObject({ brokenFreeze: "always" });
  });
});

describe("a second person", () => {
  const two = { secondPerson: [{ name: "four eyes", actions: ["continue", "promote-*"] }] };
  const ask = async (rollout: TestRollout, actor: Actor): Promise<Approval> =>
    requestApproval({
      ctx: world.contextOf(actor),
      input: { ...rollout.path, action: "continue", reason: "metrics look fine", expect: await rollout.look() },
    });
  const decide = (actor: Actor, approval: Approval, decision: "approve" | "reject" | "withdraw" = "approve") =>
    decideApproval({
      ctx: world.contextOf(actor),
      input: { id: approval.id, decision, viewDigest: approval.viewDigest },
    });

  it("must approve before it is done; one approval serves once", async () => {
    world.setPolicies(two);
    const rollout = await world.addRollout();
    const oncall = person("oncall");
    await expect(world.act({ rollout, action: "continue", actor: oncall })).rejects.toMatchObject({
      code: "second_person_required",
    });
    const approval = await ask(rollout, oncall);
    expect(approval).toMatchObject({ state: "pending", own: true, decidable: false, rule: "four eyes" });
    const act = () => world.act({ rollout, action: "continue", actor: oncall, approval: approval.id });
    await expect(act()).rejects.toMatchObject({ code: "second_person_required" });
    expect(await decide(person("releaser"), approval)).toMatchObject({ state: "approved", decidedBy: "releaser" });
    const accepted = await act();
    expect(accepted.state).toBe("applied");
    const { items } = await listApprovals({ ctx: world.contextOf(oncall), input: { limit: 1 } });
    expect(items[0]).toMatchObject({ state: "used", actionId: accepted.id });
    await expect(act()).rejects.toMatchObject({ code: "second_person_required" });
    expect(await world.outcomesOf(rollout)).toEqual([
      "action.continue refused",
      "approval.request applied",
      "action.continue refused",
      "approval.approve applied",
      "action.continue intent",
      "action.continue applied",
      "action.continue refused",
    ]);
    expect((await world.verify()).ok).toBe(true);
  });

  it("is never the same person, nor a token", async () => {
    world.setPolicies(two);
    const rollout = await world.addRollout();
    const approval = await ask(rollout, person("oncall"));
    await expect(decide(person("oncall"), approval)).rejects.toMatchObject({ code: "forbidden" });
    const token: Actor = { ...person("releaser"), type: "token", session: undefined, token: { id: "t", name: "ci" } };
    await expect(decide(token, approval)).rejects.toMatchObject({ code: "forbidden" });
    await expect(decide(actorOf("viewer"), approval)).rejects.toMatchObject({ code: "forbidden" });
    await expect(decide(person("releaser"), approval, "withdraw")).rejects.toMatchObject({ code: "forbidden" });
    await expect(decide(person("oncall"), approval, "withdraw")).resolves.toMatchObject({ state: "withdrawn" });
    await expect(decide(person("releaser"), approval)).rejects.toMatchObject({ code: "conflict" });
  });

  it("approves one view: once the rollout changed, the word counts no more", async () => {
    world.setPolicies(two);
    const rollout = await world.addRollout();
    const oncall = person("oncall");
    const approval = await ask(rollout, oncall);
    await decide(person("releaser"), approval);
    rollout.setStatus((status) => ({ ...status, currentStepIndex: 3 }));
    await rollout.record();
    await expect(
      world.act({ rollout, action: "continue", actor: oncall, approval: approval.id }),
    ).rejects.toMatchObject({ code: "second_person_required" });
    await expect(
      decideApproval({
        ctx: world.contextOf(person("guest")),
        input: { id: (await ask(rollout, oncall)).id, decision: "approve", viewDigest: approval.viewDigest },
      }),
    ).rejects.toMatchObject({ code: "stale_view" });
  });

  it("that came too late counts no more, by the database's clock", async () => {
    world.setPolicies(two);
    const rollout = await world.addRollout();
    const oncall = person("oncall");
    const approval = await ask(rollout, oncall);
    await decide(person("releaser"), approval);
    await world.owner.query("UPDATE approval SET expires_at = now() WHERE id = $1", [approval.id]);
    await expect(
      world.act({ rollout, action: "continue", actor: oncall, approval: approval.id }),
    ).rejects.toMatchObject({ code: "second_person_required" });
  });

  it("is asked for nothing that no rule names", async () => {
    const rollout = await world.addRollout();
    await expect(ask(rollout, person("oncall"))).rejects.toMatchObject({ code: "not_allowed_now" });
  });

  it("two who act at once with one approval: one is done", async () => {
    world.setPolicies(two);
    const rollout = await world.addRollout();
    const oncall = person("oncall");
    const approval = await ask(rollout, oncall);
    await decide(person("releaser"), approval);
    const act = () =>
      world.act({ rollout, action: "continue", actor: oncall, approval: approval.id }).then(
        () => "done",
        () => "refused",
      );
    expect((await Promise.all([act(), act(), act()])).toSorted()).toEqual(["done", "refused", "refused"]);
  });
});
