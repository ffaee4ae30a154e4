import { describe, expect, it } from "vitest";
import { parseDeployment, type WorkloadState } from "#lib/domain/kube/workload-object.ts";
import { readRecorded } from "../objects/testing/recorded-lines.ts";
import { assessReadiness, type Readiness } from "./primary-readiness.ts";
import { canaryOf } from "./testing/sample-canary.ts";
import { conditionOf, emptyWorkload, failedWorkload, workloadOf } from "./testing/sample-workload.ts";

type Case = {
  name: string;
  workload?: WorkloadState | undefined;
  targetKind?: string;
  analysis?: object;
  role?: "primary" | "target";
  now?: string;
  is: Partial<Readiness>;
};

const updating = conditionOf("Progressing", "True", "ReplicaSetUpdated", "2026-08-01T10:00:05Z");
const available = conditionOf("Available", "True", "MinimumReplicasAvailable");
const daemonSet: Partial<WorkloadState> = {
  kind: "DaemonSet",
  desired: 5,
  replicas: 5,
  updated: 3,
  available: 3,
  conditions: [],
};

const cases: Case[] = [
  { name: "ready", workload: workloadOf(), is: { kind: "ready", deadline: null, why: "" } },
  {
    name: "scaled to zero",
    workload: workloadOf({ desired: 0, replicas: 0, updated: 0, available: 0 }),
    is: { kind: "ready" },
  },
  { name: "not recorded", is: { kind: "unknown", available: null } },
  { name: "of a kind that Flagger does not check", targetKind: "Service", is: { kind: "unchecked", deadline: null } },
  { name: "of an unknown kind", targetKind: "StatefulSet", workload: workloadOf(), is: { kind: "unknown" } },
  {
    name: "changed, but not seen by Kubernetes",
    workload: emptyWorkload({ generation: 3 }),
    is: { kind: "updating", deadline: null },
  },
  {
    name: "never seen by Kubernetes",
    workload: workloadOf({ observedGeneration: undefined }),
    is: { kind: "updating" },
  },
  {
    name: "in a rolling update: the Deployment's own deadline counts",
    workload: workloadOf({ updated: 1, replicas: 3, progressDeadlineSeconds: 45, conditions: [available, updating] }),
    is: {
      kind: "updating",
      deadline: "2026-08-01T10:00:50.000Z",
      why: "1 of 2 pods are updated, with 2 pods available",
    },
  },
  {
    name: "in a rolling update without a deadline in the record: 600 seconds",
    workload: workloadOf({ updated: 1, progressDeadlineSeconds: undefined, conditions: [available, updating] }),
    is: { kind: "updating", deadline: "2026-08-01T10:10:05.000Z" },
  },
  {
    name: "scaled up: a Deployment that completed has no deadline",
    workload: workloadOf({ desired: 4 }),
    is: { kind: "updating", deadline: null },
  },
  {
    name: "with old pods",
    workload: workloadOf({ replicas: 3 }),
    is: { kind: "updating", why: "1 old pod is still there, with 2 pods available" },
  },
  {
    name: "without pods: the Canary's clock counts",
    workload: emptyWorkload(),
    is: { kind: "at-risk", deadline: "2026-08-01T10:01:10.000Z", available: 0, why: "0 of 2 pods are available" },
  },
  {
    name: "without pods, and the Deployment's own deadline comes first",
    workload: emptyWorkload({
      progressDeadlineSeconds: 30,
      conditions: [conditionOf("Available", "False", "MinimumReplicasUnavailable", "2026-08-01T10:00:10Z"), updating],
    }),
    is: { kind: "at-risk", deadline: "2026-08-01T10:00:35.000Z" },
  },
  { name: "at its deadline", workload: emptyWorkload(), now: "2026-08-01T10:01:10Z", is: { kind: "at-risk" } },
  { name: "past its deadline", workload: emptyWorkload(), now: "2026-08-01T10:01:11Z", is: { kind: "failed" } },
  {
    name: "without pods and without a Progressing condition: no clock runs",
    workload: emptyWorkload({ conditions: [conditionOf("Available", "False", "MinimumReplicasUnavailable")] }),
    is: { kind: "updating", deadline: null },
  },
  {
    name: "unavailable, but enough for its threshold",
    workload: emptyWorkload({ available: 1 }),
    analysis: { primaryReadyThreshold: 50 },
    is: { kind: "ready" },
  },
  {
    name: "unavailable: the target has a threshold of its own",
    workload: emptyWorkload({ available: 1 }),
    analysis: { primaryReadyThreshold: 50 },
    role: "target",
    is: { kind: "at-risk" },
  },
  {
    name: "without a threshold",
    workload: emptyWorkload(),
    analysis: { primaryReadyThreshold: 0 },
    is: { kind: "ready" },
  },
  {
    name: "failed",
    workload: failedWorkload(),
    is: { kind: "failed", available: 1, deadline: "2026-08-01T10:00:00.000Z" },
  },
  {
    name: "failed, though all pods are there",
    workload: failedWorkload({ updated: 2, available: 2 }),
    is: { kind: "failed" },
  },
  {
    name: "a DaemonSet in an update: the Canary's last write counts",
    targetKind: "DaemonSet",
    workload: workloadOf(daemonSet),
    is: {
      kind: "at-risk",
      deadline: "2026-08-01T10:01:00.000Z",
      why: "3 of 5 pods are updated, with 3 pods available",
    },
  },
  {
    name: "a DaemonSet that is ready",
    targetKind: "DaemonSet",
    workload: workloadOf({ ...daemonSet, updated: 5, available: 5 }),
    is: { kind: "ready" },
  },
  {
    name: "a DaemonSet past its deadline",
    targetKind: "DaemonSet",
    workload: workloadOf({ ...daemonSet, updated: 5 }),
    now: "2026-08-01T10:01:01Z",
    is: { kind: "failed", why: "3 of 5 pods are available" },
  },
];

