import { beforeEach, describe, expect, it } from "vitest";
import type { AnalysisRunStatus } from "#lib/domain/argo/analysis/types.ts";
import { findCondition } from "./rollout-conditions.ts";
import type { BlueGreenStrategy } from "./rollout-types.ts";
import { HASH_LABEL, MANAGED_BY_ANNOTATION } from "./rollout-types.ts";
import {
  eventReasons,
  metricOf,
  type Outcome,
  podTemplate,
  putRollout,
  putService,
  putTemplate,
  SELECTOR,
} from "./testing/own-rollout.ts";
import { createWorld, replicaSetOf, type World } from "./testing/sandbox-world.ts";

const KEY = "default/app";
const ANALYSIS = (templateName: string) => ({ templates: [{ templateName }] });

let world: World;
beforeEach(() => {
  world = createWorld();
  putService(world, "active");
  putService(world, "preview");
});

/** Deploys v1 completely, then releases v2. */
function releaseV2(strategy: Partial<BlueGreenStrategy> & { pre?: Outcome; post?: Outcome }): void {
  const { pre, post, ...rest } = strategy;
  if (pre !== undefined) putTemplate(world, "pre", [metricOf(pre)]);
  if (post !== undefined) putTemplate(world, "post", [metricOf(post)]);
  const blueGreen = {
    activeService: "active",
    previewService: "preview",
    scaleDownDelaySeconds: 10,
    ...(pre === undefined ? {} : { prePromotionAnalysis: ANALYSIS("pre") }),
    ...(post === undefined ? {} : { postPromotionAnalysis: ANALYSIS("post") }),
    ...rest,
  };
  putRollout(world, { selector: SELECTOR, template: podTemplate(), strategy: { blueGreen } });
  world.clock.advance(3_000);
  world.setImage(KEY, "app:v2");
}

function selected(service: "active" | "preview"): string | undefined {
  const selector = world.store.get("services", "default", service)?.spec?.selector as Record<string, string>;
  return selector[HASH_LABEL];
}

function status() {
  return world.rollout(KEY).status;
}

function runs(): (string | undefined)[] {
  return world.runs(KEY).map((run) => (run.status as AnalysisRunStatus | undefined)?.phase);
}

describe("a first deployment", () => {
  it("switches both Services, marks them, and is healthy without a pause", () => {
    const blueGreen = { activeService: "active", previewService: "preview", autoPromotionEnabled: false };
    putRollout(world, { selector: SELECTOR, template: podTemplate(), strategy: { blueGreen } });
    world.clock.advance(3_000);
    const { stableRS, currentPodHash } = status();
    expect(status()).toMatchObject({
      phase: "Healthy",
      blueGreen: { activeSelector: stableRS, previewSelector: stableRS },
      selector: `app=app,${HASH_LABEL}=${stableRS}`,
    });
    expect(currentPodHash).toBe(stableRS);
    expect([selected("active"), selected("preview")]).toEqual([stableRS, stableRS]);
    const { annotations } = world.store.get("services", "default", "active")?.metadata ?? {};
    expect(annotations?.[MANAGED_BY_ANNOTATION]).toBe("app");
  });

  it("waits for its Services", () => {
    world.store.delete("services", "default", "preview");
    releaseV2({});
    world.clock.advance(1_000);
    expect(status().phase).toBe("Degraded");
    expect(status().message).toMatch(/^InvalidSpec: .*spec.strategy.blueGreen.previewService.*"preview" not found$/);
    putService(world, "preview");
    world.clock.advance(10_000);
    expect(status().phase).toBe("Healthy");
  });
});

