import { describe, expect, it } from "vitest";
import { hideTemplateValues } from "#lib/domain/acting/action-outline.ts";
import type { ActionParams } from "#lib/domain/acting/action-params.ts";
import { parseRollout } from "#lib/domain/argo/objects/rollout-object.ts";
import { carriesTemplate } from "#lib/domain/argo/plan/assess-read-back.ts";
import { planAction } from "#lib/domain/argo/plan/plan-action.ts";
import { type LiveObjects, parseWorkload } from "#lib/domain/argo/plan/plan-revisions.ts";
import { parseReplicaSet } from "#lib/domain/kube/replica-set-object.ts";
import { applyMerge, isSame } from "#lib/util/diff-merge.ts";

type Json = Record<string, unknown>;

const now = new Date("2026-11-20T12:00:00Z");
const secret = "hunter2-and-more";
const env = [{ name: "DB_PASSWORD", value: secret }];
const template = (image: string, more: Json = {}): Json => ({
  metadata: { labels: { app: "checkout" } },
  spec: { containers: [{ name: "app", image, env }], ...more },
});
const canary = { canary: { steps: [{ setWeight: 20 }, { pause: {} }] } };

function rolloutOf({ spec = {}, status = {}, metadata = {} }: { spec?: Json; status?: Json; metadata?: Json } = {}) {
  const parsed = parseRollout({
    kind: "Rollout",
    metadata: { name: "checkout", namespace: "shop", uid: "u-1", resourceVersion: "7", generation: 3, ...metadata },
    spec: { strategy: canary, template: template("shop/app:3"), ...spec },
    status: { currentPodHash: "c3", stableRS: "c2", observedGeneration: "3", currentStepIndex: 1, ...status },
  });
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.value;
}

type Options = { owner?: string; annotations?: Json; deletionTimestamp?: string };

function replicaSetOf(
  revision: number,
  wanted: Json,
  { owner = "u-1", annotations = {}, deletionTimestamp }: Options = {},
) {
  const { metadata = {} } = wanted;
  const labels = { ...((metadata as Json).labels as Json), "rollouts-pod-template-hash": `c${revision}` };
  const parsed = parseReplicaSet({
    kind: "ReplicaSet",
    metadata: {
      name: `checkout-c${revision}`,
      uid: `rs-${revision}`,
      resourceVersion: "1",
      labels: { "rollouts-pod-template-hash": `c${revision}` },
      annotations: { "rollout.argoproj.io/revision": String(revision), ...annotations },
      ownerReferences: [{ kind: "Rollout", name: "checkout", uid: owner, controller: true }],
      deletionTimestamp,
    },
    spec: { template: { ...wanted, metadata: { creationTimestamp: null, ...(metadata as Json), labels } } },
  });
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.value;
}

const revisions = [3, 1, 2].map((revision) => replicaSetOf(revision, template(`shop/app:${revision}`)));

function workloadOf(image: string, metadata: Json = {}) {
  const parsed = parseWorkload({
    kind: "Deployment",
    metadata: { name: "checkout-app", uid: "d-1", resourceVersion: "40", ...metadata },
    spec: { template: template(image) },
  });
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.value;
}

const refersTo = (kind: string) => ({
  template: undefined,
  workloadRef: { apiVersion: "apps/v1", kind, name: "checkout-app" },
});

type Asked = { rollout?: ReturnType<typeof rolloutOf>; live?: Partial<LiveObjects>; params?: ActionParams };

function plan(action: "undo" | "set-image", { rollout = rolloutOf(), live = {}, params = {} }: Asked) {
  return planAction({ action, rollout, now, params, live: { replicaSets: revisions, ...live } });
}

function made(action: "undo" | "set-image", asked: Asked) {
  const planned = plan(action, asked);
  if (planned.kind === "refused") throw new Error(planned.reason);
  return planned;
}

