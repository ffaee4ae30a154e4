import { describe, expect, it } from "vitest";
import { readActionFacts } from "#lib/domain/argo/plan/action-facts.ts";
import { planAction } from "#lib/domain/argo/plan/plan-action.ts";
import { type Json, pause, rolloutFrom } from "#lib/domain/argo/plan/testing/plan-samples.ts";

function rolloutOf(images: string[], strategy: Json = { canary: { steps: [{ setWeight: 25 }, { pause: {} }] } }) {
  return rolloutFrom({
    spec: { strategy, template: { spec: { containers: images.map((image) => ({ image })) } } },
    status: { ...pause("CanaryPauseStep"), currentStepIndex: 1, currentPodHash: "7f6d", stableRS: "5c9b" },
  });
}

const canary = { image: "registry/shop:v2.31.0", tags: ["canary"] };
const stable = { image: "registry/shop:v2.30.4", tags: ["stable"] };
const sidecar = { image: "registry:5000/proxy:1.2", tags: ["canary", "stable"] };

describe("what sentences call the versions", () => {
  it.each([
    { name: "by tags", images: [canary, stable], next: "v2.31.0", serves: "v2.30.4" },
    { name: "without the sidecar of both", images: [sidecar, canary, stable], next: "v2.31.0", serves: "v2.30.4" },
    {
      name: "by the template while no pod runs",
      template: ["shop:v3"],
      images: [stable],
      next: "v3",
      serves: "v2.30.4",
    },
    {
      name: "by the beginning of a digest",
      images: [
        { image: `shop@sha256:${"a1".repeat(32)}`, tags: ["preview"] },
        { ...stable, tags: ["active"] },
      ],
      next: "sha256:a1a1a1a1a1a1",
      serves: "v2.30.4",
    },
    {
      name: "by the hash if both run the same",
      template: ["shop:v1"],
      images: [{ image: "shop:v1", tags: ["stable"] }],
      next: "7f6d",
      serves: "5c9b",
    },
    {
      name: "with the hash if both tags are equal",
      images: [
        { image: "a/shop:latest", tags: ["canary"] },
        { image: "b/shop:latest", tags: ["stable"] },
      ],
      next: "latest (7f6d)",
      serves: "latest (5c9b)",
    },
    { name: "by the hash if nothing is known", images: [], next: "7f6d", serves: "5c9b" },
    {
      name: "by the hash if too many change",
      images: ["a:1", "b:2", "c:3"].map((image) => ({ image, tags: ["canary"] })),
      next: "7f6d",
      serves: "5c9b",
    },
  ])("$name", ({ template = [], images, next, serves }) => {
    const { newVersion, stableVersion } = readActionFacts(rolloutOf(template), images);
    expect([newVersion, stableVersion]).toEqual([next, serves]);
  });

  it("are in the sentence of an abort", () => {
    const rollout = rolloutOf([]);
    expect(planAction({ action: "abort", rollout, now: new Date(), images: [canary, stable] })).toMatchObject({
      effect: expect.stringMatching(
        /^The update to v2\.31\.0 stops at step 2 of 2\. .* returns to the stable version v2\.30\.4/,
      ),
    });
  });
});
