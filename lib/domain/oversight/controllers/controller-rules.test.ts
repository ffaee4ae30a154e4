import { describe, expect, it } from "vitest";
import { assessController } from "#lib/domain/controllers/assess-controller.ts";
import type { ControllerFacts } from "#lib/domain/controllers/facts.ts";
import type { Rule } from "#lib/domain/oversight/rule.ts";
import { controllerDown } from "./controller-down.ts";
import { controllerRules } from "./controller-rules.ts";
import { knownDefect } from "./known-defect.ts";
import { reconcileErrors } from "./reconcile-errors.ts";
import { ago, controllerFacts, failedScrape, scrape, series, workload } from "./testing/facts.ts";

/** What was found, as `severity key: title`. */
function find(rule: Rule<ControllerFacts>, facts: ControllerFacts): string[] {
  return rule.find(facts).map(({ severity, key, title }) => `${severity} ${key}: ${title}`);
}

type Case = { name: string; change: Partial<ControllerFacts>; state: string; found: string[] };
const failing = { state: "failing", message: "the probe answered 503", since: ago(30) } as const;
const down = "warning down: Its metrics endpoint does not answer";

const downCases: Case[] = [
  { name: "answers", change: {}, state: "up answers", found: [] },
  { name: "failed one scrape", change: { scrape: failedScrape(1) }, state: "unknown one-failure", found: [] },
  { name: "failed two scrapes", change: { scrape: failedScrape(2) }, state: "down not-answering", found: [down] },
  {
    name: "failed two scrapes, and its pods are ready",
    change: { scrape: failedScrape(2), workloads: [workload(1, 1)] },
    ...{ state: "down not-answering", found: [down] },
  },
  {
    name: "failed two scrapes, and no pod is ready",
    change: { scrape: failedScrape(2), workloads: [workload(0, 1)] },
    state: "down not-answering",
    found: ["critical down: Its metrics endpoint does not answer"],
  },
  {
    name: "was scaled to 0 by somebody",
    change: { scrape: failedScrape(9), workloads: [workload(0, 0)] },
    ...{ state: "down scaled-down", found: [] },
  },
  {
    name: "has an unwell probe",
    change: { scrape: scrape({ probe: failing }) },
    state: "unwell probe-failing",
    found: ["warning down: Its probe says that it is not well"],
  },
  {
    name: "has no probe there",
    change: { scrape: scrape({ probe: { ...failing, state: "absent" } }) },
    ...{ state: "up answers", found: [] },
  },
  {
    name: "vanished from the Prometheus",
    change: { via: "prometheus", scrape: failedScrape(3, "not-found") },
    state: "unknown not-in-prometheus",
    found: ["warning down: Its metrics are no longer in the Prometheus that had them"],
  },
  {
    name: "was not scraped lately",
    change: { scrape: scrape({ at: ago(120) }) },
    ...{ state: "unknown not-asked", found: [] },
  },
  {
    name: "is known by its ready pods only",
    change: { via: undefined, scrape: undefined, workloads: [workload(1, 2)] },
    ...{ state: "up pods-ready", found: [] },
  },
  {
    name: "is known by its pods only, and none is ready",
    change: { via: undefined, scrape: undefined, workloads: [workload(0, 2)] },
    state: "down no-pods",
    found: ["critical down: None of its pods is ready"],
  },
  {
    name: "is not known at all",
    change: { via: undefined, scrape: undefined },
    ...{ state: "unknown not-configured", found: [] },
  },
];

describe("a controller that", () => {
  it.each(downCases)("$name", ({ change, state, found }) => {
    const facts = controllerFacts("argo-rollouts", change);
    const assessed = assessController(facts);
    expect(`${assessed.state} ${assessed.reason}`).toBe(state);
    expect(find(controllerDown, facts)).toEqual(found);
  });
});