describe("undo", () => {
  it.each([
    { name: "none asked: the newest other one", params: {}, revision: 2, stable: true },
    { name: "a named one", params: { toRevision: 1 }, revision: 1, stable: false },
  ])("goes back to $name", ({ params, revision, stable }) => {
    const { patches, effect, kubectl, expectedEffect, target } = made("undo", { params });
    expect(patches).toEqual([
      {
        subresource: "",
        body: { spec: { template: { spec: { containers: [{ name: "app", image: `shop/app:${revision}`, env }] } } } },
      },
    ]);
    expect(target).toBeUndefined();
    expect(effect).toContain(`revision ${revision} (shop/app:${revision})`);
    expect(effect).toContain(stable ? "the stable version" : "a new release starts at step 1 of 2");
    expect(kubectl).toBe(`kubectl argo rollouts undo checkout -n shop --to-revision=${revision}`);
    expect(expectedEffect).toMatchObject({ kind: "template-set", template: { podHash: `c${revision}` } });
  });

  it("makes the very template of the revision", () => {
    const wanted = template("shop/app:1", { terminationGracePeriodSeconds: 5 });
    const rollout = rolloutOf({ spec: { template: template("shop/app:3", { serviceAccountName: "old" }) } });
    const planned = made("undo", {
      rollout,
      live: { replicaSets: [revisions[0], replicaSetOf(1, wanted)].filter((one) => one !== undefined) },
    });
    const body = applyMerge({ spec: { template: rollout.spec.template } }, planned.patches[0]?.body) as { spec: Json };
    expect(isSame(JSON.parse(JSON.stringify(body.spec.template)), wanted)).toBe(true);
    const { template: expected } = planned.expectedEffect;
    expect(expected !== undefined && carriesTemplate(body.spec.template, expected)).toBe(true);
    expect(expected !== undefined && carriesTemplate(rollout.spec.template, expected)).toBe(false);
  });

  it.each([
    { name: "no such revision", params: { toRevision: 9 }, code: "no_such_revision" },
    { name: "the only revision", live: { replicaSets: revisions.slice(0, 1) }, code: "no_revision" },
    { name: "none left", live: { replicaSets: [] }, code: "no_revision" },
    { name: "the current one", params: { toRevision: 3 }, code: "already_there" },
    {
      name: "an equal one",
      live: { replicaSets: [...revisions.slice(0, 1), replicaSetOf(2, template("shop/app:3"))] },
      code: "already_there",
    },
    {
      name: "another rollout's",
      live: { replicaSets: [...revisions.slice(0, 1), replicaSetOf(2, template("shop/app:2"), { owner: "u-2" })] },
      code: "no_revision",
    },
    {
      name: "one being deleted",
      live: {
        replicaSets: [
          ...revisions.slice(0, 1),
          replicaSetOf(2, template("shop/app:2"), { deletionTimestamp: "2026-11-20T10:00:00Z" }),
        ],
      },
      code: "no_revision",
    },
    {
      name: "a rollout being deleted",
      rollout: rolloutOf({ metadata: { deletionTimestamp: "2026-11-20T10:00:00Z" } }),
      code: "being_deleted",
    },
    { name: "an unknown word", rollout: rolloutOf({ status: { phase: "Dancing" } }), code: "unknown_state" },
    { name: "a workload of another kind", rollout: rolloutOf({ spec: refersTo("ReplicaSet") }), code: "workload_kind" },
    { name: "a workload that is gone", rollout: rolloutOf({ spec: refersTo("Deployment") }), code: "no_workload" },
  ])("refuses $name", ({ code, ...asked }) => {
    expect(plan("undo", asked)).toMatchObject({ kind: "refused", reasonCode: code });
  });

  it("refuses without live objects: recorded ones have their secrets hidden", () => {
    expect(planAction({ action: "undo", rollout: rolloutOf(), now })).toMatchObject({ reasonCode: "not_read" });
  });

  it("leaves out what the controller had put into the ReplicaSet", () => {
    const term = {
      labelSelector: { matchExpressions: [{ key: "rollouts-pod-template-hash", operator: "In", values: ["c1"] }] },
      topologyKey: "kubernetes.io/hostname",
    };
    const wanted = {
      metadata: { labels: { app: "checkout", role: "canary", team: "b" }, annotations: { note: "x" } },
      spec: {
        containers: [{ name: "app", image: "shop/app:2", env }],
        affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } },
      },
    };
    const annotations = {
      "rollout.argoproj.io/ephemeral-metadata": JSON.stringify({ labels: { role: "canary", app: "x" } }),
    };
    const rollout = rolloutOf({
      spec: { strategy: { canary: { steps: [], stableMetadata: { annotations: { note: "x" } } } } },
    });
    const { patches, warnings } = made("undo", {
      rollout,
      live: { replicaSets: [replicaSetOf(2, wanted, { annotations })] },
    });
    expect(patches[0]?.body).toEqual({
      spec: {
        template: {
          metadata: { labels: { team: "b" } },
          spec: { containers: [{ name: "app", image: "shop/app:2", env }] },
        },
      },
    });
    expect(warnings).toEqual([
      "Leaves out what the controller added: label role, annotation note, anti-affinity against the stable version.",
    ]);
  });

  it("keeps a label of the strategy's name that has another value", () => {
    const wanted = template("shop/app:2");
    (wanted.metadata as Json).labels = { app: "checkout", role: "of-the-template" };
    const rollout = rolloutOf({ spec: { strategy: { canary: { canaryMetadata: { labels: { role: "canary" } } } } } });
    const { patches } = made("undo", { rollout, live: { replicaSets: [replicaSetOf(2, wanted)] } });
    expect(patches[0]?.body).toMatchObject({
      spec: { template: { metadata: { labels: { role: "of-the-template" } } } },
    });
  });

  it("changes the Deployment that a workloadRef names, and says who owns it", () => {
    const workload = workloadOf("shop/app:3", { labels: { "kustomize.toolkit.fluxcd.io/name": "shop" } });
    const { target, patches, effect, warnings } = made("undo", {
      rollout: rolloutOf({ spec: refersTo("Deployment") }),
      live: { workload },
    });
    expect(target).toEqual({
      resource: "deployments",
      kind: "Deployment",
      name: "checkout-app",
      uid: "d-1",
      resourceVersion: "40",
    });
    expect(patches[0]?.body).toMatchObject({ spec: { template: { spec: { containers: [{ image: "shop/app:2" }] } } } });
    expect(effect).toContain("Deployment checkout-app");
    expect(warnings).toEqual(["Flux (Kustomization shop) owns Deployment checkout-app and may revert its template."]);
  });
});

