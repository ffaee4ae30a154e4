import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { z } from "zod";
import type { ActionRequest } from "#lib/contract/action.ts";
import type { ActionPermission, PermissionAnswer } from "#lib/contract/admin-access.ts";
import { PermissionQuery } from "#lib/contract/admin-access.ts";
import { requestApproval } from "#lib/server/acting/act/request-approval.ts";
import { decideApproval } from "#lib/server/acting/approvals/approvals.ts";
import { askClusterPermissions } from "#lib/server/admin/ask-cluster-permissions.ts";
import { explainPermissions } from "#lib/server/admin/explain-permissions.ts";
import { deriveRightsNow } from "#lib/server/people/auth/derive-rights-now.ts";
import type { Actor } from "#lib/server/platform/actor/actor.ts";
import type { PolicyConfig, RoleBinding } from "#lib/server/platform/config/policy-schema.ts";
import { type ActingWorld, actorOf, createActingWorld, failureOf, type TestRollout } from "#test/acting-world.ts";

let world: ActingWorld;

beforeAll(async () => {
  world = await createActingWorld();
});
afterEach(() => {
  world.setPolicies({});
  world.setRoles([]);
  world.setAccess("act");
  world.setIntercept(undefined);
});
afterAll(() => world.close());

const admin = actorOf("admin");
/** The cluster lets this group act; the bindings of each case name the other one. */
const groups = ["gatehouse:operators", "team"];

/** Returns the person whom the questions are about, as a sign-in of this moment would have them. */
function asker(username = "asker"): Actor | undefined {
  const person = actorOf("operator", { preferred_username: username, groups });
  const identity = { issuer: person.issuer, subject: username, username, groups };
  const granted = deriveRightsNow(world.runtime, { identity });
  if (granted === undefined) return undefined;
  const later = new Date(Date.now() + 3_600_000);
  const session = { id: "s", authenticatedAt: new Date(), idleExpiresAt: later, absoluteExpiresAt: later };
  return { ...person, ...identity, ...granted, name: username, session };
}

async function explain(rollout: TestRollout, more: Record<string, string> = {}): Promise<PermissionAnswer> {
  const input = PermissionQuery.parse({ username: "asker", groups: groups.join(","), ...rollout.path, ...more });
  return explainPermissions({ ctx: world.contextOf(admin), input });
}

function permissionOf({ actions }: PermissionAnswer, action: string): ActionPermission {
  const found = actions.find((each) => each.action === action);
  if (found === undefined) throw new Error(`nothing is said about ${action}`);
  return found;
}

/** What a request of the asker is answered; `passed` if no right, policy or setting stood in its way. */
async function request(
  rollout: TestRollout,
  action: ActionRequest["action"],
  more: { breakGlass?: boolean; approval?: string } = {},
): Promise<string> {
  const actor = asker();
  if (actor === undefined) return "forbidden";
  // What has no parameters here is planned, and then refused for its state.
  const params = action === "set-image" ? { image: "shop/app:2", container: "app" } : {};
  try {
    await world.act({ rollout, action, actor, params, ...more });
    return "passed";
  } catch (error) {
    const { code } = error as { code: string };
    const isState = ["not_allowed_now", "invalid_request", "unchanged"].includes(code);
    return code === "not_found" ? "forbidden" : isState ? "passed" : code;
  }
}

const actions = ["continue", "promote-full", "retry", "abort", "pause", "set-image"] as const;
type Role = z.input<typeof RoleBinding>;
type Case = { name: string; roles: Role[]; policies?: z.input<typeof PolicyConfig>; access?: "read" };
const always = { name: "always", start: "* * * * *", duration: "2m" };
const four = { name: "four eyes" };
const team = (more: Partial<Role> = {}): Role => ({ role: "operator", groups: ["team"], ...more });

const cases: Case[] = [
  { name: "no binding", roles: [] },
  { name: "a binding of somebody else", roles: [{ role: "admin", users: ["other"] }] },
  { name: "a viewer", roles: [team({ role: "viewer" })] },
  { name: "an operator", roles: [team()] },
  { name: "an operator of another cluster", roles: [team({ clusters: ["stage-*"] })] },
  {
    name: "an operator of another namespace, who reads all",
    roles: [team({ namespaces: ["x"] }), team({ role: "viewer" })],
  },
  { name: "an operator of canaries only", roles: [team({ rollouts: ["Canary/*"] })] },
  { name: "an operator of some actions", roles: [team({ actions: ["abort", "re*"] })] },
  { name: "an operator by name", roles: [{ role: "operator", users: ["asker"], clusters: ["prod-*"] }] },
  { name: "a scoped admin", roles: [team({ role: "admin", namespaces: ["ns-*"] })] },
  { name: "a read-only cluster", roles: [team()], access: "read" },
  { name: "a freeze", roles: [team()], policies: { freezes: [always] } },
  {
    name: "closed release windows",
    roles: [team()],
    policies: {
      freezes: [
        { name: "leap", start: "0 0 29 2 *", duration: "1m", outside: true },
        { name: "leap too", start: "0 1 29 2 *", duration: "1m", outside: true, includeProtective: true },
      ],
    },
  },
  {
    name: "an open release window beside a closed one",
    roles: [team()],
    policies: {
      freezes: [
        { ...always, outside: true },
        { name: "leap", start: "0 0 29 2 *", duration: "1m", outside: true },
      ],
    },
  },
  {
    name: "a freeze of protective actions too",
    roles: [team({ breakGlass: true })],
    policies: { freezes: [{ ...always, includeProtective: true, actions: ["abort", "continue"] }] },
  },
  {
    name: "rules that are observed",
    roles: [team()],
    policies: { secondPerson: [{ ...four, mode: "observe" }], freezes: [{ ...always, mode: "observe" }] },
  },
  { name: "a rule of two people", roles: [team()], policies: { secondPerson: [four] } },
  {
    name: "a rule of two people and a freeze",
    roles: [team({ breakGlass: true })],
    policies: { secondPerson: [{ ...four, actions: ["retry", "abort"], includeProtective: true }], freezes: [always] },
  },
];

