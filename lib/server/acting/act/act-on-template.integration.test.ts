import { describe, expect, it } from "vitest";
import { requestApproval } from "#lib/server/acting/act/request-approval.ts";
import { decideApproval } from "#lib/server/acting/approvals/approvals.ts";
import { actorOf, failureOf, type TestRollout } from "#test/acting-world.ts";
import {
  addReferring,
  addReleased,
  addReplicaSet,
  age,
  deploymentOf,
  follow,
  imageIn,
  imageOf,
  loseAnswers,
  manager,
  patches,
  readStored,
  secret,
  setImage,
  startTemplateWorld,
  stateOf,
  template,
  undo,
  world,
} from "#test/template-world.ts";

startTemplateWorld();

describe("undo", () => {
  it("sets the template back as the user, at the version that was read, and stores no value of it", async () => {
    const rollout = await addReleased();
    world.requests.length = 0;
    const { resourceVersion } = rollout.read().metadata;
    const { id, state } = await undo(rollout);
    expect(state).toBe("applied");
    expect(imageOf(rollout)).toBe("shop/app:1");
    expect(rollout.read().spec.template).toEqual({ ...template("shop/app:1") });
    expect(patches()).toEqual([
      expect.objectContaining({
        path: expect.stringMatching(/\/rollouts\/checkout$/),
        body: { metadata: { resourceVersion }, spec: { template: { spec: expect.anything() } } },
      }),
    ]);
    expect(world.requests.filter(({ path }) => path.endsWith("/replicasets"))).toEqual([
      expect.objectContaining({ query: { limit: 100, labelSelector: "app=checkout" } }),
    ]);
    expect(world.requests.every(({ as }) => as?.username === "operator-person")).toBe(true);
    const [intent] = await world.entriesOf(rollout);
    expect(intent?.detail).toMatchObject({ kubectl: expect.stringContaining("--to-revision=1") });
    expect(await world.rowOf(id)).toMatchObject({ params: {}, state: "applied" });
    const stored = await readStored();
    expect(stored).toContain("shop/app:1");
    expect(stored).not.toContain(secret);
  });

  it("is effective once the controller rolls that revision out", async () => {
    const rollout = await addReleased();
    const { id } = await undo(rollout, { params: { toRevision: 1 } });
    await rollout.record();
    await follow();
    expect(await stateOf(id)).toBe("applied");
    rollout.setStatus((status) => ({ ...status, currentPodHash: "old" }));
    await rollout.record();
    await follow();
    expect(await stateOf(id)).toBe("effective");
    expect(await world.rowOf(id)).toMatchObject({ params: { toRevision: 1 } });
  });

  it("is not effective where a tool sets the template back first", async () => {
    const rollout = await addReleased();
    const { id } = await undo(rollout);
    const { namespace, name } = rollout.path;
    const object = world.sandbox.store.get("rollouts", namespace, name);
    if (object === undefined) throw new Error("no rollout");
    world.sandbox.store.update(
      "rollouts",
      { ...object, spec: { ...object.spec, template: template("shop/app:2") } },
      { manager: "argocd-controller" },
    );
    await age(id, 130);
    await follow();
    expect(await world.rowOf(id)).toMatchObject({
      state: "not-effective",
      message: "The template was changed before it took effect.",
    });
  });

  it.each([
    { name: "no such revision", params: { toRevision: 9 }, code: "not_allowed_now" },
    { name: "the current revision", params: { toRevision: 2 }, code: "not_allowed_now" },
  ])("refuses $name, audited", async ({ params, code }) => {
    const rollout = await addReleased();
    await expect(undo(rollout, { params })).rejects.toMatchObject({ code });
    expect(await world.outcomesOf(rollout)).toEqual(["action.undo refused"]);
  });

  it("refuses whom the cluster lets read no history", async () => {
    const rollout = await addReleased();
    world.setIntercept(async (request, send) => {
      if (!request.path.endsWith("/replicasets")) return send();
      return { status: 403, json: { message: "replicasets.apps is forbidden" }, text: "", date: undefined };
    });
    await expect(undo(rollout)).rejects.toMatchObject({ code: "cluster_refused" });
    expect(imageOf(rollout)).toBe("shop/app:2");
  });

  it("is planned anew after a conflict that changed nothing of the view", async () => {
    const rollout = await addReleased();
    let conflicts = 0;
    world.setIntercept((request, send) => {
      if (request.method === "PATCH" && conflicts < 2) {
        conflicts += 1;
        rollout.setStatus((status) => ({ ...status, readyReplicas: conflicts }));
      }
      return send();
    });
    await expect(undo(rollout)).resolves.toMatchObject({ state: "applied" });
    expect(conflicts).toBe(2);
  });

  it("is refused as stale where another template came between", async () => {
    const rollout = await addReleased();
    const seen = await rollout.look();
    rollout.setStatus((status) => ({ ...status, currentPodHash: "newer" }));
    await expect(undo(rollout, { expect: seen })).rejects.toMatchObject({ code: "stale_view" });
  });

  it("is refused where the rollout is gone", async () => {
    const rollout = await addReleased();
    const seen = await rollout.look();
    world.sandbox.store.delete("rollouts", rollout.path.namespace, rollout.path.name);
    await expect(undo(rollout, { expect: seen })).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("set-image", () => {
  it("keeps what a refusing cluster quotes of the template out of the log", async () => {
    const rollout = await addReleased();
    world.setIntercept(async (request, send) => {
      if (request.method !== "PATCH") return send();
      const message = `spec.template.spec.containers[0].env[0].value: Invalid value: "${secret}": too weak`;
      return { status: 422, json: { message }, text: "", date: undefined };
    });
    const failure = await failureOf(setImage(rollout, "shop/app:3"));
    expect(failure).toMatchObject({
      code: "cluster_refused",
      message: expect.stringContaining('Invalid value: "[redacted]"'),
    });
    expect(await readStored()).not.toContain(secret);
  });

  it("says what was asked for in the log and in the action", async () => {
    const rollout = await addReleased();
    const { id } = await setImage(rollout, "shop/app:3");
    expect(imageOf(rollout)).toBe("shop/app:3");
    expect(await world.rowOf(id)).toMatchObject({ params: { container: "app", image: "shop/app:3" } });
    const [intent] = await world.entriesOf(rollout);
    expect(intent?.detail).toMatchObject({
      params: { container: "app", image: "shop/app:3" },
      kubectl: expect.stringContaining("set image checkout 'app=shop/app:3'"),
    });
    expect(await readStored()).not.toContain(secret);
    rollout.setStatus((status) => ({ ...status, currentPodHash: "newer" }));
    await rollout.record();
    await follow();
    expect(await stateOf(id)).toBe("effective");
  });

  it.each([
    { name: "no such container", params: { container: "web", image: "shop/app:3" }, code: "not_allowed_now" },
    { name: "no image reference", params: { container: "app", image: "Shop App" }, code: "invalid_request" },
    { name: "the same image", params: { container: "app", image: "shop/app:2" }, code: "not_allowed_now" },
  ])("refuses $name", async ({ params, code }) => {
    const rollout = await addReleased();
    await expect(world.act({ rollout, action: "set-image", params })).rejects.toMatchObject({ code });
  });

  it("is another request with another image, under the same key", async () => {
    const rollout = await addReleased();
    const seen = await rollout.look();
    const key = { idempotencyKey: `k-${rollout.id}`, expect: seen };
    const first = await setImage(rollout, "shop/app:3", key);
    expect(await setImage(rollout, "shop/app:3", key)).toMatchObject({ id: first.id });
    await expect(setImage(rollout, "shop/app:4", key)).rejects.toMatchObject({ code: "conflict" });
  });
});

describe("a rollout whose template stands in a Deployment", () => {
  it.each([
    { name: "undo", act: (rollout: TestRollout) => undo(rollout), image: "shop/app:1" },
    { name: "set-image", act: (rollout: TestRollout) => setImage(rollout, "shop/app:3"), image: "shop/app:3" },
  ])(
    "$name patches the Deployment, guarded by the rollout's view and the Deployment's version",
    async ({ act, image }) => {
      const rollout = await addReferring();
      world.requests.length = 0;
      const { resourceVersion } = deploymentOf(rollout).metadata;
      const before = rollout.read().metadata.resourceVersion;
      await expect(act(rollout)).resolves.toMatchObject({ state: "applied" });
      expect(imageIn(deploymentOf(rollout).spec)).toBe(image);
      expect(rollout.read().metadata.resourceVersion).toBe(before);
      expect(patches()).toEqual([
        expect.objectContaining({
          path: expect.stringMatching(/\/apis\/apps\/v1\/namespaces\/[^/]+\/deployments\/checkout-app$/),
          body: expect.objectContaining({ metadata: { resourceVersion } }),
        }),
      ]);
      const [intent] = await world.entriesOf(rollout);
      expect(intent?.detail).toMatchObject({ patched: { kind: "Deployment", name: "checkout-app" } });
      expect(await readStored()).not.toContain(secret);
    },
  );

  it("is planned anew after a conflict on the Deployment", async () => {
    const rollout = await addReferring();
    let conflicts = 0;
    world.setIntercept((request, send) => {
      if (request.method === "PATCH" && conflicts === 0) {
        conflicts += 1;
        const found = deploymentOf(rollout);
        world.sandbox.store.update("deployments", { ...found, spec: { ...found.spec, replicas: 1 } }, manager);
      }
      return send();
    });
    await expect(undo(rollout)).resolves.toMatchObject({ state: "applied" });
    expect(patches().length).toBeGreaterThan(1);
  });

  it("refuses where the Deployment is gone", async () => {
    const rollout = await addReferring();
    world.sandbox.store.delete("deployments", rollout.path.namespace, "checkout-app");
    await expect(undo(rollout)).rejects.toMatchObject({
      code: "not_allowed_now",
      message: "Its template is in Deployment checkout-app, which does not exist.",
    });
  });
});

describe("an answer that is lost", () => {
  it.each([
    { where: "the rollout", add: () => addReleased(), isApplied: true, state: "applied" },
    { where: "the rollout", add: () => addReleased(), isApplied: false, state: "refused" },
    { where: "the Deployment", add: () => addReferring(), isApplied: true, state: "applied" },
    { where: "the Deployment", add: () => addReferring(), isApplied: false, state: "refused" },
  ])("is found out from $where: $state, by digest and without sending again", async ({ add, isApplied, state }) => {
    const rollout = await add();
    loseAnswers(isApplied);
    const { id, state: first } = await undo(rollout);
    expect(first).toBe("unknown");
    world.setIntercept(undefined);
    world.requests.length = 0;
    if (!isApplied) {
      await follow();
      expect(await stateOf(id)).toBe("unknown");
      await age(id, 150);
    }
    await follow();
    const row = await world.rowOf(id);
    expect(row.state).toBe(state);
    if (isApplied) expect(row.message).toContain("with Gatehouse's own mark");
    expect(patches()).toHaveLength(0);
    expect(await readStored()).not.toContain(secret);
  });

  it("says that it cannot tell where somebody else did the same", async () => {
    const rollout = await addReleased();
    loseAnswers(false);
    const { id } = await undo(rollout);
    world.setIntercept(undefined);
    const { namespace, name } = rollout.path;
    const object = world.sandbox.store.get("rollouts", namespace, name);
    if (object === undefined) throw new Error("no rollout");
    const undone = { ...object, spec: { ...object.spec, template: template("shop/app:1") } };
    world.sandbox.store.update("rollouts", undone, { manager: "kubectl-argo-rollouts" });
    await follow();
    expect(await world.rowOf(id)).toMatchObject({
      state: "applied",
      message: expect.stringContaining("this request or another client"),
    });
  });

  it.each([
    { name: "before the patch", isApplied: false, state: "refused" },
    { name: "after the patch", isApplied: true, state: "applied" },
  ])("is read back when the process died $name", async ({ isApplied, state }) => {
    const rollout = await addReferring();
    loseAnswers(isApplied);
    const { id } = await setImage(rollout, "shop/app:3");
    world.setIntercept(undefined);
    await world.owner.query("UPDATE action SET state = 'requested', outcome_seq = NULL WHERE id = $1", [id]);
    await age(id, 160);
    await follow();
    expect(await stateOf(id)).toBe(state);
    expect(await world.verify()).toMatchObject({ ok: true });
  });
});

describe("a second person's word", () => {
  it("is for one revision, and for no other", async () => {
    world.setPolicies({ secondPerson: [{ name: "four eyes", actions: ["undo"] }] });
    const rollout = await addReleased();
    addReplicaSet(rollout, { revision: 3, hash: "third", image: "shop/app:0" });
    const [oncall, releaser] = [actorOf("operator"), { ...actorOf("operator"), subject: "releaser", name: "releaser" }];
    const approval = await requestApproval({
      ctx: world.contextOf(oncall),
      input: { ...rollout.path, action: "undo", toRevision: 1, reason: "it fails", expect: await rollout.look() },
    });
    expect(approval).toMatchObject({ params: { toRevision: 1 }, subject: null });
    await decideApproval({
      ctx: world.contextOf(releaser),
      input: { id: approval.id, decision: "approve", viewDigest: approval.viewDigest },
    });
    const act = (toRevision: number) => undo(rollout, { params: { toRevision }, actor: oncall, approval: approval.id });
    await expect(act(3)).rejects.toMatchObject({ code: "second_person_required" });
    await expect(act(1)).resolves.toMatchObject({ state: "applied" });
  });
});

describe("a config with an error", () => {
  const broken = { state: "error", trouble: { state: "error", error: "line 3: bad" } };
  it("lets nothing advance, and lets what holds back through", async () => {
    const rollout = await addReleased();
    world.setConfigStatus(broken);
    await expect(undo(rollout)).rejects.toMatchObject({ code: "config_error" });
    await expect(world.act({ rollout, action: "continue" })).rejects.toMatchObject({ code: "config_error" });
    await expect(world.act({ rollout, action: "abort" })).resolves.toMatchObject({ state: "applied" });
  });

  it("counts as good while it is held", async () => {
    const rollout = await addReleased();
    world.setConfigStatus({ state: "held", trouble: { state: "held", error: "removes most clusters" } });
    await expect(undo(rollout)).resolves.toMatchObject({ state: "applied" });
  });
});