describe("set-image", () => {
  const several = {
    spec: {
      initContainers: [{ name: "init", image: "shop/init:1" }],
      containers: [
        { name: "app", image: "shop/app:3", env },
        { name: "proxy", image: "envoy:1" },
      ],
    },
  };

  it.each([
    { name: "one container", container: "proxy", image: "envoy:2", lists: ["containers"] },
    { name: "an init container", container: "init", image: "shop/init:2", lists: ["initContainers"] },
    { name: "all", container: "*", image: "shop/all:1", lists: ["initContainers", "containers"] },
  ])("sets $name", ({ container, image, lists }) => {
    const rollout = rolloutOf({ spec: { template: several } });
    const { patches, kubectl } = made("set-image", { rollout, params: { container, image } });
    const body = patches[0]?.body as {
      spec: { template: { spec: Record<string, { name: string; image: string }[]> } };
    };
    const { spec } = body.spec.template;
    expect(Object.keys(spec).toSorted()).toEqual(lists.toSorted());
    const set = Object.values(spec)
      .flat()
      .filter((one) => one.image === image);
    expect(set.map(({ name }) => name).toSorted()).toEqual(container === "*" ? ["app", "init", "proxy"] : [container]);
    expect(kubectl).toBe(`kubectl argo rollouts set image checkout '${container}=${image}' -n shop`);
  });

  it.each([
    { name: "no such container", container: "web", image: "x:1", code: "no_container" },
    { name: "the same image", container: "app", image: "shop/app:3", code: "same_image" },
    { name: "nothing", container: "", image: "", code: "params_missing" },
    ...[
      "Shop/App:1",
      "shop/app:",
      "shop app:1",
      "shop/app@sha256:12",
      "-x:1",
      "a=b",
      "app:1\n",
      `${"a".repeat(600)}:1`,
      "x;rm -rf",
    ].map((image) => ({ name: JSON.stringify(image).slice(0, 30), container: "app", image, code: "bad_image" })),
  ])("refuses $name", ({ container, image, code }) => {
    expect(plan("set-image", { params: { container, image } })).toMatchObject({ kind: "refused", reasonCode: code });
  });

  const digest = `sha256:${"a".repeat(64)}`;
  it.each([
    { image: "shop/app:4", warned: false },
    { image: "registry.example:5000/shop/app_x:v1.2-rc.1", warned: false },
    { image: "[::1]:5000/app:1", warned: false },
    { image: `shop/app@${digest}`, warned: false },
    { image: `shop/app:latest@${digest}`, warned: false },
    { image: "shop/app", warned: true },
    { image: "shop/app:latest", warned: true },
  ])("takes $image, warned: $warned", ({ image, warned }) => {
    expect(made("set-image", { params: { container: "app", image } }).warnings.length > 0).toBe(warned);
  });

  it.each(["undo", "set-image"] as const)("says of %s which analysis it ends", (action) => {
    const canary = {
      currentStepAnalysisRunStatus: { name: "step-1", status: "Inconclusive" },
      currentBackgroundAnalysisRunStatus: { name: "bg-1", status: "Running" },
      currentExperiment: "e-1",
    };
    const { warnings } = made(action, {
      rollout: rolloutOf({ status: { canary } }),
      ...(action === "undo" ? {} : { params: { container: "app", image: "shop/app:4" } }),
    });
    expect(warnings).toContainEqual(expect.stringMatching(/^Ends run bg-1 and experiment e-1 early: /));
  });

  it("says that nothing rolls out while a person holds it", () => {
    const rollout = rolloutOf({ spec: { paused: true }, status: { abort: true } });
    const { effect } = made("set-image", { rollout, params: { container: "app", image: "shop/app:4" } });
    expect(effect).toBe(
      "Sets container app from shop/app:3 to shop/app:4: a new release starts at step 1 of 2. This also ends the abort. It is paused manually (spec.paused): nothing rolls out until it is unpaused.",
    );
  });
});