describe("the answer agrees with what a request is answered", () => {
  it.each(cases)("$name", async ({ roles, policies = {}, access }) => {
    world.setRoles(roles);
    world.setPolicies(policies);
    for (const action of actions) {
      const rollout = await world.addRollout();
      world.setAccess(access ?? "act");
      const { verdict, reasonCode } = permissionOf(await explain(rollout), action);
      const plain = await request(rollout, action);
      const expected: Record<ActionPermission["verdict"], string> = {
        yes: "passed",
        approval: "second_person_required",
        "break-glass": "frozen",
        "break-glass-and-approval": "frozen",
        no: reasonCode ?? "",
      };
      expect(`${action} ${plain}`).toBe(`${action} ${expected[verdict]}`);
      if (verdict === "break-glass") expect(await request(rollout, action, { breakGlass: true })).toBe("passed");
      if (verdict === "break-glass-and-approval")
        expect(await request(rollout, action, { breakGlass: true })).toBe("second_person_required");
      if (reasonCode === "frozen") expect(await request(rollout, action, { breakGlass: true })).toBe("frozen");
    }
  });

  it("lets pass with an approval what is said to need one", async () => {
    world.setRoles([team(), { role: "operator", users: ["second"] }]);
    world.setPolicies({ secondPerson: [four] });
    const rollout = await world.addRollout();
    expect(permissionOf(await explain(rollout), "continue").verdict).toBe("approval");
    const [first, second] = [asker(), asker("second")];
    if (first === undefined || second === undefined) throw new Error("they have no rights");
    const expectation = await rollout.look();
    const { id } = await requestApproval({
      ctx: world.contextOf(first),
      input: { ...rollout.path, action: "continue", reason: "r", expect: expectation },
    });
    await decideApproval({
      ctx: world.contextOf(second),
      input: { id, decision: "approve", viewDigest: expectation.viewDigest },
    });
    expect(await request(rollout, "continue", { approval: id })).toBe("passed");
  });
});

