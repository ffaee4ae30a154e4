// @vitest-environment jsdom
import { NuqsTestingAdapter } from "nuqs/adapters/testing";
import { act } from "react";
import { expect, it } from "vitest";
import { ReplicaSets } from "#components/rollouts/replica-sets.tsx";
import answers from "#lib/contract/examples/answers.json" with { type: "json" };
import type { RolloutDetail } from "#lib/contract/rollout.ts";
import { setUpReactRoot } from "#test/react-root.tsx";

const { render } = setUpReactRoot();

type ReplicaSet = RolloutDetail["replicaSets"][number];

function setOf(revision: number, { tags = [], replicas = 0 }: Partial<ReplicaSet> = {}): ReplicaSet {
  return {
    ...{ name: `app-${revision}`, revision, podHash: `hash-${revision}`, tags, replicas, available: 0 },
    images: [`registry.example.com/app:v${revision}`],
    pods: { total: replicas, ready: replicas, restarts: 0 },
  };
}

async function open(replicaSets: RolloutDetail["replicaSets"]) {
  const rollout = { ...(answers.getRollout as RolloutDetail), replicaSets };
  await render(
    <NuqsTestingAdapter searchParams="" hasMemory>
      <ReplicaSets rollout={rollout} />
    </NuqsTestingAdapter>,
  );
  return () => [...document.querySelectorAll("tbody th")].map((cell) => cell.querySelector("button")?.textContent);
}

it("folds earlier revisions without pods, and shows them on demand", async () => {
  const revisions = await open([
    setOf(4, { tags: ["stable"], replicas: 2 }),
    setOf(3, { replicas: 1 }),
    setOf(2),
    setOf(1),
  ]);
  expect(revisions()).toEqual(["4", "3"]);
  const button = [...document.querySelectorAll("button")].find(
    ({ textContent }) => textContent === "Show 2 old ReplicaSets",
  );
  await act(async () => button?.click());
  expect(revisions()).toEqual(["4", "3", "2", "1"]);
});

it("does not fold a single one", async () => {
  const revisions = await open([setOf(2, { tags: ["stable"], replicas: 2 }), setOf(1)]);
  expect(revisions()).toEqual(["2", "1"]);
});