const version = (text: string) => ({ scrape: scrape({ version: text }) });
const defectCases: { name: string; component: string; change: Partial<ControllerFacts>; found: string[] }[] = [
  {
    name: "1.7.2",
    component: "argo-rollouts",
    change: version("v1.7.2+59e5bd3"),
    found: ["warning background-inconclusive-ignored 1.7.2"],
  },
  {
    name: "1.8.1",
    component: "argo-rollouts",
    change: version("1.8.1"),
    found: ["warning background-inconclusive-ignored 1.8.1"],
  },
  {
    name: "a pre-release of 1.8.2",
    component: "argo-rollouts",
    change: version("v1.8.2-rc1"),
    found: ["warning background-inconclusive-ignored 1.8.2-rc1"],
  },
  {
    name: "1.8.2",
    component: "argo-rollouts",
    change: version("v1.8.2"),
    found: ["info pause-skipped-after-inconclusive 1.8.2"],
  },
  {
    name: "1.10.2",
    component: "argo-rollouts",
    change: version("v1.10.2"),
    found: ["info pause-skipped-after-inconclusive 1.10.2"],
  },
  {
    name: "an image of 1.9.3 without metrics",
    component: "argo-rollouts",
    change: { scrape: undefined, workloads: [workload(1, 1, "v1.9.3")] },
    found: ["info pause-skipped-after-inconclusive 1.9.3"],
  },
  {
    name: "an unknown version",
    component: "argo-rollouts",
    change: version("99.99.99-unknown"),
    found: ["info pause-skipped-after-inconclusive 99.99.99-unknown"],
  },
  {
    name: "a version without numbers",
    component: "argo-rollouts",
    change: { scrape: undefined, workloads: [workload(1, 1, "latest")] },
    found: [],
  },
  {
    name: "images that disagree",
    component: "argo-rollouts",
    change: { scrape: undefined, workloads: [workload(1, 1, "v1.7.0"), workload(1, 1, "v1.9.3")] },
    found: [],
  },
  {
    name: "Flagger 1.35.0",
    component: "flagger",
    change: version("1.35.0"),
    found: ["warning promotion-stuck 1.35.0"],
  },
  {
    name: "Flagger 1.43.0",
    component: "flagger",
    change: version("1.43.0"),
    found: ["warning promotion-failure-outage 1.43.0"],
  },
  {
    name: "Flagger 1.44.0",
    component: "flagger",
    change: version("1.44.0"),
    found: ["info promotion-failure-canary-serves 1.44.0"],
  },
  { name: "Prow", component: "tide", change: { workloads: [workload(1, 1, "v20260821-a61940897")] }, found: [] },
];

describe("defects of", () => {
  it.each(defectCases)("$name", ({ component, change, found }) => {
    const all = knownDefect.find(controllerFacts(component, change));
    expect(all.map(({ severity, key }) => `${severity} ${key}`)).toEqual(found);
    for (const { evidence } of all)
      expect(evidence.some(({ label, value }) => label === "Source" && value !== "")).toBe(true);
  });
});

const marks = series("scrape-duration", [
  [600, 0.01],
  [315, 0.01],
  [300, 0.01],
  [15, 0.01],
  [0, 0.01],
]);
const work = (count: number) =>
  series(
    "reconcile",
    [
      [315, 0],
      [0, count],
    ],
    { of: "count" },
  );
const errorCases: { name: string; samples: ControllerFacts["samples"]; found: string[] }[] = [
  { name: "no samples", samples: [], found: [] },
  {
    name: "few errors",
    samples: [
      marks,
      series("reconcile-errors", [
        [300, 100],
        [0, 109],
      ]),
    ],
    found: [],
  },
  {
    name: "errors of long ago",
    samples: [
      marks,
      series("reconcile-errors", [
        [600, 0],
        [400, 90],
        [0, 90],
      ]),
    ],
    found: [],
  },
  {
    name: "many errors",
    samples: [
      marks,
      series("reconcile-errors", [
        [300, 100],
        [0, 112],
      ]),
    ],
    found: ["Reconcile errors: at least 10 within five minutes"],
  },
  {
    name: "many errors, of few reconciles",
    samples: [
      marks,
      series("reconcile-errors", [
        [300, 100],
        [0, 112],
      ]),
      work(40),
    ],
    found: ["Reconcile errors: at least 10 within five minutes"],
  },
  {
    name: "many errors, of far more reconciles",
    samples: [
      marks,
      series("reconcile-errors", [
        [300, 100],
        [0, 112],
      ]),
      work(4000),
    ],
    found: [],
  },
  {
    name: "a counter that appears with many errors",
    samples: [marks, series("reconcile-errors", [[0, 30]])],
    found: ["Reconcile errors: at least 10 within five minutes"],
  },
  { name: "a counter that was never seen before", samples: [series("reconcile-errors", [[0, 3000]])], found: [] },
  {
    name: "a restart",
    samples: [
      marks,
      series("reconcile-errors", [
        [300, 5000],
        [0, 3],
      ]),
    ],
    found: [],
  },
];

describe("reconcile errors:", () => {
  it.each(errorCases)("$name", ({ samples, found }) => {
    const all = reconcileErrors.find(controllerFacts("argo-rollouts", { samples }));
    expect(all.map(({ title }) => title)).toEqual(found);
  });

  it("are not available from a controller that counts none", () => {
    const samples = [
      marks,
      series("reconcile-errors", [
        [300, 100],
        [0, 900],
      ]),
    ];
    expect(reconcileErrors.find(controllerFacts("flagger", { samples }))).toEqual([]);
  });
});

it("names each rule once, and finds nothing of a controller that is well", () => {
  expect(new Set(controllerRules.map(({ id }) => id)).size).toBe(controllerRules.length);
  for (const rule of controllerRules) expect(rule.find(controllerFacts("hook"))).toEqual([]);
});
