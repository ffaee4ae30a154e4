import { describe, expect, it } from "vitest";
import { type NamedWorkload, nothingRelated } from "#lib/domain/delivery/related-state.ts";
import { computeChecksum, hashPodTemplate } from "#lib/domain/flagger/gates/checksum.ts";
import { flaggerProvider } from "#lib/domain/flagger/provider.ts";
import { workloadOf } from "#lib/domain/flagger/view/testing/sample-workload.ts";
import type { ClusterReader } from "#lib/domain/kube/cluster-reader.ts";
import { flaggerActions } from "./plan-action.ts";

const now = new Date("2026-11-20T12:00:00Z");
const lastUpdateTime = "2026-11-20T11:59:00Z";
const gates = ["confirm-rollout", "confirm-traffic-increase", "confirm-promotion", "rollback"];
const template = { metadata: { annotations: {} }, spec: { containers: [{ name: "app", image: "shop/app:2" }] } };

type Given = {
  status?: Record<string, unknown>;
  spec?: Record<string, unknown>;
  /** Available pods of the primary. */
  primary?: number;
  /** It has no conditions. */
  silent?: boolean;
  missing?: string[];
  version?: string;
};

function objectOf({ status = {}, spec = {} }: Given) {
  return {
    apiVersion: "flagger.app/v1beta1",
    kind: "Canary",
    metadata: { name: "web", namespace: "shop", uid: "u1", resourceVersion: "7" },
    spec: {
      provider: "nginx",
      targetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" },
      analysis: {
        interval: "30s",
        threshold: 5,
        maxWeight: 60,
        stepWeight: 20,
        webhooks: gates.map((type) => ({ name: type, type, url: `http://g.test/hooks/flagger/prod/${type}` })),
      },
      ...spec,
    },
    status: { phase: "Progressing", canaryWeight: 20, lastAppliedSpec: "B", lastPromotedSpec: "A", ...status },
  };
}

function readerOf({ primary = 2, silent = false, missing = [] }: Given): ClusterReader {
  return {
    async get({ name }) {
      if (missing.includes(name)) return { kind: "missing" };
      const available = name === "web-primary" ? primary : 2;
      return {
        kind: "found",
        object: {
          kind: "Deployment",
          metadata: { name, namespace: "shop", uid: `uid-${name}`, resourceVersion: "3", generation: 1 },
          spec: { replicas: 2, template },
          status: {
            observedGeneration: 1,
            replicas: 2,
            updatedReplicas: 2,
            readyReplicas: available,
            availableReplicas: available,
            conditions: silent
              ? []
              : [
                  { type: "Progressing", status: "True", reason: "ReplicaSetUpdated", lastUpdateTime },
                  available === 2
                    ? { type: "Available", status: "True", reason: "MinimumReplicasAvailable" }
                    : { type: "Available", status: "False", reason: "MinimumReplicasUnavailable", lastUpdateTime },
                ],
          },
        },
      };
    },
    list: async () => ({ kind: "missing" }),
  };
}

function actingOf(given: Given) {
  const parsed = flaggerProvider.parse(objectOf(given));
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.value.acting;
}

function relatedStateOf({ version = "1.44.0" }: Given, workloads: readonly NamedWorkload[]) {
  return { ...nothingRelated, cluster: "prod", controllerVersion: version, workloads };
}

/** The target as it was recorded; the cluster has generation 1. */
const recordedAs = (generation: number, uid = "uid-web"): NamedWorkload[] => [
  { ...workloadOf(), name: "web", uid, generation, images: ["shop/app:2"] },
];

async function plan(
  action: (typeof flaggerActions)[number] | "abort",
  given: Given = {},
  workloads: readonly NamedWorkload[] = recordedAs(1),
) {
  const asked = { action, params: {}, now, related: relatedStateOf(given, workloads), images: undefined };
  const answer = await actingOf(given).plan(asked, readerOf(given));
  return answer.kind === "planned" ? answer.plan : answer;
}

const checksum = computeChecksum({ lastAppliedSpec: "B", trackedConfigs: {} });
const waiting = { status: { phase: "Waiting", canaryWeight: 0, lastAppliedSpec: "A" } };
const templateHash = hashPodTemplate({ spec: { template } });
const atPromotion = { status: { phase: "WaitingPromotion", canaryWeight: 0, iterations: -1 } };

