import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ActionPlanAnswer } from "#lib/contract/action.ts";
import { InboxItem } from "#lib/contract/inbox.ts";
import { RolloutDetail } from "#lib/contract/rollout.ts";
import { CreatedToken, Me } from "#lib/contract/system.ts";
import { gatehouseAccount } from "#sandbox/apiserver/auth.ts";
import { type ClustersWorld, createClustersWorld, type Person, waiting } from "#test/clusters-world.ts";
import { bindRole, type RbacObject, readManifest, withUsers } from "#test/rbac.ts";
import { sampleRun } from "#test/recorder-samples.ts";
import { waitFor } from "#test/recorder-world.ts";
import type { TappedRequest } from "#test/wire-tap.ts";
import { POST as postRunAction } from "./analysis-runs/[uid]/actions/route.ts";
import { GET as getInbox } from "./inbox/route.ts";
import { GET as getMe } from "./me/route.ts";
import { POST as planAction } from "./rollouts/[cluster]/[namespace]/[kind]/[name]/action-plan/route.ts";
import { POST as postAction } from "./rollouts/[cluster]/[namespace]/[kind]/[name]/actions/route.ts";
import { GET as getObject } from "./rollouts/[cluster]/[namespace]/[kind]/[name]/object/route.ts";
import { GET as getRollout } from "./rollouts/[cluster]/[namespace]/[kind]/[name]/route.ts";
import { POST as createToken } from "./tokens/route.ts";

let world: ClustersWorld;
let releaser: Person;
let oncall: Person;
let owner: Person;
let nameless: Person;

const reading = readManifest("rbac-read.yaml");
const acting = readManifest("rbac-act.yaml");
const looker: RbacObject = {
  kind: "ClusterRole",
  metadata: { name: "looker" },
  rules: [{ apiGroups: ["argoproj.io"], resources: ["rollouts"], verbs: ["get", "list"] }],
};
const user = (name: string) => ({ kind: "User", name });
const group = (name: string) => ({ kind: "Group", name });

/**
 * Each has the manifests of deploy/. In `watched`, people are users of their own, and the releaser's rights would suffice
 * for everything.
 */
const clusters = {
  watched: {
    config: { impersonation: { groups: [], users: ["releaser", "oncall"] } },
    rbac: [
      ...reading,
      ...withUsers(acting, ["releaser", "oncall"]),
      bindRole("rollout-operator", user("releaser"), "payments"),
    ],
  },
  worked: {
    config: {
      access: "act",
      impersonation: {
        usernameClaim: "email",
        usernamePrefix: "oidc:",
        groupsPrefix: "oidc:",
        groups: ["platform-owners", "release-engineers", "on-call"],
      },
    },
    rbac: [...reading, ...acting, looker, bindRole("looker", group("oidc:on-call"), "payments")],
  },
  robot: {
    config: { access: "act", actAs: "serviceAccount" },
    rbac: [
      ...reading,
      ...acting.filter(({ kind, metadata }) => kind === "ClusterRole" && metadata.name === "rollout-operator"),
    ],
  },
};

beforeAll(async () => {
  const roles = [
    { role: "operator", groups: ["release-engineers", "on-call", "admins-elsewhere"] },
    { role: "admin", groups: ["platform-owners"] },
  ];
  world = await createClustersWorld({ clusters, auth: { roles } });
  await Promise.all(Object.keys(clusters).map((cluster) => world.addRollout(cluster, "checkout")));
  const sign = (sub: string, ...groups: string[]) => world.signIn({ sub, groups, email: `${sub}@example.com` });
  releaser = await sign("releaser", "release-engineers", "on-call", "everybody, really");
  oncall = await sign("oncall", "on-call");
  owner = await sign("owner", "platform-owners");
  nameless = await world.signIn({ sub: "nameless", groups: ["release-engineers"] });
});
afterAll(() => world.close());

const paramsOf = (cluster: string, name = "checkout") => ({ cluster, namespace: "payments", kind: "Rollout", name });

async function look(cluster: string, as: Person, name?: string): Promise<RolloutDetail> {
  const { status, body } = await world.call(getRollout, { as, params: paramsOf(cluster, name) });
  expect(status, JSON.stringify(body)).toBe(200);
  return RolloutDetail.parse(body);
}