describe("why", () => {
  it("names the binding that gives a right, and what another one lacks", async () => {
    world.setRoles([team({ role: "viewer" }), team({ actions: ["abort"] }), { role: "admin", users: ["other"] }]);
    const rollout = await world.addRollout();
    const answer = await explain(rollout);
    expect(answer.grants.map(({ path }) => path)).toEqual(["auth.roles[0]", "auth.roles[1]"]);
    expect(permissionOf(answer, "abort").because).toEqual([
      { kind: "lacks", path: "auth.roles[0]", text: "gives group team the role viewer, but a viewer only reads." },
      { kind: "gives", path: "auth.roles[1]", text: "gives group team the role operator." },
    ]);
    expect(permissionOf(answer, "retry").because).toContainEqual({
      kind: "lacks",
      path: "auth.roles[1]",
      text: "gives group team the role operator, but only for the actions abort, which do not include retry.",
    });
  });

  it("names rule, freeze and rollout state", async () => {
    world.setRoles([team({ breakGlass: true })]);
    const observed = { ...four, name: "tried", mode: "observe" } as const;
    world.setPolicies({ freezes: [always], secondPerson: [observed, { ...four, actions: ["retry"] }] });
    const answer = await explain(await world.addRollout());
    const retry = permissionOf(answer, "retry");
    expect(retry.because.map(({ kind, path }) => [kind, path])).toEqual([
      ["gives", "auth.roles[0]"],
      ["second-person", "policies.secondPerson[1]"],
      ["freeze", "policies.freezes[0]"],
    ]);
    expect(retry.notNow).toEqual(expect.any(String));
  });

  it("says of a whole namespace what reaches only some of its rollouts", async () => {
    world.setRoles([team({ rollouts: ["shop-*"] })]);
    const input = PermissionQuery.parse({
      username: "asker",
      groups: "team",
      cluster: "prod-eu",
      namespace: "payments",
    });
    const answer = await explainPermissions({ ctx: world.contextOf(admin), input });
    expect(permissionOf(answer, "abort")).toMatchObject({ verdict: "no", reasonCode: "forbidden" });
    expect(permissionOf(answer, "abort").because[0]?.text).toContain("only for rollouts shop-*");
    expect(answer.reads?.verdict).toBe("no");
  });

  it("takes the groups of the newest session if the question names none", async () => {
    world.setRoles([team()]);
    const [user, username] = [randomUUID(), "seen"];
    await world.owner.query(
      "INSERT INTO user_account (id, issuer, subject, name) VALUES ($1, 'https://issuer.example', 'sub-1', 'Seen')",
      [user],
    );
    await world.owner.query(
      `INSERT INTO user_session (id, user_id, username, groups, idle_expires_at, absolute_expires_at, revoked_at)
       VALUES ($1, $2, $3, '{team}', now(), now(), now())`,
      [randomUUID(), user, username],
    );
    const input = PermissionQuery.parse({ username });
    const answer = await explainPermissions({ ctx: world.contextOf(admin), input });
    expect(answer.subject).toMatchObject({ groups: ["team"], groupsFrom: "session", seen: true, subject: "sub-1" });
    expect(answer).toMatchObject({ role: "operator", place: null, actions: [] });
  });

  it("answers 404 for a place and a token that do not exist", async () => {
    const ctx = world.contextOf(admin);
    const ask = (query: Record<string, string>) =>
      failureOf(explainPermissions({ ctx, input: PermissionQuery.parse({ username: "asker", ...query }) }));
    const nowhere = { cluster: "prod-eu", namespace: "none", kind: "Rollout", name: "none" };
    expect(await ask({ cluster: "gone", namespace: "payments" })).toMatchObject({ code: "not_found" });
    expect(await ask(nowhere)).toMatchObject({ code: "not_found" });
    expect(await ask({ who: "token", token: randomUUID() })).toMatchObject({ code: "not_found" });
  });

  it("answers nobody but an admin for everything", async () => {
    const input = PermissionQuery.parse({ username: "asker" });
    const scoped = {
      ...admin,
      rights: { ...admin.rights, grants: admin.rights.grants.map((grant) => ({ ...grant })) },
    };
    for (const grant of scoped.rights.grants) grant.scope = { ...grant.scope, namespaces: ["payments"] };
    for (const actor of [actorOf("viewer"), actorOf("operator"), scoped])
      for (const ask of [explainPermissions, askClusterPermissions])
        expect(await failureOf(ask({ ctx: world.contextOf(actor), input }))).toMatchObject({ code: "forbidden" });
  });
});

describe("the cluster", () => {
  const ask = async (rollout: TestRollout, more: Record<string, string> = {}) =>
    askClusterPermissions({
      ctx: world.contextOf(admin),
      input: PermissionQuery.parse({ username: "asker", groups: groups.join(","), ...rollout.path, ...more }),
    });

  it("answers for the person, who need not have signed in", async () => {
    world.setRoles([team()]);
    const rollout = await world.addRollout();
    const allowed = await ask(rollout);
    expect(allowed).toMatchObject({ state: "answered", identity: { username: "asker", groups } });
    expect(allowed.rights.length).toBeGreaterThan(2);
    expect(new Set(allowed.rights.map(({ answer }) => answer))).toEqual(new Set(["allowed"]));
    const denied = await ask(rollout, { groups: "team,gatehouse:viewers" });
    expect(denied.rights.find(({ right }) => right === "get rollouts")).toMatchObject({ answer: "allowed" });
    expect(denied.rights.find(({ right }) => right === "patch rollouts/status")).toMatchObject({ answer: "denied" });
  });

  it("sends nothing as the person", async () => {
    world.setRoles([team()]);
    const rollout = await world.addRollout();
    world.requests.length = 0;
    await ask(rollout);
    expect(world.requests.length).toBeGreaterThan(0);
    for (const { as, path } of world.requests) {
      expect(as).toBeUndefined();
      expect(path).toBe("/apis/authorization.k8s.io/v1/subjectaccessreviews");
    }
  });

  it("says with the rule to add that Gatehouse may not ask", async () => {
    world.setRoles([team()]);
    const rollout = await world.addRollout();
    world.setIntercept(async () => ({ status: 403, json: {}, text: "", date: undefined }));
    expect(await ask(rollout)).toMatchObject({
      state: "not-allowed",
      rule: "{apiGroups: [authorization.k8s.io], resources: [subjectaccessreviews], verbs: [create]}",
      rights: [],
    });
  });

  it("says that it gave no answer, and that it is only read", async () => {
    world.setRoles([team()]);
    const rollout = await world.addRollout();
    world.setIntercept(() => Promise.reject(new Error("down")));
    expect(await ask(rollout)).toMatchObject({ state: "unreachable", rights: [] });
    world.setAccess("read");
    expect(await ask(rollout)).toMatchObject({ state: "read-only" });
  });
});