describe("decisions, which Gatehouse keeps", () => {
  it.each([
    {
      name: "approve a start: bound to the live pod template",
      action: "approve",
      given: waiting,
      decision: {
        gate: "confirm-rollout",
        verdict: "approve",
        bound: { templateHash },
      },
    },
    {
      name: "approve a promotion: bound to the run, and to the template for calls without a checksum",
      action: "approve",
      given: atPromotion,
      decision: { gate: "confirm-promotion", verdict: "approve", bound: { checksum, templateHash } },
    },
    {
      name: "hold a promotion",
      action: "hold",
      given: atPromotion,
      decision: { gate: "confirm-promotion", verdict: "hold" },
    },
    {
      name: "roll back: bound to the checksum of the run, and to the template for calls without one",
      action: "rollback",
      given: {},
      decision: { gate: "rollback", verdict: "rollback", bound: { checksum, templateHash } },
    },
  ] as const)("$name", async ({ action, given, decision }) => {
    const planned = await plan(action, given);
    expect(planned).toMatchObject({ kind: "patches", patches: [], decision });
    expect(planned).not.toHaveProperty("kubectl");
  });

  it("expire", async () => {
    const planned = await plan("approve", atPromotion);
    expect(planned).toMatchObject({ decision: { expiresInSeconds: 86_400 } });
  });

  it("of a start expire after five intervals, since a changed ConfigMap does not change what they are bound to", async () => {
    const planned = await plan("approve", waiting);
    expect(planned).toMatchObject({ decision: { expiresInSeconds: 300 } });
  });

  it("are refused for a start whose target has changed since it was last recorded", async () => {
    expect(await plan("approve", waiting, recordedAs(2))).toMatchObject({ reasonCode: "target_changed" });
    expect(await plan("approve", waiting, recordedAs(1))).toMatchObject({ kind: "patches" });
    expect(await plan("approve", waiting, recordedAs(1, "recreated"))).toMatchObject({ reasonCode: "target_changed" });
    expect(await plan("hold", waiting, recordedAs(2))).toMatchObject({ kind: "patches" });
    expect(await plan("approve", atPromotion, recordedAs(2))).toMatchObject({ kind: "patches" });
    expect(await plan("rollback", {}, recordedAs(2))).toMatchObject({ kind: "patches" });
  });

  it("of a start name the version of the target, as an offer and as a plan", async () => {
    const named = { targetVersion: "uid-web/1", effect: expect.stringContaining("web has now: shop/app:2.") };
    expect(await plan("approve", waiting)).toMatchObject(named);
    const offers = actingOf(waiting).offer({ now, related: relatedStateOf(waiting, recordedAs(1)) });
    expect(offers.find(({ action }) => action === "approve")?.plan).toMatchObject(named);
  });

  it("are refused for a start whose target is not recorded: no page can have shown it", async () => {
    expect(await plan("approve", waiting, [])).toMatchObject({ reasonCode: "target_unknown" });
    expect(await plan("hold", waiting, [])).toMatchObject({ kind: "patches" });
    expect(await plan("approve", atPromotion, [])).toMatchObject({ kind: "patches" });
  });

  it.each([
    { name: "the same version as was seen", seen: "u/2", now: "u/2", reported: undefined },
    { name: "an older client names none", seen: undefined, now: "u/2", reported: undefined },
    {
      name: "another version",
      seen: "u/1",
      now: "u/2",
      reported: "Deployment web has changed since you looked at it.",
    },
    {
      name: "one that was created again",
      seen: "u/1",
      now: "v/1",
      reported: "Deployment web has changed since you looked at it.",
    },
    {
      name: "a version that is gone",
      seen: "u/1",
      now: undefined,
      reported: "Deployment web has changed since you looked at it.",
    },
  ])("are compared with what the person saw: $name", ({ seen, now: targetVersion, reported }) => {
    const found = actingOf(waiting).findUnseen({ targetVersion }, { targetVersion: seen });
    expect(found?.change.text).toBe(reported);
  });

  it("are refused for a start whose template cannot be read", async () => {
    expect(await plan("approve", { ...waiting, missing: ["web"] })).toMatchObject({ kind: "refused" });
  });
});

describe("patches", () => {
  it.each([
    { action: "suspend", given: {}, body: { spec: { suspend: true } } },
    { action: "unsuspend", given: { spec: { suspend: true } }, body: { spec: { suspend: false } } },
    { action: "skip-analysis", given: {}, body: { spec: { skipAnalysis: true } } },
  ] as const)("$action", async ({ action, given, body }) => {
    const planned = await plan(action, given);
    expect(planned).toMatchObject({ kind: "patches", patches: [{ subresource: "", body }] });
    expect(planned).not.toHaveProperty("target");
  });

  it("retrigger: of the target, as kubectl rollout restart", async () => {
    const planned = await plan("retrigger", { status: { phase: "Failed", canaryWeight: 0 } });
    const annotations = { "kubectl.kubernetes.io/restartedAt": "2026-11-20T12:00:00Z" };
    expect(planned).toMatchObject({
      patches: [{ subresource: "", body: { spec: { template: { metadata: { annotations } } } } }],
      target: { resource: "deployments", kind: "Deployment", name: "web", uid: "uid-web", resourceVersion: "3" },
      kubectl: "kubectl rollout restart deployment/web -n shop",
    });
  });
});

describe("refusals say why", () => {
  it.each([
    { name: "no gate waits", action: "approve", given: { status: { phase: "Succeeded", canaryWeight: 0 } } },
    { name: "the primary is not ready", action: "rollback", given: { primary: 0 } },
    {
      name: "the primary has no pods, and no condition says so",
      action: "rollback",
      given: { primary: 0, silent: true },
    },
    { name: "an unknown phase", action: "suspend", given: { status: { phase: "WaitingTrafficIncrease" } } },
    { name: "it is not suspended", action: "unsuspend", given: {} },
    { name: "an action of another provider", action: "abort", given: {} },
  ] as const)("$name", async ({ action, given }) => {
    const refused = await plan(action, given);
    expect(refused).toMatchObject({ kind: "refused", reason: expect.stringMatching(/^[A-Z].*\.$/s) });
  });

  it("offers exactly the actions of a Canary", () => {
    const parsed = flaggerProvider.parse(objectOf({}));
    if (!parsed.ok) throw new Error(parsed.reason);
    const offers = parsed.value.acting.offer({ now, related: { ...nothingRelated, cluster: "prod" } });
    expect(offers.map(({ action }) => action)).toEqual(flaggerActions);
  });
});