/** Polls until the cluster has answered everything: a page does not wait for it, and this machine may be slow. */
async function lookWhenKnown(cluster: string, as: Person, name?: string): Promise<RolloutDetail> {
  return waitFor(`${cluster} has said what is allowed`, async () => {
    const detail = await look(cluster, as, name);
    const isKnown = detail.clusterIdentity?.username !== null || detail.clusterIdentity.problem !== null;
    return isKnown && detail.allowedActions.every(({ clusterAccess }) => clusterAccess !== "unknown") && detail;
  });
}

async function request(cluster: string, as: Person, action: string, name?: string, params: object = {}) {
  const { viewDigest, uid, revisionKey } = await look(cluster, releaser, name);
  const body = { action, ...params, reason: "because", expect: { viewDigest, uid, revisionKey } };
  return world.call(postAction, { as, params: paramsOf(cluster, name), body });
}

/** How a cluster knows everybody where Gatehouse's own account acts. */
const robot = { mode: "serviceAccount", username: gatehouseAccount.name, groups: [], problem: null };

const known = (plan: ActionPlanAnswer) => plan.clusterAccess !== "unknown" && plan;

const readObject = (cluster: string, as: Person) => world.call(getObject, { as, params: paramsOf(cluster) });

const questions = /^\/apis\/(authorization|authentication)\.k8s\.io\//;
function changesAt(cluster: string): TappedRequest[] {
  return world.of(cluster).tap.requests.filter(({ method, path }) => method !== "GET" && !questions.test(path));
}

async function lastIntent(cluster: string): Promise<Record<string, unknown>> {
  const { rows } = await world.web.runtime.pool.query<{ entry: string }>(
    "SELECT entry FROM audit_entry WHERE cluster = $1 AND outcome = 'intent' ORDER BY seq DESC LIMIT 1",
    [cluster],
  );
  return JSON.parse(rows[0]?.entry ?? "{}").detail;
}

const actionOf = (detail: RolloutDetail, name: string) => detail.allowedActions.find(({ action }) => action === name);

describe("two clusters, one of them read only, each with names of its own", () => {
  it("says before the click as whom a person is there", async () => {
    const worked = { mode: "groups", username: "oidc:releaser@example.com", problem: null };
    const watched = { mode: "user", username: "releaser", groups: [], problem: null };
    const groups = ["oidc:release-engineers", "oidc:on-call"];
    expect((await lookWhenKnown("worked", releaser)).clusterIdentity).toEqual({ ...worked, groups });
    expect((await lookWhenKnown("watched", releaser)).clusterIdentity).toEqual(watched);
    await lookWhenKnown("robot", releaser);
    const me = Me.parse((await world.call(getMe, { as: releaser })).body);
    expect(me.clusterIdentities).toEqual([
      { cluster: "watched", access: "read", ...watched },
      { cluster: "worked", access: "act", ...worked, groups },
      { cluster: "robot", access: "act", ...robot },
    ]);
  });

  it("changes nothing in the one that is read, whatever the person may do there", async () => {
    const detail = await lookWhenKnown("watched", releaser);
    expect(new Set(detail.allowedActions.map(({ reasonCode }) => reasonCode))).toEqual(new Set(["read_only"]));
    for (const action of ["continue", "abort", "restart"])
      expect(await request("watched", releaser, action)).toMatchObject({ status: 409, body: { code: "read_only" } });
    expect(changesAt("watched")).toEqual([]);
  });

  it("acts in the other as the person, with a header for each group, and the audit log says so", async () => {
    const detail = await lookWhenKnown("worked", releaser);
    expect(actionOf(detail, "continue")).toMatchObject({ allowed: true, clusterAccess: "allowed" });
    expect(await request("worked", releaser, "continue")).toMatchObject({ status: 202, body: { state: "applied" } });
    const [change] = changesAt("worked");
    expect(change).toMatchObject({ method: "PATCH", path: expect.stringContaining("/rollouts/checkout/status?") });
    expect(change?.headers.get("impersonate-user")).toEqual(["gatehouse:person"]);
    expect(change?.headers.get("impersonate-extra-gatehouse.dev%2fperson")).toEqual(["oidc:releaser@example.com"]);
    expect(change?.headers.get("impersonate-group")).toEqual(["oidc:release-engineers", "oidc:on-call"]);
    // By this its audit event is recognised.
    const sql = "SELECT audit_id FROM action WHERE cluster = 'worked' AND intent_seq IS NOT NULL";
    const { rows } = await world.web.runtime.pool.query<{ audit_id: string }>(sql);
    expect(rows).toHaveLength(1);
    expect(change?.headers.get("audit-id")).toEqual(rows.map(({ audit_id: id }) => id));
    expect(await lastIntent("worked")).toMatchObject({
      actAs: "groups",
      clusterUser: "gatehouse:person",
      clusterPerson: "oidc:releaser@example.com",
    });
  });
});