describe("assessReadiness of a workload that is", () => {
  it.each(cases)("$name", ({ workload, targetKind = "Deployment", analysis = {}, role = "primary", now, is }) => {
    const canary = canaryOf({
      spec: { targetRef: { kind: targetKind, name: "podinfo" }, progressDeadlineSeconds: 60, analysis },
      status: { phase: "Promoting", lastTransitionTime: "2026-08-01T10:00:00Z" },
    });
    expect(assessReadiness({ canary, workload, role, now })).toMatchObject(is);
  });
});

describe("the primaries that failed under the real Flagger", () => {
  const spec = { targetRef: { kind: "Deployment", name: "f" }, progressDeadlineSeconds: 40, analysis: {} };
  const kindsOf = (version: "1.43.0" | "1.44.0", name: string, since: string): (string | null)[] => {
    const kinds = readRecorded(version, "deployments")
      .filter(({ object, at }) => object.metadata.name === name && at > since)
      .flatMap(({ object, at }) => {
        const parsed = parseDeployment(object);
        if (!parsed.ok) throw new Error(parsed.reason);
        return assessReadiness({ canary: canaryOf({ spec }), workload: parsed.value, role: "primary", now: at }).kind;
      });
    return kinds.filter((kind, index) => kind !== kinds[index - 1]);
  };

  it("with Recreate were at risk, and failed by the Canary's clock before their own", () => {
    expect(kindsOf("1.43.0", "f-primrec-primary", "2026-11-22T07:34:42")).toEqual(["updating", "at-risk"]);
    // The last line is the Deployment's own deadline, ten minutes later.
    expect(kindsOf("1.44.0", "f-primrec-primary", "2026-11-22T07:22:25")).toEqual(["updating", "at-risk", "failed"]);
  });

  it("with a rolling update were never at risk, and failed by the Deployment's deadline", () => {
    expect(kindsOf("1.43.0", "f-primdl-primary", "2026-11-22T07:34:42")).toEqual(["updating", "failed"]);
    expect(kindsOf("1.44.0", "f-primfail-primary", "2026-11-22T07:13:08")).toEqual(["updating", "failed"]);
  });
});
