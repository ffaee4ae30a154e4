import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Approval, ApprovalDecision } from "#lib/contract/approval.ts";
import { requestApproval } from "#lib/server/acting/act/request-approval.ts";
import { decideApproval, listApprovals } from "#lib/server/acting/approvals/approvals.ts";
import { chainLock } from "#lib/server/audit/audit-statements.ts";
import type { Actor } from "#lib/server/platform/actor/actor.ts";
import { type ActingWorld, actorOf, createActingWorld, failureOf, type TestRollout } from "#test/acting-world.ts";

let world: ActingWorld;
beforeAll(async () => {
  world = await createActingWorld();
});
afterEach(() => {
  world.setPolicies({});
  world.setRoles([operators]);
});
afterAll(() => world.close());

const operators = { role: "operator" as const, groups: ["gatehouse:operators"] };

function person(name: string, ...groups: string[]): Actor {
  const actor = actorOf("operator");
  return { ...actor, subject: name, name, username: name, groups: [...actor.groups, ...groups] };
}
const oncall = person("oncall", "sre");
const [ann, ben, cleo] = ["ann", "ben", "cleo"].map((name) => person(name, "sre")) as [Actor, Actor, Actor];
const guest = person("guest");

type Rule = { name?: string; approvers?: number; groups?: string[]; mode?: "observe" };
const requires = (...rules: Rule[]) =>
  world.setPolicies({ secondPerson: rules.map((rule) => ({ name: "many eyes", actions: ["continue"], ...rule })) });

/** Makes a rollout, and the oncall's request to continue it. */
async function requested(...rules: Rule[]): Promise<{ rollout: TestRollout; approval: Approval }> {
  world.setRoles([operators]);
  requires(...rules);
  const rollout = await world.addRollout();
  const approval = await requestApproval({
    ctx: world.contextOf(oncall),
    input: { ...rollout.path, action: "continue", reason: "metrics look fine", expect: await rollout.look() },
  });
  return { rollout, approval };
}

type Deciding = { decision?: ApprovalDecision["decision"]; viewDigest?: string; isElsewhere?: boolean };

function decide(actor: Actor, approval: Approval, { decision = "approve", ...other }: Deciding = {}) {
  const { viewDigest = approval.viewDigest, isElsewhere = false } = other;
  const ctx = world.contextOf(actor);
  // A pool of its own has its own queue for the audit log, as another web process has.
  const elsewhere = { ...ctx, runtime: { ...ctx.runtime, pool: world.owner } };
  return decideApproval({ ctx: isElsewhere ? elsewhere : ctx, input: { id: approval.id, decision, viewDigest } });
}

async function seenBy(actor: Actor, approval: Approval, state?: "pending" | "open"): Promise<Approval | undefined> {
  const { items } = await listApprovals({ ctx: world.contextOf(actor), input: { limit: 100, state } });
  return items.find(({ id }) => id === approval.id);
}

const act = (rollout: TestRollout, approval: Approval) =>
  world.act({ rollout, action: "continue", actor: oncall, approval: approval.id });
const outcomeOf = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    ({ code }: { code: string }) => code,
  );
const namesIn = ({ approvals }: Pick<Approval, "approvals">) => approvals.map(({ name }) => name);