describe("what the cluster allows the person", () => {
  it("greys what it denies, in words and without the names of bindings, and refuses the click", async () => {
    await world.addRollout("worked", "basket");
    const detail = await lookWhenKnown("worked", oncall, "basket");
    expect(actionOf(detail, "continue")).toMatchObject({
      allowed: false,
      clusterAccess: "denied",
      reasonCode: "cluster_denied",
      reason:
        'Cluster worked does not allow you (by group "oidc:on-call") to patch rollouts/status in namespace payments.',
    });
    expect(actionOf(detail, "pause")?.reason).toContain("patch rollouts in namespace payments");
    expect(JSON.stringify(detail)).not.toMatch(/RBAC|looker|rollout-operator/);
    expect(await request("worked", oncall, "continue", "basket")).toMatchObject({
      status: 403,
      body: { code: "cluster_refused" },
    });
  });

  it("says the same in the preview of an action", async () => {
    const body = { action: "set-image", container: "app", image: "shop:2" };
    const preview = async (as: Person) => {
      const answer = await world.call(planAction, { as, params: paramsOf("worked", "basket"), body });
      return ActionPlanAnswer.parse(answer.body);
    };
    expect(await waitFor("worked has said it", async () => known(await preview(oncall)))).toMatchObject({
      allowed: false,
      clusterAccess: "denied",
      reason: expect.stringContaining("patch rollouts in namespace payments"),
    });
    expect(await waitFor("worked has said it", async () => known(await preview(releaser)))).toMatchObject({
      allowed: true,
      clusterAccess: "allowed",
    });
  });

  it("says the same in the answer to a stale view, whose button is offered at once", async () => {
    const asked = { viewDigest: "of long ago" };
    for (const as of [oncall, releaser]) {
      const { allowedActions } = await lookWhenKnown("worked", as, "basket");
      const body = { action: "continue", reason: "because", expect: asked };
      const answer = await world.call(postAction, { as, params: paramsOf("worked", "basket"), body });
      expect(answer).toMatchObject({ status: 409, body: { code: "stale_view" } });
      const current = answer.body.current as RolloutDetail;
      // The page was read a moment earlier, so the time of the click is not compared.
      const timeless = (all: unknown) => JSON.parse(JSON.stringify(all).replaceAll(/\d{4}-[\d:T-]+Z/g, "now"));
      expect(timeless(current.allowedActions)).toMatchObject(timeless(allowedActions));
      expect(actionOf(current, "continue")?.clusterAccess).toBe(as === oncall ? "denied" : "allowed");
    }
  });

  it("refuses one who has no group that is sent there, and says why", async () => {
    const outsider = await world.signIn({ sub: "outsider", groups: ["admins-elsewhere"], email: "o@example.com" });
    const { reason } = actionOf(await lookWhenKnown("worked", outsider, "basket"), "continue") ?? {};
    expect(reason).toContain("rights come from groups there, and Gatehouse sends none of yours.");
  });

  it("reads the live object as the person: one whom the cluster lets read nothing sees nothing", async () => {
    expect(await readObject("worked", oncall)).toMatchObject({ status: 200, body: { kind: "Rollout" } });
    expect(await readObject("worked", owner)).toMatchObject({ status: 403, body: { code: "cluster_refused" } });
    expect(await readObject("watched", oncall)).toMatchObject({ status: 403, body: { code: "cluster_refused" } });
    expect(await readObject("watched", releaser)).toMatchObject({ status: 200 });
    const detail = await lookWhenKnown("worked", owner, "basket");
    expect(actionOf(detail, "abort")).toMatchObject({
      allowed: false,
      reason: expect.stringContaining("get rollouts in"),
    });
    expect(await request("worked", owner, "abort", "basket")).toMatchObject({
      status: 403,
      body: { code: "cluster_refused" },
    });
  });

  it("lets nobody act or read there whose claims give no name, and does not let the page hide it", async () => {
    const detail = await lookWhenKnown("worked", nameless, "basket");
    const problem = "You cannot act on cluster worked: your sign-in gives no claim email to identify you there.";
    expect(detail.clusterIdentity).toMatchObject({ username: null, problem });
    expect(actionOf(detail, "abort")).toMatchObject({
      allowed: false,
      reasonCode: "no_cluster_identity",
      reason: problem,
    });
    expect(await request("worked", nameless, "abort", "basket")).toMatchObject({
      status: 403,
      body: { code: "forbidden", detail: problem },
    });
    expect((await readObject("worked", nameless)).status).toBe(403);
  });

  it("does not hold the page up: what the cluster has not said yet blocks nothing, and is there at the next look", async () => {
    await world.addRollout("worked", "slow");
    const late = Promise.withResolvers<void>();
    const second = await world.signIn({ sub: "second", groups: ["on-call"], email: "second@example.com" });
    world.of("worked").tap.setHold(({ path }) => (questions.test(path) ? late.promise : undefined));
    const began = performance.now();
    const detail = await look("worked", second, "slow");
    expect(performance.now() - began).toBeLessThan(4000);
    expect(actionOf(detail, "abort")).toMatchObject({ allowed: true, clusterAccess: "unknown" });
    expect(actionOf(detail, "abort")?.warnings).toContain(
      "Not known yet whether cluster worked allows this; it decides when you confirm.",
    );
    world.of("worked").tap.setHold(undefined);
    late.resolve();
    expect(actionOf(await lookWhenKnown("worked", second, "slow"), "abort")?.clusterAccess).toBe("denied");
  });

  it("shows in the inbox what is known, and asks for nothing there", async () => {
    const third = await world.signIn({ sub: "third", groups: ["on-call"], email: "third@example.com" });
    const asked = () => world.of("worked").tap.requests.filter(({ path }) => questions.test(path)).length;
    await lookWhenKnown("worked", oncall, "basket");
    const before = asked();
    const inboxOf = async (as: Person) => {
      const { body } = await world.call(getInbox, { as, path: "/api/v1/inbox" });
      const items = (body.items as unknown[]).map((item) => InboxItem.parse(item));
      const row = items.find(({ rollout }) => rollout.cluster === "worked" && rollout.name === "basket");
      return row?.actions.find(({ action }) => action === "continue");
    };
    const unasked = await inboxOf(third);
    expect(unasked).toMatchObject({ allowed: true });
    expect(unasked?.clusterAccess).toBe(undefined);
    expect(await inboxOf(oncall)).toMatchObject({ allowed: false, reasonCode: "cluster_denied" });
    expect(asked()).toBe(before);
  });
});

