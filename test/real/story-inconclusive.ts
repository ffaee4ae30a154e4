import { describe, expect, it } from "vitest";
import { GET as getTimeline } from "../../app/api/v1/rollouts/[cluster]/[namespace]/[kind]/[name]/timeline/route.ts";
import type { RealWorld } from "./real-world.ts";
import { pausesOf, poll, putTemplate, type Status, setMetric, startStory, stays } from "./rollout-story.ts";
import { actWhen } from "./story-actions.ts";

/** Describes the effect of an Inconclusive background run on later pause steps: it pauses, but holds no gate. */
export function describeInconclusive(world: () => RealWorld): void {
  describe("background analysis Inconclusive", () => {
    it("accepting the step holds the human gate behind it", async () => {
      const name = "inc-both";
      await putTemplate(world(), { name, count: 50, inconclusiveLimit: 1 });
      await putTemplate(world(), { name: `${name}-step`, count: 3, inconclusiveLimit: 1 });
      await setMetric(world(), `${name}-step`, 0.7);
      const templates = [{ templateName: name }];
      const step = { analysis: { templates: [{ templateName: `${name}-step` }] } };
      const steps = [{ setWeight: 50 }, step, { pause: {} }, { setWeight: 100 }, { pause: {} }];
      const story = await startStory(world(), { name, strategy: { canary: { analysis: { templates }, steps } } });
      await story.release(world().target.images[1]);
      // The background run must end after the step's: if it ended first, the step's run would never begin.
      await story.until("the step's run is Inconclusive", (status) => pausesOf(status).length > 0);
      await setMetric(world(), name, 0.7);
      const isBoth = ({ canary }: Status) => canary?.currentBackgroundAnalysisRunStatus?.status === "Inconclusive";
      const { id } = await actWhen(world(), { story, action: "accept-step", at: isBoth });
      await world().actionIn(id, ["effective"]);
      await stays(
        "the gate at step 2 is held for a person",
        async () => {
          const status = await story.status();
          return status.currentStepIndex === 2 && pausesOf(status).includes("CanaryPauseStep");
        },
        8_000,
      );
    });

    it("while a setWeight is under way, the controller passes the gate by itself, and Gatehouse says so", async () => {
      const name = "inc-gate";
      await setMetric(world(), name, 0.7);
      await putTemplate(world(), { name, count: 50, inconclusiveLimit: 1 });
      const analysis = { templates: [{ templateName: name }], startingStep: 1 };
      const steps = [{ setWeight: 25 }, { setWeight: 50 }, { pause: {} }, { setWeight: 75 }, { pause: {} }];
      const story = await startStory(world(), {
        name,
        replicas: 4,
        strategy: { canary: { analysis, steps } },
        // Only then do pods count as available, on any cluster.
        spec: { minReadySeconds: 8 },
      });
      await story.release(world().target.images[1]);
      const passed = await story.until("past the gate at step 2", ({ currentStepIndex }) => currentStepIndex === 3);
      expect(pausesOf(passed)).toEqual(["InconclusiveAnalysisRun"]);
      const params = { cluster: "real", namespace: world().namespace, kind: "Rollout", name };
      await poll({
        what: "the timeline says that the gate was skipped by the controller",
        read: () => world().call(getTimeline, { params }),
        fits: (timeline) => /skipped by the controller/.test(JSON.stringify(timeline)),
        withinMs: 20_000,
      });
    });

    it("in a timed pause, both reasons stand until the time is over, and then the next setWeight waits", async () => {
      const name = "inc-timed";
      await setMetric(world(), name, 0.7);
      await putTemplate(world(), { name, count: 50, inconclusiveLimit: 1 });
      const analysis = { templates: [{ templateName: name }], startingStep: 1 };
      const steps = [{ setWeight: 50 }, { pause: { duration: "10s" } }, { setWeight: 100 }, { pause: {} }];
      const story = await startStory(world(), { name, strategy: { canary: { analysis, steps } } });
      await story.release(world().target.images[1]);
      await story.seen("both reasons", ({ pauseConditions }) => pauseConditions.length === 2);
      const past = await story.until("past the timed pause", ({ currentStepIndex }) => currentStepIndex === 2);
      expect(pausesOf(past)).toEqual(["InconclusiveAnalysisRun"]);
      await setMetric(world(), name, 1);
      const { id } = await actWhen(world(), {
        story,
        action: "continue-waive",
        at: ({ currentStepIndex }) => currentStepIndex === 2,
      });
      await world().actionIn(id, ["effective"]);
      await story.until(
        "held at the last gate",
        (status) => status.currentStepIndex === 3 && pausesOf(status).length > 0,
      );
    });
  });
}
