import { describe, expect, it } from "vitest";
import { describePromotion } from "#components/rollouts/blue-green-panel.tsx";
import type { RolloutDetail } from "#lib/contract/rollout.ts";

const nowMs = Date.parse("2026-11-20T12:00:00Z");

const blueGreen: NonNullable<RolloutDetail["blueGreen"]> = {
  activeService: "login-active",
  previewService: "login-preview",
  promotion: "person",
  promotesAt: null,
  autoPromotionSeconds: null,
  scaleDownDelaySeconds: 20,
};

const set = (tags: string[], total = 3): RolloutDetail["replicaSets"][number] => ({
  name: `login-${tags.join("-")}`,
  revision: 1,
  podHash: "x",
  tags,
  images: [],
  replicas: total,
  available: total,
  pods: { total, ready: total, restarts: 0 },
});

const pause = [{ reason: "BlueGreenPause", startTime: null }];
const previewed = [set(["preview"]), set(["stable", "active"])];
const switched = [set(["stable", "active"]), set([])];
const run = (role: "prePromotion" | "postPromotion") => [
  { role, name: "r", uid: null, phase: "Running" as const, message: "" },
];
const timed = { ...blueGreen, promotion: "timed" as const, autoPromotionSeconds: 90 };

describe("describePromotion", () => {
  it.each([
    {
      name: "a person is to promote",
      rollout: { pauseConditions: pause },
      state: "waiting",
      words: "Ready for promotion.",
    },
    {
      name: "a time runs",
      rollout: { blueGreen: { ...timed, promotesAt: "2026-11-20T12:00:34.000Z" }, pauseConditions: pause },
      state: "timed",
      words: "The preview is ready and will be promoted automatically in 34 s.",
    },
    {
      name: "the time is up",
      rollout: { blueGreen: { ...timed, promotesAt: "2026-11-20T11:59:59.000Z" }, pauseConditions: pause },
      state: "timed",
      words: "The preview is ready; automatic promotion is due.",
    },
    {
      name: "when is not known",
      rollout: { blueGreen: timed, pauseConditions: pause },
      state: "timed",
      words: "The preview is ready. It is promoted automatically 1 min 30 s after it is ready.",
    },
    {
      name: "analysis before promotion",
      rollout: { currentRuns: run("prePromotion") },
      state: "running",
      words: "Analyzing the preview. Then it waits for a person to promote it.",
    },
    {
      name: "an inconclusive analysis outranks the promotion",
      rollout: { pauseConditions: [{ reason: "InconclusiveAnalysisRun", startTime: null }, ...pause] },
      state: "inconclusive",
      words: "Pre-promotion analysis ended Inconclusive; waiting for a person.",
    },
    {
      name: "the preview starts",
      rollout: { blueGreen: { ...blueGreen, promotion: "immediate" as const } },
      state: "running",
      words: "Preparing the preview. It is promoted automatically once it is ready.",
    },
    {
      name: "analysis after promotion",
      rollout: { replicaSets: switched, currentRuns: run("postPromotion") },
      state: "running",
      words: "Promoted. Post-promotion analysis is in progress.",
    },
    {
      name: "the version before is still there",
      rollout: { replicaSets: switched },
      state: "timed",
      words: "Promoted. The previous version is kept for 20 s after the switch, then scaled down.",
    },
    {
      name: "aborted",
      rollout: { aborted: true },
      state: "failed",
      words: "Aborted: the active version stays.",
    },
  ])("$name", ({ rollout, state, words }) => {
    const facts = {
      blueGreen,
      replicaSets: previewed,
      pauseConditions: [],
      currentRuns: [],
      aborted: false,
      ...rollout,
    };
    expect(describePromotion(facts, nowMs)).toEqual({ state, words });
  });

  it("has nothing to say where there is one version only, or no blue-green", () => {
    const alone = {
      blueGreen,
      replicaSets: [set(["stable", "active"]), set([], 0)],
      pauseConditions: [],
      currentRuns: [],
      aborted: false,
    };
    expect(describePromotion(alone, nowMs)).toBeUndefined();
    expect(describePromotion({ ...alone, blueGreen: null, replicaSets: previewed }, nowMs)).toBeUndefined();
  });
});