describe("a token", () => {
  it("has its owner's name and groups as they were, and says as whom it reaches each cluster", async () => {
    const { status, body } = await world.call(createToken, { as: releaser, body: { name: "ci", role: "operator" } });
    expect(status).toBe(201);
    const { token, actsAs } = CreatedToken.parse(body);
    expect(actsAs).toEqual({ username: "releaser", groups: ["release-engineers", "on-call", "everybody, really"] });
    const me = Me.parse((await world.call(getMe, { as: { token } })).body);
    expect(me.clusterIdentities).toMatchObject([
      { cluster: "watched", username: "releaser", problem: null },
      {
        cluster: "worked",
        username: null,
        problem: expect.stringContaining("a token keeps only its owner's name and groups"),
      },
      { cluster: "robot", username: gatehouseAccount.name },
    ]);
  });
});

describe("a cluster where the service account's own rights act", () => {
  it("says so before the click, refuses what the account may not do, and falls back to nothing", async () => {
    const detail = await lookWhenKnown("robot", releaser);
    expect(detail.clusterIdentity).toEqual(robot);
    expect(actionOf(detail, "continue")).toMatchObject({
      allowed: false,
      reason:
        "Cluster robot does not allow Gatehouse's service account to patch rollouts/status in namespace payments.",
    });
    expect(await request("robot", releaser, "continue")).toMatchObject({
      status: 403,
      body: { code: "cluster_refused" },
    });
  });

  it("acts with the account's rights and names the person to the cluster's log", async () => {
    const account = { kind: "ServiceAccount", name: "gatehouse", namespace: "gatehouse" };
    world.of("robot").rbac.push(bindRole("rollout-operator", account, "payments"));
    const before = changesAt("robot").length;
    expect(await request("robot", releaser, "continue")).toMatchObject({ status: 202 });
    const [change] = changesAt("robot").slice(before);
    expect([...(change?.headers.keys() ?? [])].filter((name) => name.startsWith("impersonate"))).toEqual([]);
    expect(change?.headers.get("user-agent")).toEqual(["gatehouse (for releaser)"]);
    expect(await lastIntent("robot")).toMatchObject({ clusterUser: gatehouseAccount.name, actAs: "serviceAccount" });
  });
});

