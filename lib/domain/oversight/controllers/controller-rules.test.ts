import { describe, expect, it } from "vitest";
import { assessController } from "#lib/domain/controllers/assess-controller.ts";
import type { ControllerFacts } from "#lib/domain/controllers/facts.ts";
import type { Rule } from "#lib/domain/oversight/rule.ts";
import { controllerDown, controllerRules, knownDefect, reconcileErrors } from "./controller-rules.ts";
import { ago, controllerFacts, failedScrape, scrape, series, workload } from "./testing/facts.ts";

/** Returns the findings as `severity key: title`. */
function find(rule: Rule<ControllerFacts>, facts: ControllerFacts): string[] {
  return rule.find(facts).map(({ severity, key, title }) => `${severity} ${key}: ${title}`);
}

type Case = { name: string; change: Partial<ControllerFacts>; state: string; found: string[] };
const failing = { state: "failing", message: "the probe answered 503", since: ago(30), failure: null } as const;
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
    change: { via: "prometheus", scrape: failedScrape(12, "not-found", "prometheus") },
    state: "unknown not-in-prometheus",
    found: ["warning down: Its metrics are no longer in the Prometheus that had them"],
  },
  {
    name: "may be replaced by a pod that its Prometheus did not scrape yet",
    change: { via: "prometheus", scrape: failedScrape(11, "not-found", "prometheus") },
    ...{ state: "unknown not-in-prometheus", found: [] },
  },
  {
    name: "was just missed by a Prometheus that was away for long",
    change: {
      via: "prometheus",
      scrape: {
        ...failedScrape(99, "not-found", "prometheus"),
        error: { code: "not-found", message: "not there", since: ago(15) },
      },
    },
    ...{ state: "unknown not-in-prometheus", found: [] },
  },
  {
    name: "vanished from the Prometheus, and no pod is ready",
    change: { via: "prometheus", scrape: failedScrape(2, "not-found", "prometheus"), workloads: [workload(0, 1)] },
    state: "down no-pods",
    found: ["critical down: None of its pods is ready"],
  },
  {
    name: "has a Prometheus that does not answer",
    change: { via: "prometheus", scrape: failedScrape(99, "unreachable", "prometheus") },
    ...{ state: "unknown prometheus-silent", found: [] },
  },
  {
    name: "has a Prometheus that refuses us, and ready pods",
    change: { via: "prometheus", scrape: failedScrape(99, "denied", "prometheus"), workloads: [workload(1, 1)] },
    ...{ state: "unknown prometheus-silent", found: [] },
  },
  {
    name: "has a Prometheus that does not answer, and no ready pod",
    change: { via: "prometheus", scrape: failedScrape(99, "timeout", "prometheus"), workloads: [workload(0, 1)] },
    state: "down no-pods",
    found: ["critical down: None of its pods is ready"],
  },
  {
    name: "has a Prometheus that does not answer, and was scaled to 0 by somebody",
    change: { via: "prometheus", scrape: failedScrape(99, "timeout", "prometheus"), workloads: [workload(0, 0)] },
    ...{ state: "down scaled-down", found: [] },
  },
  {
    name: "cannot be asked without the file of our token",
    change: { scrape: failedScrape(99, "credentials") },
    ...{ state: "unknown no-credentials", found: [] },
  },
  {
    name: "does not accept our token",
    change: { scrape: failedScrape(99, "denied") },
    ...{ state: "unknown denied", found: [] },
  },
  {
    name: "answers with an error of its own",
    change: { scrape: failedScrape(2, "refused") },
    ...{ state: "down not-answering", found: [down] },
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
        [100, 90],
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

  const errors = (...points: [agoSeconds: number, count: number][]) => series("reconcile-errors", points);
  const beginnings: { name: string; samples: ControllerFacts["samples"]; since: number }[] = [
    { name: "between two scrapes", samples: [errors([300, 100], [60, 100], [45, 112], [0, 112])], since: 60 },
    {
      name: "before the window, without a pause",
      samples: [errors([700, 0], [600, 0], [585, 20], [330, 40], [315, 60], [60, 60], [45, 80])],
      since: 600,
    },
    {
      name: "after a pause of five minutes",
      samples: [errors([700, 0], [600, 20], [400, 20], [200, 20], [185, 40])],
      since: 200,
    },
    { name: "at any time of an hour that nobody looked", samples: [errors([3600, 0], [0, 300])], since: 300 },
    {
      name: "with a total that the samples begin with",
      samples: [marks, errors([580, 9000], [300, 9000], [45, 9000], [30, 9030])],
      since: 45,
    },
  ];
  it.each(beginnings)("began $name", ({ samples, since }) => {
    const found = reconcileErrors.find(controllerFacts("argo-rollouts", { samples }));
    expect(found.map((each) => each.since)).toEqual([ago(since)]);
  });

  it("are none if labels of a counter go while its process runs", () => {
    const started = series("process-start", [
      [600, 1000],
      [300, 1000],
      [0, 1000],
    ]);
    const samples = [marks, started, errors([300, 9000], [15, 9000], [0, 8950])];
    expect(reconcileErrors.find(controllerFacts("argo-rollouts", { samples }))).toEqual([]);
  });

  it("are those of each replica: one that goes is no error of the others", () => {
    const of = (target: string, ...points: [number, number][]) => series("reconcile-errors", points, { target });
    const find = (...samples: ControllerFacts["samples"]) =>
      reconcileErrors.find(controllerFacts("argo-rollouts", { samples })).map(({ evidence }) => evidence[1]?.value);
    const [one, gone] = [of("argo a", [300, 5000], [0, 5002]), of("argo b", [300, 4000], [60, 4000])];
    expect(find(one, gone)).toEqual([]);
    expect(find(of("argo a", [300, 5000], [0, 5006]), of("argo b", [300, 4000], [0, 4006]))).toEqual(["12"]);
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
