import { beforeEach, describe, expect, it } from "vitest";
import { createEventRecorder } from "./event-recorder.ts";
import { MOST_PODS_PER_SET } from "./sync-pods.ts";
import {
  eventReasons,
  eventsAbout,
  metricOf,
  podTemplate,
  putRollout,
  putTemplate,
  SELECTOR,
} from "./testing/own-rollout.ts";
import { createWorld, type World } from "./testing/sandbox-world.ts";

const KEY = "default/app";

let world: World;
beforeEach(() => {
  world = createWorld();
});

function deploy(replicas: number, steps: unknown[] = []): void {
  putRollout(world, { replicas, selector: SELECTOR, template: podTemplate(), strategy: { canary: { steps } } });
}

function pods() {
  return world.store.list("pods", "default");
}

describe("Pods", () => {
  it("come with their ReplicaSet, run a little later, and go with it", () => {
    deploy(2);
    world.clock.advance(100);
    expect(pods().map(({ status }) => status)).toEqual([{ phase: "Pending" }, { phase: "Pending" }]);
    world.clock.advance(2_000);
    const { currentPodHash } = world.rollout(KEY).status;
    for (const pod of pods()) {
      expect(pod.metadata).toMatchObject({
        generateName: `app-${currentPodHash}-`,
        labels: { app: "app", "rollouts-pod-template-hash": currentPodHash },
        ownerReferences: [{ kind: "ReplicaSet", name: `app-${currentPodHash}`, controller: true }],
      });
      expect(pod.metadata.name).toMatch(/-[a-z0-9]{5}$/);
      expect(pod.status).toMatchObject({
        phase: "Running",
        containerStatuses: [{ name: "app", image: "app:v1", ready: true, restartCount: 0 }],
      });
    }
    world.store.delete("rollouts", "default", "app");
    expect(pods()).toEqual([]);
  });

  it("follow the replica count", () => {
    deploy(4);
    world.clock.advance(2_000);
    const names = pods().map(({ metadata }) => metadata.name);
    world.patchSpec(KEY, { replicas: 1 });
    world.clock.advance(2_000);
    expect(pods()).toHaveLength(1);
    expect(names).toContain(pods()[0]?.metadata.name);
    world.patchSpec(KEY, { replicas: 3 });
    world.clock.advance(2_000);
    expect(pods().map(({ status }) => status?.phase)).toEqual(["Running", "Running", "Running"]);
  });

  it("that a person deletes are replaced", () => {
    deploy(2);
    world.clock.advance(2_000);
    const [first] = pods();
    world.store.delete("pods", "default", first?.metadata.name ?? "");
    world.clock.advance(100);
    expect(world.rollout(KEY).status).toMatchObject({ phase: "Progressing", availableReplicas: 1 });
    world.clock.advance(2_000);
    expect(world.rollout(KEY).status).toMatchObject({ phase: "Healthy", availableReplicas: 2 });
    expect(pods()).toHaveLength(2);
    expect(pods().map(({ metadata }) => metadata.name)).not.toContain(first?.metadata.name);
  });

  it("are counted, not kept, beyond a limit", () => {
    deploy(MOST_PODS_PER_SET + 30);
    world.clock.advance(5_000);
    expect(pods()).toHaveLength(MOST_PODS_PER_SET);
    expect(world.rollout(KEY).status).toMatchObject({ phase: "Healthy", availableReplicas: MOST_PODS_PER_SET + 30 });
  });
});

describe("Events", () => {
  it("tell the course of a canary", () => {
    putTemplate(world, "good", [metricOf("good")]);
    deploy(2, [
      { setWeight: 50 },
      { analysis: { templates: [{ templateName: "good" }] } },
      { pause: { duration: "2s" } },
    ]);
    world.clock.advance(3_000);
    world.setImage(KEY, "app:v2");
    world.clock.advance(20_000);
    const texts = eventsAbout(world, "app").map(({ reason, message }) => `${reason}: ${message}`);
    const { currentPodHash } = world.rollout(KEY).status;
    const run = `app-${currentPodHash}-2-1`;
    for (const text of [
      "RolloutAddedToInformer: Rollout resource added to informer: default/app",
      "RolloutUpdated: Rollout updated to revision 2",
      `NewReplicaSetCreated: Created ReplicaSet app-${currentPodHash} (revision 2)`,
      `ScalingReplicaSet: Scaled up ReplicaSet app-${currentPodHash} (revision 2) from 0 to 1`,
      "RolloutStepCompleted: Rollout step 1/3 completed (setWeight: 50)",
      `AnalysisRunRunning: Step Analysis Run '${run}' Status New: 'Running' Previous: ''`,
      `AnalysisRunSuccessful: Step Analysis Run '${run}' Status New: 'Successful' Previous: 'Running'`,
      "RolloutStepCompleted: Rollout step 2/3 completed (analysis)",
      "RolloutPaused: Rollout is paused (CanaryPauseStep)",
      "RolloutResumed: Rollout is resumed",
      `RolloutCompleted: Rollout completed update to revision 2 (${currentPodHash}): Completed all 3 canary steps`,
    ]) {
      expect(texts).toContain(text);
    }
    expect(eventReasons(world, run)).toEqual(["MetricSuccessful", "AnalysisRunSuccessful"]);
    expect(eventsAbout(world, "app")[0]).toMatchObject({
      type: "Normal",
      source: { component: "rollouts-controller" },
      involvedObject: { kind: "Rollout", namespace: "default", uid: world.rollout(KEY).metadata.uid },
      count: 1,
    });
  });

  it("count what is said again, and end after 25 of one object", () => {
    deploy(1);
    const events = createEventRecorder({ store: world.store, clock: world.clock });
    const about = world.store.get("rollouts", "default", "app");
    if (about === undefined) throw new Error("no Rollout");
    for (let index = 0; index < 3; index++) events.emit(about, { reason: "Same", message: "said again" });
    for (let index = 0; index < 40; index++) events.emit(about, { reason: "Other", message: `number ${index}` });
    const same = eventsAbout(world, "app").filter(({ reason }) => reason === "Same");
    expect(same.map(({ count }) => count)).toEqual([3]);
    const others = () => eventsAbout(world, "app").filter(({ reason }) => reason === "Other").length;
    expect(others()).toBe(22);
    world.clock.advance(301_000);
    for (let index = 100; index < 140; index++) events.emit(about, { reason: "Other", message: `number ${index}` });
    expect(others()).toBe(23);
  });

  it("expire after an hour", () => {
    deploy(1);
    world.clock.advance(3_000);
    const before = eventsAbout(world, "app").length;
    world.clock.advance(3_700_000);
    world.setImage(KEY, "app:v2");
    world.clock.advance(3_000);
    const times = eventsAbout(world, "app").map(({ lastTimestamp }) => String(lastTimestamp));
    expect(before).toBeGreaterThan(3);
    expect(times.length).toBeGreaterThan(3);
    expect(times.every((time) => time > "2026-01-05T10")).toBe(true);
  });
});