describe("two approvers", () => {
  it("approve one after the other, each with an entry that says how far it has got", async () => {
    const { rollout, approval } = await requested({ approvers: 2 });
    expect(approval).toMatchObject({ state: "pending", approvals: [] });
    expect(approval.rules).toEqual([{ name: "many eyes", approvers: 2, groups: [], approved: 0 }]);
    expect(await decide(ann, approval)).toMatchObject({ state: "pending", rules: [{ approved: 1 }] });
    expect(await failureOf(act(rollout, approval))).toMatchObject({
      code: "second_person_required",
      message: 'Rule "many eyes" requires 2 other people. 1 of 2 approved.',
    });
    const second = await decide(ben, approval);
    expect(second).toMatchObject({ state: "approved", rules: [{ approved: 2 }], decidedBy: "ben" });
    expect(second.approvals).toMatchObject([
      { name: "ann", username: "ann", counts: true },
      { name: "ben", username: "ben", counts: true },
    ]);
    await expect(act(rollout, approval)).resolves.toMatchObject({ state: "applied" });
    expect(await seenBy(oncall, approval)).toMatchObject({ state: "used", rules: [] });

    const entries = await world.entriesOf(rollout);
    const rulesOf = entries.filter(({ code }) => code === "approval.approve").map(({ detail }) => detail?.rules);
    expect(rulesOf).toEqual([1, 2].map((approved) => [{ rule: "many eyes", approvers: 2, approved }]));
    const intent = entries.find(({ outcome }) => outcome === "intent");
    expect(intent?.detail?.approvedBy).toMatchObject([{ subject: "ann" }, { subject: "ben" }]);
    expect((await world.verify()).ok).toBe(true);
  });

  it("of an observed rule are counted among the approvals that the action had", async () => {
    const ofSre = { groups: ["sre"], mode: "observe" as const };
    const { rollout, approval } = await requested(
      {},
      { ...ofSre, name: "one of sre" },
      { ...ofSre, name: "two of sre", approvers: 2 },
    );
    expect(await decide(ann, approval)).toMatchObject({ state: "approved" });
    await act(rollout, approval);
    const intent = (await world.entriesOf(rollout)).find(({ outcome }) => outcome === "intent");
    expect(intent?.detail?.observed).toEqual([
      { rule: "two of sre", kind: "second-person", would: "require more approvals" },
    ]);
  });

  it("are two people: not the requester, nor one person in two sessions, nor a token", async () => {
    const { rollout, approval } = await requested({ approvers: 2 });
    await decide(ann, approval);
    const again = { ...ann, name: "Somebody else", username: "other", userId: randomUUID() };
    const token = { id: randomUUID(), name: "ci" };
    for (const [actor, code] of [
      [again, "conflict"],
      [{ ...ben, type: "token", session: undefined, token } as const, "forbidden"],
      [{ ...ann, type: "token", session: undefined, token } as const, "forbidden"],
      [oncall, "forbidden"],
    ] as const)
      expect(await outcomeOf(decide(actor, approval))).toBe(code);
    expect(await seenBy(again, approval)).toMatchObject({ decidable: false, withdrawable: true });
    expect(namesIn((await seenBy(oncall, approval)) ?? approval)).toEqual(["ann"]);
    expect(await outcomeOf(act(rollout, approval))).toBe("second_person_required");
  });

  it("see the same state: each approval is of what was seen", async () => {
    const { approval } = await requested({ approvers: 2 });
    await decide(ann, approval);
    expect(await outcomeOf(decide(ben, approval, { viewDigest: "another" }))).toBe("stale_view");
    expect(await seenBy(oncall, approval)).toMatchObject({ state: "pending", rules: [{ approved: 1 }] });
  });

  it("are stopped by one rejection, and by the first of them", async () => {
    const rejected = await requested({ approvers: 2 });
    await decide(ann, rejected.approval);
    expect(await decide(ben, rejected.approval, { decision: "reject" })).toMatchObject({ state: "rejected" });
    expect(await outcomeOf(decide(cleo, rejected.approval))).toBe("conflict");
    expect(await outcomeOf(act(rejected.rollout, rejected.approval))).toBe("second_person_required");

    const withdrawn = await requested({ approvers: 2 });
    await decide(ann, withdrawn.approval);
    expect(await outcomeOf(decide(ben, withdrawn.approval, { decision: "withdraw" }))).toBe("forbidden");
    expect(await decide(ann, withdrawn.approval, { decision: "withdraw" })).toMatchObject({ state: "withdrawn" });
    expect((await world.entriesOf(withdrawn.rollout)).at(-1)).toMatchObject({
      code: "approval.withdraw",
      detail: { approvedBy: [{ subject: "ann" }] },
    });
  });
});

