import type { MetricSpec } from "#lib/domain/argo/analysis/types.ts";
import { POD_START_ANNOTATION } from "#sandbox/controllers/reconcile-replica-set.ts";
import { replicaSetOf } from "#sandbox/controllers/testing/sandbox-world.ts";
import { failed } from "#sandbox/scenarios/failed.ts";
import { flaggerHalted, flaggerPrimaryFails143 } from "#sandbox/scenarios/flagger/flagger-scenarios.ts";
import { flapping } from "#sandbox/scenarios/flapping.ts";
import { forced } from "#sandbox/scenarios/forced.ts";
import { inconclusiveBackground } from "#sandbox/scenarios/inconclusive-background.ts";
import { latencyP99, successRate, USUAL } from "#sandbox/scenarios/metrics.ts";
import { analysisOf } from "#sandbox/scenarios/scenario-objects.ts";
import type { Scenario } from "#sandbox/scenarios/scenario-types.ts";
import { singleReplica } from "#sandbox/scenarios/single-replica.ts";
import type { Story, StoryCluster } from "./play-story.ts";

const app = {
  namespace: "shop",
  name: "app",
  image: "registry.internal/shop/app",
  version: "v1",
  replicas: 4,
  templates: [],
  baseline: USUAL,
  behaviours: [],
  script: [{ when: "healthy", act: { release: "v2" } }],
} satisfies Scenario;

/** Waits for a person at half of the pods. */
const paused: Scenario = { ...app, strategy: { steps: [{ setWeight: 50 }, { pause: {} }] } };

/** Measures at half of the pods, by one template of these metrics. */
function measured(...metrics: MetricSpec[]): Scenario {
  return {
    ...app,
    strategy: { steps: [{ setWeight: 50 }, { analysis: analysisOf("app", "slo") }] },
    templates: [{ name: "slo", metrics }],
  };
}

/** Measures in the background of a release that takes about 10 s. */
function watched(metric: MetricSpec): Scenario {
  return {
    ...app,
    strategy: { analysis: analysisOf("app", "slo"), steps: [{ setWeight: 50 }, { pause: { duration: "5s" } }] },
    templates: [{ name: "slo", metrics: [metric] }],
  };
}

/** Pods of this version that are started from now on never become ready. */
function breakPodsOfStable({ world, key }: StoryCluster): void {
  const set = replicaSetOf(world, key, world.rollout(key).status.stableRS);
  if (set === undefined) throw new Error("no stable ReplicaSet");
  const annotations = { ...set.metadata.annotations, [POD_START_ANNOTATION]: "never" };
  world.store.update("replicasets", { ...set, metadata: { ...set.metadata, annotations } }, { manager: "test" });
}

function deleteRun({ world, key }: StoryCluster): void {
  const run = world.runs(key).at(-1);
  if (run === undefined) throw new Error("no run");
  world.store.delete("analysisruns", run.metadata.namespace ?? "", run.metadata.name);
}

const slow = { interval: "1s", count: 40, failureLimit: 1, inconclusiveLimit: 1 };
const hours = (count: number) => count * 3600;

