import { describe, expect, it } from "vitest";
import type { Release } from "#lib/contract/rollout.ts";
import { GET as listExperiments } from "../../app/api/v1/experiments/route.ts";
import { GET as listReleases } from "../../app/api/v1/rollouts/[cluster]/[namespace]/[kind]/[name]/releases/route.ts";
import type { RealWorld } from "./real-world.ts";
import { pausesOf, poll, putTemplate, startStory } from "./rollout-story.ts";
import { actWhen } from "./story-actions.ts";

export async function releasesOf(world: RealWorld, name: string, kind = "Rollout"): Promise<Release[]> {
  const params = world.paramsOf(name, kind);
  return ((await world.call(listReleases, { params })) as unknown as { items: Release[] }).items;
}

export function describeStrategies(world: () => RealWorld): void {
  describe("other strategies and stories", () => {
    it("blue-green: analysed, promoted by a person, and both Services on the new version", async () => {
      const name = "blue";
      for (const service of [name, `${name}-preview`])
        await world().cluster.create(`/api/v1/namespaces/${world().namespace}/services`, {
          apiVersion: "v1",
          kind: "Service",
          metadata: { name: service },
          spec: { selector: { app: name }, ports: [{ port: 80 }] },
        });
      await putTemplate(world(), { name });
      const prePromotionAnalysis = { templates: [{ templateName: name }] };
      const services = { activeService: name, previewService: `${name}-preview` };
      const blueGreen = { ...services, autoPromotionEnabled: false, prePromotionAnalysis };
      const story = await startStory(world(), { name, strategy: { blueGreen } });
      const { stableRS } = await story.status();
      await story.release(world().target.images[1]);
      const at = (status: Parameters<typeof pausesOf>[0]) => pausesOf(status).includes("BlueGreenPause");
      const { id } = await actWhen(world(), { story, action: "continue", at });
      await world().actionIn(id, ["effective"]);
      const done = await story.until("healthy at the new version", ({ phase, stableRS: now }) => {
        return phase === "Healthy" && now !== stableRS;
      });
      expect(done.blueGreen?.activeSelector).toBe(done.currentPodHash);
    });

    it("an experiment step with an analysis: recorded, and the release goes on", async () => {
      const name = "trial";
      await putTemplate(world(), { name });
      const analyses = [{ name: "compare", templateName: name, requiredForCompletion: true }];
      const experiment = { templates: [{ name: "canary", specRef: "canary", replicas: 1 }], analyses };
      const steps = [{ setWeight: 50 }, { experiment }, { pause: {} }];
      const story = await startStory(world(), { name, strategy: { canary: { steps } } });
      await story.release(world().target.images[1]);
      await story.until(
        "past the experiment",
        (status) => status.currentStepIndex === 2 && pausesOf(status).length > 0,
      );
      await poll({
        what: "the experiment is recorded as Successful",
        read: () => world().call(listExperiments, {}),
        fits: (answer) => JSON.stringify(answer).includes("Successful"),
      });
    });

    it("a superseded release keeps its own revision and image", async () => {
      const name = "superseded";
      const canary = { steps: [{ setWeight: 50 }, { pause: {} }, { setWeight: 100 }] };
      const story = await startStory(world(), { name, strategy: { canary } });
      const [first, second, third] = world().target.images;
      await story.release(second);
      const { currentPodHash } = await story.until("at its gate", (status) => pausesOf(status).length > 0);
      await story.seen("at its gate", ({ pauseConditions }) => pauseConditions.length > 0);
      await story.release(third);
      await story.until("the third version at its gate", (status) => {
        return status.currentPodHash !== currentPodHash && pausesOf(status).length > 0;
      });
      const releases = await poll({
        what: "the second release is superseded",
        read: () => releasesOf(world(), name),
        fits: ([newest, before, ...rest]) =>
          newest?.state === "paused" && before?.state === "superseded" && rest.length === 1,
      });
      const reported = releases.map(({ revision, state, images, runKey }) => ({
        revision,
        state,
        image: images[0],
        runKey,
      }));
      expect(reported).toEqual([
        { revision: 3, state: "paused", image: third, runKey: expect.not.stringMatching(`^${currentPodHash}$`) },
        { revision: 2, state: "superseded", image: second, runKey: currentPodHash },
        { revision: 1, state: "promoted", image: first, runKey: expect.any(String) },
      ]);
    });
  });
}