describe("groups", () => {
  it("are of the approver's session; others can neither approve nor reject", async () => {
    const { rollout, approval } = await requested({ groups: ["sre", "db"] });
    expect(await seenBy(guest, approval)).toMatchObject({ decidable: false });
    for (const decision of ["approve", "reject"] as const)
      expect(await failureOf(decide(guest, approval, { decision }))).toMatchObject({
        code: "forbidden",
        message: "Only people from sre or db can approve or reject it now.",
      });
    expect(await seenBy(ann, approval)).toMatchObject({ decidable: true });
    expect(await decide(ann, approval)).toMatchObject({ state: "approved" });
    await expect(act(rollout, approval)).resolves.toMatchObject({ state: "applied" });
  });

  it("do not replace the right to the action", async () => {
    const { approval } = await requested({ groups: ["sre"] });
    const viewer = { ...actorOf("viewer"), groups: ["gatehouse:viewers", "sre"] };
    expect(await outcomeOf(decide(viewer, approval))).toBe("forbidden");
  });

  it("of every rule are needed, and only people whose approval is missing decide", async () => {
    const { rollout, approval } = await requested({ approvers: 2 }, { name: "db", groups: ["db"] });
    expect(approval.rule).toBe("many eyes");
    await decide(ann, approval);
    await decide(ben, approval);
    expect(await seenBy(cleo, approval)).toMatchObject({ state: "pending", decidable: false });
    expect(await outcomeOf(decide(cleo, approval))).toBe("forbidden");
    expect(await failureOf(act(rollout, approval))).toMatchObject({
      message: 'Rule "db" requires a second person from db. 0 of 1 approved.',
    });
    await decide(person("dan", "db"), approval);
    await expect(act(rollout, approval)).resolves.toMatchObject({ state: "applied" });
  });
});

describe("decisions at the same time", () => {
  it("of two people both count", async () => {
    const { rollout, approval } = await requested({ approvers: 2 });
    await Promise.all([decide(ann, approval), decide(ben, approval, { isElsewhere: true })]);
    const seen = await seenBy(oncall, approval);
    expect(namesIn(seen ?? approval).toSorted()).toEqual(["ann", "ben"]);
    expect(seen?.state).toBe("approved");
    const entries = (await world.entriesOf(rollout)).filter(({ code }) => code === "approval.approve");
    expect(entries.map(({ detail }) => detail?.rules)).toMatchObject([[{ approved: 1 }], [{ approved: 2 }]]);
  });

  it("of ten people all count", async () => {
    const { approval } = await requested({ approvers: 10 });
    const people = Array.from({ length: 10 }, (_, index) => person(`p${index}`));
    await Promise.all(people.map((one, index) => decide(one, approval, { isElsewhere: index % 2 === 0 })));
    expect(await seenBy(oncall, approval)).toMatchObject({ state: "approved", rules: [{ approved: 10 }] });
  });

  it("of one person count once", async () => {
    const { approval } = await requested({ approvers: 2 });
    const outcomes = await Promise.all(
      [false, true, false].map((isElsewhere) => outcomeOf(decide(ann, approval, { isElsewhere }))),
    );
    expect(outcomes.toSorted()).toEqual(["conflict", "conflict", "done"]);
    expect(await seenBy(oncall, approval)).toMatchObject({ state: "pending", rules: [{ approved: 1 }] });
  });

  it.each([1, 2])("leave a request for %i rejected, or approved before", async (approvers) => {
    for (const isElsewhere of [false, true]) {
      const { rollout, approval } = await requested({ approvers });
      const [approved, rejected] = await Promise.all([
        outcomeOf(decide(ann, approval)),
        outcomeOf(decide(ben, approval, { decision: "reject", isElsewhere })),
      ]);
      const state = (await seenBy(oncall, approval))?.state;
      if (approvers === 2) expect([rejected, state]).toEqual(["done", "rejected"]);
      else expect(state).toBe(approved === "done" ? "approved" : "rejected");
      if (approvers === 1) expect([approved, rejected].toSorted()).toEqual(["conflict", "done"]);
      expect(await outcomeOf(act(rollout, approval))).toBe(state === "approved" ? "done" : "second_person_required");
    }
  });

  it("after the request expired do not count", async () => {
    const { approval } = await requested({ approvers: 2 });
    await decide(ann, approval);
    const client = await holdChain();
    const late = outcomeOf(decide(ben, approval));
    await untilWaiting();
    await world.owner.query("UPDATE approval SET expires_at = now() - interval '1 minute' WHERE id = $1", [
      approval.id,
    ]);
    await client.release();
    expect(await late).toBe("conflict");
    const seen = await seenBy(oncall, approval);
    expect([seen?.state, namesIn(seen ?? approval)]).toEqual(["expired", ["ann"]]);
  });
});