/** For each rule about rollouts: a story that raises it, and one that nearly does. */
export const stories: readonly Story[] = [
  {
    rule: "inconclusive-ignored",
    name: "the controller promotes in spite of an Inconclusive background run",
    scenario: singleReplica,
    play: ({ pass }) => pass(60),
    found: [
      "inconclusive-ignored critical: The controller skipped the gate at step 6, then promoted revision 2 although the background analysis was Inconclusive",
    ],
  },
  {
    rule: "inconclusive-ignored",
    name: "nearly: the controller waits for a person",
    scenario: inconclusiveBackground,
    play: ({ pass }) => pass(600),
    found: [],
  },
  {
    rule: "traffic-after-abort",
    name: "the stable version's pods do not come back",
    scenario: paused,
    async play(cluster) {
      await cluster.pass(20);
      breakPodsOfStable(cluster);
      cluster.patchAsPerson({ abort: true });
      await cluster.pass(90);
    },
    found: [
      "out-of-band-act info: Abort was done outside Gatehouse with kubectl-argo-rollouts",
      "traffic-after-abort critical: Aborted, but revision 2 still gets 33 % of the traffic",
    ],
  },
  {
    rule: "traffic-after-abort",
    name: "nearly: they do",
    scenario: paused,
    async play({ pass, patchAsPerson }) {
      await pass(20);
      patchAsPerson({ abort: true });
      await pass(90);
    },
    found: ["out-of-band-act info: Abort was done outside Gatehouse with kubectl-argo-rollouts"],
  },
  {
    rule: "promotion-trouble",
    name: "Flagger's primary fails while it is promoted",
    scenario: flaggerPrimaryFails143,
    play: ({ pass }) => pass(150),
    found: [
      "promotion-trouble critical: The promotion failed, and all traffic is on the failed primary. The primary has no pods that serve. The canary has no pods either",
    ],
  },
  {
    rule: "promotion-trouble",
    name: "nearly: the analysis fails before that",
    scenario: flaggerHalted,
    play: ({ pass }) => pass(150),
    found: [],
  },
  {
    rule: "verdict-contradicts",
    name: "a run is Successful although every measurement failed",
    scenario: forced,
    play: ({ pass }) => pass(60),
    found: ["verdict-contradicts critical: Marked Successful, but its measurements disagree (step analysis of step 2)"],
  },
  {
    rule: "verdict-contradicts",
    name: "nearly: a run fails by its measurements",
    scenario: failed,
    play: ({ pass }) => pass(60),
    found: [],
  },
  {
    rule: "nothing-measured",
    name: "the release ends before the first measurement",
    scenario: watched(successRate({ interval: "1s", initialDelay: "5m", failureLimit: 1 })),
    play: ({ pass }) => pass(60),
    found: ["nothing-measured warning: Background analysis is Successful without a good measurement"],
  },
  {
    rule: "nothing-measured",
    name: "nearly: the first measurement comes in time",
    scenario: watched(successRate({ interval: "1s", initialDelay: "2s", failureLimit: 1 })),
    play: ({ pass }) => pass(60),
    found: [],
  },
  {
    rule: "measurements-lost",
    name: "nobody watched for more measurements than the controller keeps",
    scenario: measured(successRate(slow)),
    async play({ pass, whileNobodyWatches }) {
      await pass(10);
      await whileNobodyWatches(() => pass(20));
      await pass(60);
    },
    found: ["measurements-lost warning: Step analysis of step 2: 10 measurements were lost"],
  },
  {
    rule: "measurements-lost",
    name: "nearly: nobody watched for as many as it keeps",
    scenario: measured(successRate(slow)),
    async play({ pass, whileNobodyWatches }) {
      await pass(10);
      await whileNobodyWatches(() => pass(9));
      await pass(60);
    },
    found: [],
  },
  {
    rule: "run-recreated",
    name: "somebody deletes the run again and again",
    scenario: measured(successRate(slow)),
    async play(cluster) {
      await cluster.pass(10);
      for (let count = 0; count < 3; count++) {
        deleteRun(cluster);
        await cluster.pass(5);
      }
    },
    found: ["run-recreated warning: The controller started step analysis of step 2 of revision 2 4 times"],
  },
  {
    rule: "run-recreated",
    name: "nearly: somebody deletes it twice",
    scenario: measured(successRate(slow)),
    async play(cluster) {
      await cluster.pass(10);
      for (let count = 0; count < 2; count++) {
        deleteRun(cluster);
        await cluster.pass(5);
      }
    },
    found: [],
  },
  {
    rule: "waiting-too-long",
    name: "a pause waits for more than four hours",
    scenario: paused,
    play: ({ pass }) => pass(hours(4) + 30),
    found: ["waiting-too-long warning: Paused for more than 4 hours"],
  },
  {
    rule: "waiting-too-long",
    name: "nearly: for less",
    scenario: paused,
    play: ({ pass }) => pass(hours(4) - 30),
    found: [],
  },
  {
    rule: "out-of-band-act",
    name: "somebody promotes in full with the plugin",
    scenario: paused,
    async play({ pass, patchAsPerson }) {
      await pass(20);
      patchAsPerson({ promoteFull: true });
      await pass(30);
    },
    found: ["out-of-band-act warning: Promote fully was done outside Gatehouse with kubectl-argo-rollouts"],
  },
  {
    rule: "out-of-band-act",
    name: "nearly: somebody ends a pause with the plugin, which is ordinary work",
    scenario: paused,
    async play({ pass, patchAsPerson }) {
      await pass(20);
      patchAsPerson({ pauseConditions: undefined });
      await pass(30);
    },
    found: [],
  },
  {
    rule: "changed-mid-release",
    name: "another version comes while one has half of the pods",
    scenario: paused,
    async play({ pass, release }) {
      await pass(20);
      release("v3");
      await pass(30);
    },
    found: ["changed-mid-release warning: Revision 2 was replaced at step 2 of 2, before it was decided"],
  },
  {
    rule: "changed-mid-release",
    name: "nearly: the stable version comes back",
    scenario: paused,
    async play({ pass, release }) {
      await pass(20);
      release("v1");
      await pass(30);
    },
    found: ["out-of-band-act info: Roll back to a revision was done outside Gatehouse with test"],
  },
  {
    rule: "metric-flapping",
    name: "values go to and fro over the threshold",
    scenario: flapping,
    play: ({ pass }) => pass(60),
    found: ["metric-flapping info: success-rate is flapping: crossed its limit 8 times at step 2"],
  },
  {
    rule: "metric-flapping",
    name: "nearly: two bad values of many",
    scenario: {
      ...measured(latencyP99({ ...slow, failureLimit: 3 })),
      behaviours: [{ version: "v2", metrics: { "latency-p99": { center: 300, spread: 20, at: { 4: 700, 9: 800 } } } }],
    },
    play: ({ pass }) => pass(60),
    found: [],
  },
  {
    rule: "analysis-never-fails",
    name: "a metric without a condition",
    scenario: measured({ ...unconditional(), name: "requests" }),
    play: ({ pass }) => pass(60),
    found: ["analysis-never-fails info: requests of step analysis of step 2 can never fail"],
  },
  {
    rule: "analysis-never-fails",
    name: "nearly: with one",
    scenario: measured({ ...unconditional(), name: "requests", successCondition: "result[0] > 0" }),
    play: ({ pass }) => pass(60),
    found: [],
  },
];

function unconditional(): MetricSpec {
  const { successCondition, failureCondition, ...metric } = successRate({ interval: "1s", count: 5 });
  return metric;
}