describe("a release with autoPromotionEnabled: false", () => {
  it("stays at the old version until a person resumes, then scales the old one down after the delay", () => {
    releaseV2({ autoPromotionEnabled: false });
    world.clock.advance(3_000);
    const { stableRS, currentPodHash } = status();
    expect(status()).toMatchObject({
      phase: "Paused",
      message: "BlueGreenPause",
      controllerPause: true,
      blueGreen: { activeSelector: stableRS, previewSelector: currentPodHash },
    });
    expect(findCondition(status(), "Paused")?.status).toBe("True");
    expect(selected("active")).toBe(stableRS);
    world.clock.advance(3_600_000);
    expect(status().phase).toBe("Paused");

    world.patchStatus(KEY, { pauseConditions: null });
    world.clock.advance(1_000);
    expect(selected("active")).toBe(currentPodHash);
    expect(status()).toMatchObject({ phase: "Healthy", stableRS: currentPodHash });
    expect(status().controllerPause).toBeUndefined();
    const old = () => replicaSetOf(world, KEY, stableRS);
    expect(old()?.metadata.annotations?.["scale-down-deadline"]).toBe("2026-01-05T10:00:16Z");
    expect(old()?.spec?.replicas).toBe(2);
    world.clock.advance(11_000);
    expect(old()?.spec?.replicas).toBe(0);
    expect(old()?.metadata.annotations?.["scale-down-deadline"]).toBeUndefined();
    expect(status().phase).toBe("Healthy");
  });

  it("promote-full needs no pause and no analysis", () => {
    putTemplate(world, "endless", [metricOf("good", true)]);
    releaseV2({ autoPromotionEnabled: false, prePromotionAnalysis: ANALYSIS("endless"), post: "bad" });
    world.clock.advance(1_500);
    expect(runs()).toEqual(["Running"]);
    world.patchStatus(KEY, { promoteFull: true });
    world.clock.advance(3_000);
    expect(status()).toMatchObject({ phase: "Healthy", stableRS: status().currentPodHash });
    expect(status().promoteFull).toBeUndefined();
    expect(world.runs(KEY)[0]?.spec).toMatchObject({ terminate: true });
  });

  it("abort goes back to the old version, retry pauses anew", () => {
    releaseV2({ autoPromotionEnabled: false, abortScaleDownDelaySeconds: 5 });
    world.clock.advance(3_000);
    const { stableRS, currentPodHash } = status();
    world.patchStatus(KEY, { abort: true });
    world.clock.advance(1_000);
    expect(status()).toMatchObject({
      phase: "Degraded",
      message: "RolloutAborted: Rollout aborted update to revision 2",
      blueGreen: { activeSelector: stableRS },
    });
    expect(replicaSetOf(world, KEY, currentPodHash)?.spec?.replicas).toBe(2);
    world.clock.advance(6_000);
    expect(replicaSetOf(world, KEY, currentPodHash)?.spec?.replicas).toBe(0);
    world.patchStatus(KEY, { abort: false });
    world.clock.advance(5_000);
    expect(status()).toMatchObject({ phase: "Paused", message: "BlueGreenPause" });
    expect(replicaSetOf(world, KEY, currentPodHash)?.spec?.replicas).toBe(2);
  });

  it("the old image again within the delay goes back at once", () => {
    releaseV2({ autoPromotionEnabled: false });
    world.clock.advance(3_000);
    const first = status().stableRS;
    world.patchStatus(KEY, { pauseConditions: null });
    world.clock.advance(2_000);
    world.setImage(KEY, "app:v1");
    world.clock.advance(2_000);
    expect(status()).toMatchObject({ phase: "Healthy", stableRS: first, blueGreen: { activeSelector: first } });
    expect(world.rollout(KEY).metadata.annotations?.["rollout.argoproj.io/revision"]).toBe("3");
  });
});

describe("autoPromotionSeconds", () => {
  it("resumes by itself, counted from the pause", () => {
    releaseV2({ autoPromotionSeconds: 20 });
    world.clock.advance(15_000);
    expect(status()).toMatchObject({ phase: "Paused", message: "BlueGreenPause" });
    world.clock.advance(10_000);
    expect(status()).toMatchObject({ phase: "Healthy", stableRS: status().currentPodHash });
  });

  it("passes without effect while the analysis before the promotion runs", () => {
    putTemplate(world, "endless", [metricOf("good", true)]);
    releaseV2({ autoPromotionSeconds: 5, prePromotionAnalysis: ANALYSIS("endless") });
    world.clock.advance(120_000);
    expect(runs()).toEqual(["Running"]);
    expect(status().pauseConditions).toBeUndefined();
    expect(status()).toMatchObject({ phase: "Progressing", message: "active service cutover pending" });
    expect(selected("active")).toBe(status().stableRS);
  });
});

describe("previewReplicaCount", () => {
  it("holds the new version small until the promotion", () => {
    releaseV2({ autoPromotionEnabled: false, previewReplicaCount: 1 });
    world.clock.advance(3_000);
    const { currentPodHash } = status();
    expect(status().phase).toBe("Paused");
    expect(replicaSetOf(world, KEY, currentPodHash)?.spec?.replicas).toBe(1);
    world.patchStatus(KEY, { pauseConditions: null });
    world.clock.advance(100);
    expect(status().blueGreen?.scaleUpPreviewCheckPoint).toBe(true);
    world.clock.advance(3_000);
    expect(replicaSetOf(world, KEY, currentPodHash)?.spec?.replicas).toBe(2);
    expect(status()).toMatchObject({ phase: "Healthy", stableRS: currentPodHash });
    expect(status().blueGreen?.scaleUpPreviewCheckPoint).toBeUndefined();
  });
});

describe("analysis before the promotion", () => {
  it.each([
    ["good", "Paused", "BlueGreenPause", ["Successful"]],
    ["unclear", "Paused", "InconclusiveAnalysisRun", ["Inconclusive"]],
    [
      "bad",
      "Degraded",
      /pre-promotion analysis phase error\/failed: Metric "success-rate" assessed Failed/,
      ["Failed"],
    ],
  ] as const)("that is %s leads to %s %s", (pre, phase, message, phases) => {
    releaseV2({ autoPromotionEnabled: false, pre });
    world.clock.advance(10_000);
    expect(status().phase).toBe(phase);
    expect(status().message).toMatch(message);
    expect(runs()).toEqual(phases);
    expect(selected("active")).toBe(status().stableRS);
    const [run] = world.runs(KEY);
    expect(run?.metadata.labels?.["rollout-type"]).toBe("PrePromotion");
    expect(run?.metadata.name).toBe(`app-${status().currentPodHash}-2-pre`);
    expect(status().blueGreen?.prePromotionAnalysisRunStatus).toMatchObject({
      name: run?.metadata.name,
      status: phases[0],
    });
  });

  it("is measured again when a person clears an Inconclusive pause, and goes on when good", () => {
    releaseV2({ autoPromotionEnabled: false, pre: "unclear" });
    world.clock.advance(10_000);
    putTemplate(world, "pre", [metricOf("good")]);
    world.patchStatus(KEY, { pauseConditions: null });
    world.clock.advance(10_000);
    expect(runs()).toEqual(["Inconclusive", "Successful"]);
    expect(world.runs(KEY)[1]?.metadata.name).toMatch(/-2-pre\.1$/);
    expect(status()).toMatchObject({ phase: "Paused", message: "BlueGreenPause" });
  });
});