describe("a config that changes in between", () => {
  it("asks for more people, and counts those who have approved", async () => {
    const { rollout, approval } = await requested({ approvers: 1 });
    expect(await decide(ann, approval)).toMatchObject({ state: "approved" });
    expect(await seenBy(ben, approval, "pending")).toBeUndefined();
    requires({ approvers: 2 });
    expect(await seenBy(ben, approval, "pending")).toMatchObject({ decidable: true, rules: [{ approved: 1 }] });
    expect(await outcomeOf(act(rollout, approval))).toBe("second_person_required");
    expect(await decide(ben, approval)).toMatchObject({ state: "approved" });
    await expect(act(rollout, approval)).resolves.toMatchObject({ state: "applied" });
  });

  it("asks for fewer, and no further decision is needed", async () => {
    const { rollout, approval } = await requested({ approvers: 3 });
    await decide(ann, approval);
    requires({ approvers: 1 });
    expect(await seenBy(ben, approval)).toMatchObject({ state: "approved", decidable: false });
    await expect(act(rollout, approval)).resolves.toMatchObject({ state: "applied" });
  });

  it("takes a right away: that approval counts no more, and another person can take its place", async () => {
    const { rollout, approval } = await requested({ approvers: 2 });
    await decide(ann, approval);
    await decide(ben, approval);
    const but = (name: string) => ["oncall", "ann", "ben", "cleo"].filter((each) => each !== name);
    world.setRoles([{ role: "operator", users: but("ann") }]);
    const seen = await seenBy(cleo, approval);
    expect(seen).toMatchObject({ state: "pending", decidable: true, rules: [{ approved: 1 }] });
    expect(seen?.approvals.map(({ counts }) => counts)).toEqual([false, true]);
    expect(await failureOf(act(rollout, approval))).toMatchObject({
      message: "An approver has since lost the right to approve. 1 of 2 approved.",
    });
    await decide(cleo, approval);
    await expect(act(rollout, approval)).resolves.toMatchObject({ state: "applied" });
    const intent = (await world.entriesOf(rollout)).find(({ outcome }) => outcome === "intent");
    expect(intent?.detail?.approvedBy).toMatchObject([{ subject: "ben" }, { subject: "cleo" }]);
  });

  it.each<[string, () => void]>([
    ["more approvers", () => requires({ approvers: 3 })],
    ["another group", () => requires({ approvers: 2, groups: ["db"] })],
    ["another rule too", () => requires({ approvers: 2 }, { name: "db", groups: ["db"] })],
    ["no right of an approver", () => world.setRoles([{ role: "operator", users: ["oncall", "ann"] }])],
  ])("is judged once more when the intent is written: %s", async (_, change) => {
    const { rollout, approval } = await requested({ approvers: 2 });
    await decide(ann, approval);
    await decide(ben, approval);
    const client = await holdChain();
    const acting = outcomeOf(act(rollout, approval));
    await untilWaiting();
    change();
    await client.release();
    expect(await acting).toBe("second_person_required");
    expect(await world.outcomesOf(rollout)).not.toContain("action.continue intent");
    world.setRoles([operators]);
    requires({ approvers: 2 });
    await expect(act(rollout, approval)).resolves.toMatchObject({ state: "applied" });
  });
});

it("approvals that cannot be read do not count", async () => {
  const { rollout, approval } = await requested({});
  await decide(ann, approval);
  await world.owner.query(`UPDATE approval SET votes = '[{"key": "x"}]' WHERE id = $1`, [approval.id]);
  expect(await seenBy(ben, approval)).toMatchObject({ state: "pending", approvals: [] });
  expect(await outcomeOf(act(rollout, approval))).toBe("second_person_required");
});

/** Lets nothing into the audit log until it is released. */
async function holdChain(): Promise<{ release(): Promise<void> }> {
  const client = await world.recorder.connect();
  await client.query("BEGIN");
  await client.query("SELECT pg_advisory_xact_lock($1)", [chainLock]);
  return {
    release: async () => {
      await client.query("COMMIT");
      client.release();
    },
  };
}

async function untilWaiting(): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    const { rows } = await world.owner.query(
      `SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    );
    if (rows.length > 0) return;
    await sleep(20);
  }
  throw new Error("nothing waits for the audit log");
}