describe("every request that changes something", () => {
  const states = [
    { ...waiting },
    { ...waiting, pauseConditions: undefined, controllerPause: false, phase: "Progressing" },
    { ...waiting, abort: true, abortedAt: "2026-11-20T10:00:00Z", phase: "Degraded" },
  ];

  /** Ends a run of the rollout `all-1`. */
  async function endRun(): Promise<boolean> {
    const { store } = world.of("worked").sandbox;
    const { uid: owner, viewDigest, revisionKey } = await look("worked", releaser, "all-1");
    const sample = sampleRun({
      ...{ name: "run", namespace: "payments", metrics: [{ name: "m", measurements: [], count: 0 }] },
      owner: { kind: "Rollout", name: "all-1", uid: owner },
    });
    const { uid } = store.create("analysisruns", sample, { manager: "rollouts-controller" }).metadata;
    await waitFor("the run is recorded", async () => {
      const { rows } = await world.web.runtime.pool.query("SELECT FROM analysis_run WHERE uid = $1", [uid]);
      return rows.length === 1;
    });
    const body = { action: "terminate", reason: "because", expect: { viewDigest, uid: owner, revisionKey } };
    const answer = await world.call(postRunAction, { as: releaser, params: { uid }, body });
    return answer.status === 202;
  }

  it("carries the person, over all actions that are allowed in several states", async () => {
    const done = new Set<string>();
    for (const [index, state] of states.entries()) {
      const name = `all-${index}`;
      await world.addRollout("worked", name);
      await world.setStatus("worked", name, state);
      const offered = (await lookWhenKnown("worked", releaser, name)).allowedActions.filter(({ allowed }) => allowed);
      for (const { action } of offered) {
        await world.setStatus("worked", name, { ...state, message: `before ${action}` });
        if ((await request("worked", releaser, action, name)).status === 202) done.add(action);
      }
    }
    const image = { container: "app", image: "shop:2" };
    if ((await request("worked", releaser, "set-image", "all-0", image)).status === 202) done.add("set-image");
    if (await endRun()) done.add("terminate");
    const usual = ["continue", "promote-full", "restart", "pause", "abort", "retry", "set-image", "terminate"];
    expect([...done]).toEqual(expect.arrayContaining(usual));
    const changes = changesAt("worked");
    expect(changes.length).toBeGreaterThan(done.size);
    for (const { headers } of changes) {
      expect(headers.get("impersonate-user")).toEqual(["gatehouse:person"]);
      const [name = "", ...others] = headers.get("impersonate-extra-gatehouse.dev%2fperson") ?? [];
      expect(others).toEqual([]);
      expect(name).toMatch(/^oidc:[a-z]+@example\.com$/);
    }
    expect(changesAt("watched")).toEqual([]);
  });
});