describe("analysis after the promotion", () => {
  it("that is good makes the new version stable; only then does the old one go", () => {
    releaseV2({ post: "good", scaleDownDelaySeconds: undefined });
    world.clock.advance(2_000);
    const { stableRS, currentPodHash } = status();
    expect(status()).toMatchObject({
      phase: "Progressing",
      message: "waiting for analysis to complete",
      blueGreen: { activeSelector: currentPodHash },
    });
    expect(stableRS).not.toBe(currentPodHash);
    world.clock.advance(5_000);
    expect(status()).toMatchObject({ phase: "Healthy", stableRS: currentPodHash });
    expect(status().blueGreen?.postPromotionAnalysisRunStatus?.status).toBe("Successful");
  });

  it("that is bad aborts, and the active Service goes back", () => {
    releaseV2({ post: "bad" });
    world.clock.advance(1_200);
    const { stableRS, currentPodHash } = status();
    expect(selected("active")).toBe(currentPodHash);
    world.clock.advance(5_000);
    expect(selected("active")).toBe(stableRS);
    expect(status()).toMatchObject({ phase: "Degraded", abort: true, blueGreen: { activeSelector: stableRS } });
    expect(status().message).toContain("Blue/green post-promotion analysis phase error/failed: ");
  });

  it("that was bad aborts a retry at once, as upstream still names and judges it; a new image goes through", () => {
    releaseV2({ post: "bad" });
    world.clock.advance(10_000);
    world.patchStatus(KEY, { abort: false });
    world.clock.advance(5_000);
    expect(status()).toMatchObject({ phase: "Degraded", abort: true });
    expect(runs()).toEqual(["Failed"]);
    putTemplate(world, "post", [metricOf("good")]);
    world.setImage(KEY, "app:v3");
    world.clock.advance(10_000);
    expect(status()).toMatchObject({ phase: "Healthy", stableRS: status().currentPodHash });
  });

  it("that is unclear pauses with the new version active and the old one whole", () => {
    releaseV2({ post: "unclear" });
    world.clock.advance(60_000);
    expect(status()).toMatchObject({ phase: "Paused", message: "InconclusiveAnalysisRun" });
    expect(selected("active")).toBe(status().currentPodHash);
    expect(replicaSetOf(world, KEY, status().stableRS)?.spec?.replicas).toBe(2);
  });
});

describe("a user pause", () => {
  it("holds the active Service although all else is done", () => {
    releaseV2({ autoPromotionEnabled: false });
    world.clock.advance(3_000);
    world.patchSpec(KEY, { paused: true });
    world.patchStatus(KEY, { pauseConditions: null });
    world.clock.advance(10_000);
    expect(status()).toMatchObject({ phase: "Paused", message: "manually paused" });
    expect(selected("active")).toBe(status().stableRS);
  });

  it("after the switch lets the analysis end, and comes to rest", () => {
    releaseV2({ post: "good" });
    world.clock.advance(1_000);
    world.patchSpec(KEY, { paused: true });
    world.clock.advance(60_000);
    expect(status()).toMatchObject({ phase: "Paused", message: "manually paused", stableRS: status().currentPodHash });
  });

  it("a change of replicas scales both versions all the same", () => {
    releaseV2({ autoPromotionEnabled: false });
    world.clock.advance(3_000);
    world.patchSpec(KEY, { replicas: 3 });
    world.clock.advance(3_000);
    const sizes = [status().stableRS, status().currentPodHash].map((hash) => replicaSetOf(world, KEY, hash)?.spec);
    expect(sizes.map((spec) => spec?.replicas)).toEqual([3, 3]);
  });
});

it("tells in Events what happened", () => {
  releaseV2({ autoPromotionEnabled: false, pre: "good" });
  world.clock.advance(10_000);
  world.patchStatus(KEY, { pauseConditions: null });
  world.clock.advance(15_000);
  const reasons = eventReasons(world, "app");
  for (const reason of ["RolloutUpdated", "NewReplicaSetCreated", "ScalingReplicaSet", "SwitchService"]) {
    expect(reasons).toContain(reason);
  }
  const order = ["RolloutNotCompleted", "AnalysisRunSuccessful", "RolloutPaused", "RolloutCompleted"];
  expect(reasons.filter((reason) => order.includes(reason)).slice(-4)).toEqual(order);
});
