import { describe, it } from "vitest";
import { GET as listAudit } from "../../app/api/v1/audit/route.ts";
import type { RealWorld } from "./real-world.ts";
import { pausesOf, poll, type RolloutStory, type Status, startStory } from "./rollout-story.ts";

const canary = {
  steps: [{ setWeight: 50 }, { pause: {} }, { setWeight: 60 }, { setWeight: 75 }, { pause: {} }, { setWeight: 100 }],
};
const atGate = (status: Status) => pausesOf(status).includes("CanaryPauseStep");

/** Checks that the audit log contains a change made to the rollout outside Gatehouse. */
async function found(world: RealWorld, { story, words }: { story: RolloutStory; words: RegExp }): Promise<void> {
  await poll({
    what: `the audit log tells what was done to ${story.name} from outside: ${words}`,
    read: () => world.call(listAudit, { path: `/api/v1/audit?name=${story.name}&namespace=${world.namespace}` }),
    fits: (answer) => words.test(JSON.stringify(answer)),
    withinMs: 30_000,
  });
}

export function describeOutside(world: () => RealWorld): void {
  describe("done without Gatehouse", () => {
    it("an undo as kubectl does it: the defaulted template of the ReplicaSet", async () => {
      const story = await startStory(world(), { name: "outside-undo", strategy: { canary } });
      const { stableRS } = await story.status();
      await story.release(world().target.images[1]);
      await story.until("at its gate", atGate);
      await story.seen("at its gate", ({ pauseConditions }) => pauseConditions.length > 0);
      const set = `/apis/apps/v1/namespaces/${world().namespace}/replicasets/${story.name}-${stableRS}`;
      const { spec } = await world().cluster.get(set);
      const template = structuredClone(spec?.template) as { metadata: { labels: Record<string, unknown> } };
      // A merge patch removes the label; everything else was defaulted by the API server.
      template.metadata.labels["rollouts-pod-template-hash"] = null;
      await world().cluster.patch(story.path, { spec: { template } });
      await story.until("back at the first version", ({ currentPodHash, phase }) => {
        return currentPodHash === stableRS && phase === "Healthy";
      });
      await found(world(), { story, words: /undo|rolled (it )?back/i });
    });

    it("a step that is skipped", async () => {
      const story = await startStory(world(), { name: "outside-skip", strategy: { canary } });
      await story.release(world().target.images[1]);
      await story.until("at its gate", atGate);
      await story.seen("at its gate", ({ pauseConditions }) => pauseConditions.length > 0);
      await world().cluster.patch(story.path, { status: { pauseConditions: null, currentStepIndex: 3 } }, "status");
      await story.until("at the second gate", (status) => status.currentStepIndex === 4 && atGate(status));
      await found(world(), { story, words: /skip/i });
    });

    it("an abort", async () => {
      const story = await startStory(world(), { name: "outside-abort", strategy: { canary } });
      await story.release(world().target.images[1]);
      await story.until("at its gate", atGate);
      await story.seen("at its gate", ({ pauseConditions }) => pauseConditions.length > 0);
      await world().cluster.patch(story.path, { status: { abort: true } }, "status");
      await story.until("aborted", ({ phase }) => phase === "Degraded");
      await found(world(), { story, words: /abort/i });
    });
  });
}
