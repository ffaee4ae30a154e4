import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import type { RealTarget } from "./real-target.ts";
import type { RealWorld } from "./real-world.ts";
import { pausesOf, poll, putTemplate, type RolloutStory, type Status, startStory, stays } from "./rollout-story.ts";
import { actWhen } from "./story-actions.ts";

const shell = promisify(execFile);
const canary = { steps: [{ setWeight: 50 }, { pause: {} }, { setWeight: 100 }] };
const atGate = (status: Status) => pausesOf(status).includes("CanaryPauseStep");

type Hook = keyof RealTarget["hooks"];

async function runHook({ target }: RealWorld, hook: Hook): Promise<void> {
  await shell("sh", ["-c", target.hooks[hook] ?? "false"], { timeout: 120_000 });
}

/** Starts a release whose step is analysed for about a minute. */
async function startMeasured(world: RealWorld, name: string): Promise<RolloutStory> {
  await putTemplate(world, { name, count: 30 });
  const steps = [{ setWeight: 50 }, { analysis: { templates: [{ templateName: name }] } }, { pause: {} }];
  const story = await startStory(world, { name, strategy: { canary: { steps } } });
  await story.release(world.target.images[1]);
  await story.seen("its run has measured", ({ currentRuns: [run] }) => run?.phase === "Running");
  return story;
}

const isMeasured = (status: Status) => status.currentStepIndex === 2 && pausesOf(status).length > 0;

export function describeOutages(world: () => RealWorld, env: NodeJS.ProcessEnv = process.env): void {
  const hasController =
    env.GATEHOUSE_REAL_STOP_CONTROLLER !== undefined && env.GATEHOUSE_REAL_START_CONTROLLER !== undefined;
  const hasApiServer =
    env.GATEHOUSE_REAL_KILL_API_SERVER !== undefined && env.GATEHOUSE_REAL_START_API_SERVER !== undefined;

  describe("outages", () => {
    it("the recorder is killed (-9) while runs are measured, and comes back", async () => {
      const story = await startMeasured(world(), "recorder-killed");
      await world().restartRecorder();
      await story.until("measured to the end", isMeasured, 120_000);
      await story.seen("at the gate behind the analysis", ({ pauseConditions }) => pauseConditions.length > 0);
    });

    it.skipIf(!hasController)("without a controller nothing is effective; when it is back, it is", async () => {
      const story = await startStory(world(), { name: "controller-away", strategy: { canary } });
      await story.release(world().target.images[1]);
      await story.until("at its gate", atGate);
      await runHook(world(), "stopController");
      let id: string;
      try {
        ({ id } = await actWhen(world(), { story, action: "continue", at: atGate }));
        await stays(
          "no effect without a controller",
          async () => {
            return (await world().actionIn(id, ["applied", "not-effective"], 5_000)).state !== "effective";
          },
          20_000,
        );
      } finally {
        await runHook(world(), "startController");
      }
      await story.until("healthy", ({ phase, stableRS, currentPodHash }) => {
        return phase === "Healthy" && stableRS === currentPodHash;
      });
      await world().actionIn(id, ["effective"], 120_000);
    });

    it.skipIf(!hasApiServer)("the API server is killed while runs are measured, and comes back", async () => {
      const story = await startMeasured(world(), "server-killed");
      const outage = { fromMs: Date.now(), toMs: Number.POSITIVE_INFINITY };
      world().outages.push(outage);
      await runHook(world(), "killApiServer");
      await runHook(world(), "startApiServer");
      await poll({
        what: "the API server answers again",
        read: () => story.status(),
        fits: () => true,
        withinMs: 120_000,
      });
      await story.until("measured to the end", isMeasured, 180_000);
      await story.seen("at the gate behind the analysis", ({ pauseConditions }) => pauseConditions.length > 0);
      outage.toMs = Date.now();
      expect(world().watch.breaks()).toBeGreaterThan(0);
    });
  });
}