describe("what is stored and shown", () => {
  it.each([
    { action: "undo" as const, params: {} },
    { action: "set-image" as const, params: { container: "app", image: "shop/app:9" } },
  ])("of $action holds images and no values", ({ action, params }) => {
    const planned = made(action, { params });
    const { patches, ...shown } = planned;
    expect(JSON.stringify(patches)).toContain(secret);
    expect(JSON.stringify(shown)).not.toContain(secret);
    expect(JSON.stringify(shown.shown)).toContain("shop/app:");
    expect(JSON.stringify(shown.shown)).toContain("DB_PASSWORD");
    expect(hideTemplateValues({ text: `invalid value "${secret}" of DB_PASSWORD`, patch: patches[0]?.body })).toBe(
      'invalid value "[redacted]" of DB_PASSWORD',
    );
  });
});

describe("in every state that a rollout may wait in", () => {
  const paused = (reason: string) => ({ controllerPause: true, pauseConditions: [{ reason, startTime: null }] });
  const blueGreen = { strategy: { blueGreen: { activeService: "a", autoPromotionEnabled: false } } };
  it.each<{ name: string; spec?: Json; status?: Json; says?: string; refused?: string }>([
    { name: "canary, a step runs", says: "all traffic goes back" },
    { name: "canary at a pause step", status: paused("CanaryPauseStep"), says: "all traffic goes back" },
    {
      name: "canary, step run Inconclusive",
      status: {
        ...paused("InconclusiveAnalysisRun"),
        canary: { currentStepAnalysisRunStatus: { name: "r", status: "Inconclusive" } },
      },
      says: "all traffic goes back",
    },
    {
      name: "canary, background run Inconclusive",
      status: {
        ...paused("InconclusiveAnalysisRun"),
        canary: { currentBackgroundAnalysisRunStatus: { name: "r", status: "Inconclusive" } },
      },
      says: "all traffic goes back",
    },
    {
      name: "canary, experiment Inconclusive",
      status: paused("InconclusiveExperiment"),
      says: "all traffic goes back",
    },
    { name: "canary, a person's pause", spec: { paused: true }, says: "until it is unpaused" },
    { name: "aborted", status: { abort: true }, says: "This also ends the abort." },
    { name: "full promotion asked for", status: { promoteFull: true }, says: "all traffic goes back" },
    { name: "fully promoted", status: { stableRS: "c3" }, says: "a new release starts at step 1 of 2" },
    { name: "blue-green, waiting", spec: blueGreen, status: paused("BlueGreenPause"), says: "all traffic goes back" },
    { name: "blue-green, promoted", spec: blueGreen, status: { stableRS: "c3" }, says: "a new release starts." },
    {
      name: "blue-green, pre-promotion run Inconclusive",
      spec: blueGreen,
      status: {
        ...paused("InconclusiveAnalysisRun"),
        blueGreen: { prePromotionAnalysisRunStatus: { name: "r", status: "Inconclusive" } },
      },
      says: "all traffic goes back",
    },
    { name: "a pause reason that is not known", status: paused("Lunch"), refused: "unknown_state" },
    {
      name: "a run's phase that is not known",
      status: { canary: { currentStepAnalysisRunStatus: { name: "r", status: "Dancing" } } },
      refused: "unknown_state",
    },
  ])("$name", ({ spec = {}, status = {}, says, refused }) => {
    const rollout = rolloutOf({ spec, status });
    const undone = plan("undo", { rollout });
    const set = plan("set-image", { rollout, params: { container: "app", image: "shop/app:4" } });
    for (const one of [undone, set]) {
      expect(one.kind === "refused" ? one.reasonCode : undefined).toBe(refused);
      if (one.kind === "refused") continue;
      // One patch of the main resource: with a new template the controller itself drops pauses, abort and promotion.
      expect(one.patches.map(({ subresource, body }) => [subresource, Object.keys(body)])).toEqual([["", ["spec"]]]);
      expect(Object.keys(one.patches[0]?.body.spec as Json)).toEqual(["template"]);
    }
    if (says !== undefined) expect(undone.kind === "patches" && undone.effect).toContain(says);
  });
});
