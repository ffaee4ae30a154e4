import { describe, expect, it } from "vitest";
import type { Finding } from "#lib/contract/finding.ts";
import { GET as listFindings } from "../../app/api/v1/findings/route.ts";
import type { RealWorld } from "./real-world.ts";
import { poll, putTemplate, type RolloutStory, type Status, setMetric, startStory, stays } from "./rollout-story.ts";
import { actWhen } from "./story-actions.ts";

const steps = [{ setWeight: 25 }, { setWeight: 50 }, { pause: {} }, { setWeight: 75 }, { pause: {} }];

/** Releases a version whose background run ends Inconclusive while a setWeight is under way. */
async function release(world: RealWorld, { name, minReadySeconds }: { name: string; minReadySeconds: number }) {
  await setMetric(world, name, 0.7);
  await putTemplate(world, { name, count: 50, inconclusiveLimit: 1 });
  const analysis = { templates: [{ templateName: name }], startingStep: 1 };
  const story = await startStory(world, {
    name,
    replicas: 4,
    strategy: { canary: { analysis, steps } },
    spec: { minReadySeconds },
  });
  await story.release(world.target.images[1]);
  return story;
}

async function findingsOf(world: RealWorld, name: string): Promise<Finding[]> {
  const path = `/api/v1/findings?name=${name}&namespace=${world.namespace}`;
  const { items } = await world.call(listFindings, { path });
  return items as unknown as Finding[];
}

async function waitForFinding(world: RealWorld, name: string, rules: readonly string[]): Promise<Finding> {
  const found = await poll({
    what: `a finding about ${name}`,
    read: async () => (await findingsOf(world, name)).find(({ rule }) => rules.includes(rule)),
    fits: (finding) => finding !== undefined,
    withinMs: 30_000,
  });
  if (found === undefined) throw new Error("no finding");
  return found;
}

const isPaused = async (story: RolloutStory): Promise<boolean> =>
  ((await story.read()).spec as { paused?: boolean } | undefined)?.paused === true;
const isInconclusive = ({ canary }: Status) => canary?.currentBackgroundAnalysisRunStatus?.status === "Inconclusive";

/** Describes what Gatehouse does about a background run that the controller is about to ignore. */
export function describeHold(world: () => RealWorld): void {
  describe("an Inconclusive background analysis that nobody answers", () => {
    it("without a hold the gate is passed, and a critical finding says so", async () => {
      const story = await release(world(), { name: "ignored-gate", minReadySeconds: 8 });
      await story.until("past the gate at step 2", ({ currentStepIndex }) => currentStepIndex === 3);
      const finding = await waitForFinding(world(), "ignored-gate", ["inconclusive-ignored"]);
      expect(finding).toMatchObject({ severity: "critical", state: "open", title: expect.stringContaining("step 3") });
      const version = finding.evidence.find(({ label }) => label === "Controller version");
      expect(version).toBeDefined();
    });

    it("with a hold the rollout stops before the gate, and a person lifts it", async () => {
      const story = await release(world(), { name: "held-gate", minReadySeconds: 8 });
      await story.until("Inconclusive", isInconclusive);
      await poll({ what: "the pause of Gatehouse", read: () => isPaused(story), fits: Boolean, withinMs: 10_000 });
      const { currentStepIndex = 0 } = await story.status();
      expect(currentStepIndex).toBeLessThanOrEqual(2);
      await stays("it is held", async () => (await story.status()).currentStepIndex === currentStepIndex, 12_000);
      const finding = await waitForFinding(world(), "held-gate", ["held-by-gatehouse"]);
      expect(finding).toMatchObject({ severity: "warning", state: "open" });
      expect((await findingsOf(world(), "held-gate")).map(({ rule }) => rule)).not.toContain("inconclusive-ignored");
      const { id } = await actWhen(world(), { story, action: "unpause", at: () => true });
      await world().actionIn(id, ["effective"]);
      await poll({
        what: "the finding is closed",
        read: () => findingsOf(world(), "held-gate"),
        fits: (all) => all.some(({ rule, state }) => rule === "held-by-gatehouse" && state === "closed"),
        withinMs: 20_000,
      });
    });

    it("is a race: what is not held in time is reported", async () => {
      const names = Array.from({ length: 10 }, (_, index) => `held-race-${index}`);
      // Pods count as available after a second: the controller goes on soon after the result.
      const stories = await Promise.all(names.map((name) => release(world(), { name, minReadySeconds: 1 })));
      await Promise.all(stories.map((story) => story.until("Inconclusive", isInconclusive)));
      const outcomes = await Promise.all(
        names.map(
          async (name) => (await waitForFinding(world(), name, ["held-by-gatehouse", "inconclusive-ignored"])).rule,
        ),
      );
      await stays("nothing moves any more", async () => true, 5_000);
      const indices = await Promise.all(stories.map(async (story) => (await story.status()).currentStepIndex ?? 0));
      const inTime = indices.filter((index) => index <= 2).length;
      const { rows } = await world().query<{ ms: number }>(
        `SELECT extract(epoch FROM h.settled_at - o.observed_at)::float8 * 1000 AS ms FROM hold h
           JOIN LATERAL (SELECT max(observed_at) AS observed_at FROM observation x
             WHERE x.rollout_id = h.rollout_id AND x.observed_at <= h.wanted_at) o ON true
           WHERE h.outcome = 'placed' ORDER BY 1`,
      );
      const times = rows.map(({ ms }) => Math.round(ms));
      process.stdout.write(
        `holds: before the gate in ${inTime} of ${names.length}; ms from the result to the pause: ${times.join(" ")}\n`,
      );
      expect(outcomes).toHaveLength(names.length);
      for (const [index, name] of names.entries())
        if ((indices[index] ?? 0) > 2) await waitForFinding(world(), name, ["inconclusive-ignored"]);
    });
  });
}
