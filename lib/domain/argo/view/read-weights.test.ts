import { describe, expect, it } from "vitest";
import { readRevisionMark } from "#lib/domain/argo/objects/revision-mark.ts";
import { parseRollout, type RolloutObject } from "#lib/domain/argo/objects/rollout-object.ts";
import type { RevisionMark } from "#lib/domain/delivery/revision-set.ts";
import { extractReplicaSetFacts, parseReplicaSet, type ReplicaSetFacts } from "#lib/domain/kube/replica-set-object.ts";
import { readRealStream, statesOf } from "#test/real-streams.ts";
import { readActualWeight, readSetWeight } from "./read-weights.ts";
import { computeRolloutView } from "./rollout-view.ts";

const lines = readRealStream("s6");
const states = statesOf(lines, "Rollout", "s6-acts");

function rolloutAt(resourceVersion: string): RolloutObject {
  const parsed = parseRollout(states.find(({ metadata }) => metadata.resourceVersion === resourceVersion));
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.value;
}

/** Returns the rollout's ReplicaSets as last seen before that version. */
function replicaSetsAt(resourceVersion: string) {
  const seen = new Map<string, ReplicaSetFacts & RevisionMark>();
  for (const { object } of lines) {
    const isOwn = object.kind === "ReplicaSet" && object.metadata.ownerReferences?.[0]?.name === "s6-acts";
    if (!isOwn || Number(object.metadata.resourceVersion) > Number(resourceVersion)) continue;
    const parsed = parseReplicaSet(object);
    if (!parsed.ok) continue;
    const { value } = parsed;
    seen.set(object.metadata.uid, { ...extractReplicaSetFacts(value), ...readRevisionMark(value.metadata) });
  }
  return [...seen.values()];
}

/** `view`: for the page and the lists, which know the ReplicaSets. `own`: from the Rollout itself. */
const cases = [
  { name: "set, and no pod of the new version yet", version: "1378", view: { set: 25, actual: 0 }, own: 0 },
  { name: "paused, all pods available", version: "1499", view: { set: 25, actual: 25 }, own: 25 },
  { name: "set to 50, one of two pods there", version: "2219", view: { set: 50, actual: 25 }, own: 25 },
  {
    name: "behind the last step by full promotion, one pod of four",
    version: "3371",
    view: { set: 100, actual: 25 },
    own: 25,
  },
  { name: "behind the last step, not all available", version: "3386", view: { set: 100, actual: 33 }, own: 33 },
  { name: "promoted", version: "3449", view: { set: 100, actual: 100 }, own: undefined },
];

describe("the weight of the new version in the real controller's writes", () => {
  it.each(cases)("$name", ({ version, view, own }) => {
    const rollout = rolloutAt(version);
    const { weight } = computeRolloutView({ rollout, replicaSets: replicaSetsAt(version) });
    expect({ weight, own: readActualWeight(rollout) }).toEqual({ weight: view, own });
  });

  it("is what the router was told, where there is one", () => {
    const rollout = rolloutAt("1499");
    const { canary } = rollout.spec.strategy;
    const routed: RolloutObject = {
      ...rollout,
      spec: { ...rollout.spec, strategy: { canary: { ...canary, steps: canary?.steps, trafficRouting: {} } } },
    } as RolloutObject;
    expect(readActualWeight(routed)).toBeUndefined();
    const reported = { ...routed, status: { ...routed.status, canary: { weights: { canary: { weight: 10 } } } } };
    expect(readActualWeight(reported as RolloutObject)).toBe(10);
    expect(readSetWeight(routed)).toBe(25);
  });
});
