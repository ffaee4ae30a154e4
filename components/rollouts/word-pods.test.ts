import { expect, it } from "vitest";
import { wordPods } from "#components/rollouts/word-pods.ts";

type Facts = Parameters<typeof wordPods>[0];

const counts = { desired: 5, current: 7, updated: 2, ready: 7, available: 7 };

function replicaSetOf(
  podHash: string,
  version: string,
  tags: string[],
  available: number,
): Facts["replicaSets"][number] {
  const images = [`shop/app:${version}`];
  const pods = { total: available, ready: available, restarts: 0 };
  return { name: podHash, revision: 1, podHash, tags, images, replicas: available, available, pods };
}

const argo: Facts = {
  kind: "Rollout",
  strategy: "Canary",
  revisionKey: "new",
  stableRevisionKey: "old",
  replicas: counts,
  replicaSets: [replicaSetOf("new", "v2", ["canary"], 2), replicaSetOf("old", "v1", ["stable"], 5)],
  images: [],
  workload: null,
};
const recorded = { images: [], desired: 2, replicas: 2, ready: 2, available: 2, presence: "live" as const };
const flagger: Facts = {
  ...argo,
  kind: "Canary",
  replicas: { ...counts, available: 4 },
  replicaSets: [],
  images: [
    { image: "shop/app:v2", tags: ["canary"] },
    { image: "shop/app:v1", tags: ["stable"] },
  ],
  workload: { kind: "Deployment", name: "app", recorded },
};

type Case = { name: string; facts: Facts; words: string };
const cases: Case[] = [
  { name: "a canary of Argo Rollouts", facts: argo, words: "v2: 2 available · stable v1: 5 available" },
  {
    name: "blue-green before the switch",
    facts: {
      ...argo,
      strategy: "BlueGreen",
      replicaSets: [replicaSetOf("new", "v2", ["preview"], 3), replicaSetOf("old", "v1", ["stable", "active"], 3)],
    },
    words: "preview v2: 3 available · active v1: 3 available",
  },
  {
    name: "blue-green after the switch",
    facts: {
      ...argo,
      strategy: "BlueGreen",
      replicaSets: [replicaSetOf("new", "v2", ["active", "preview"], 3), replicaSetOf("old", "v1", ["stable"], 3)],
    },
    words: "active v2: 3 available · stable v1: 3 available",
  },
  { name: "a canary of Flagger", facts: flagger, words: "v2: 2 available · stable v1: 2 available" },
  {
    name: "a target that is not recorded",
    facts: { ...flagger, workload: { kind: "DaemonSet", name: "app", recorded: null } },
    words: "4 available in all",
  },
  {
    name: "a primary that is not recorded",
    facts: { ...flagger, replicas: { ...counts, available: 2 }, images: [{ image: "shop/app:v2", tags: ["canary"] }] },
    words: "v2: 2 available · stable old: unknown",
  },
  {
    name: "a new version without pods",
    facts: { ...argo, replicaSets: [replicaSetOf("new", "v2", [], 0), replicaSetOf("old", "v1", ["stable"], 5)] },
    words: "v2: 0 available · stable v1: 5 available",
  },
  {
    name: "one version only",
    facts: { ...argo, revisionKey: "old", replicas: { ...counts, available: 4 } },
    words: "4 of 5 available",
  },
];

it.each(cases)("words the pods of $name", ({ facts, words }) => {
  expect(wordPods(facts)).toBe(words);
});
