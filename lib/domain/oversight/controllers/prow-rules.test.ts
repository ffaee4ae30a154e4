import { describe, expect, it } from "vitest";
import { assessController } from "#lib/domain/controllers/assess-controller.ts";
import type { ControllerFacts } from "#lib/domain/controllers/facts.ts";
import type { ProbeFailure } from "#lib/domain/controllers/scrape-state.ts";
import type { Rule } from "#lib/domain/oversight/rule.ts";
import { prowConfigLoadFailing, prowContextsRetired, prowPresubmitsCollapsed } from "./prow-rules.ts";
import { ago, controllerFacts, scrape, series } from "./testing/facts.ts";

type Points = [agoSeconds: number, value: number][];

const presubmits = (...points: Points) => series("presubmits", points);
const retired = (...points: Points) => series("contexts-retired", points);
const repo = (name: string, ...points: Points) => series("contexts-retired-by-repo", points, { org: "k", repo: name });
/** The process was started so many seconds ago. */
const start = (...seconds: number[]) =>
  series(
    "process-start",
    seconds.map((each) => [each, Date.parse(ago(each)) / 1000]),
  );

function find(
  rule: Rule<ControllerFacts>,
  change: Partial<ControllerFacts>,
  component = "status-reconciler",
): string[] {
  return rule
    .find(controllerFacts(component, change))
    .map(({ severity, title, over }) => `${severity}: ${title}${over === undefined ? "" : ` (over: ${over.why})`}`);
}

type Case = { name: string; samples: ControllerFacts["samples"]; found: string[] };

const collapses: Case[] = [
  { name: "nothing is available", samples: [], found: [] },
  { name: "the count stays", samples: [presubmits([300, 900], [0, 900])], found: [] },
  { name: "a deletion of 30 %", samples: [presubmits([300, 900], [15, 630], [0, 630])], found: [] },
  { name: "just less than half goes", samples: [presubmits([15, 900], [0, 451])], found: [] },
  {
    name: "half goes",
    samples: [presubmits([15, 900], [0, 450])],
    found: ["critical: Loaded presubmits fell from 900 to 450"],
  },
  {
    name: "all goes",
    samples: [presubmits([15, 900], [0, 0])],
    found: ["critical: Loaded presubmits fell from 900 to 0"],
  },
  {
    name: "a directory is loaded in parts",
    samples: [presubmits([60, 900], [45, 700], [30, 500], [15, 300])],
    found: ["critical: Loaded presubmits fell from 900 to 300"],
  },
  {
    name: "jobs are removed over hours",
    samples: [presubmits([9000, 900], [6000, 700], [3000, 400], [0, 250])],
    found: [],
  },
  { name: "few jobs go", samples: [presubmits([15, 9], [0, 0])], found: [] },
  {
    name: "it stays low for hours",
    samples: [presubmits([30_015, 900], [30_000, 40], [15_000, 40], [0, 40])],
    found: ["critical: Loaded presubmits fell from 900 to 40"],
  },
  {
    name: "it comes back",
    samples: [presubmits([900, 900], [600, 40], [300, 40], [0, 880])],
    found: ["critical: Loaded presubmits fell from 900 to 40 (over: The count is back at 880)"],
  },
  {
    name: "it comes back and collapses again",
    samples: [presubmits([900, 900], [600, 40], [300, 900], [0, 10])],
    found: [
      "critical: Loaded presubmits fell from 900 to 40 (over: The count is back at 900)",
      "critical: Loaded presubmits fell from 900 to 10",
    ],
  },
  {
    name: "it was not scraped in between",
    samples: [presubmits([7200, 900], [0, 100])],
    found: ["critical: Loaded presubmits fell from 900 to 100"],
  },
  {
    name: "a restart, before the first config delta",
    samples: [start(9000, 100), presubmits([200, 900], [90, 0], [15, 0])],
    found: [],
  },
  {
    name: "a restart, then the same config",
    samples: [start(9000, 100), presubmits([200, 900], [90, 0], [15, 900])],
    found: [],
  },
  {
    name: "a restart with a partial config",
    samples: [start(9000, 100), presubmits([200, 900], [90, 0], [15, 120])],
    found: ["critical: Loaded presubmits fell from 900 to 120"],
  },
  {
    name: "a fall to 0 after the config was loaded",
    samples: [start(9000), presubmits([200, 900], [15, 0])],
    found: ["critical: Loaded presubmits fell from 900 to 0"],
  },
  { name: "a collapse of more than a day ago", samples: [presubmits([85_000, 900], [84_000, 40], [0, 40])], found: [] },
];

describe("the loaded presubmits:", () => {
  it.each(collapses)("$name", ({ samples, found }) => {
    expect(find(prowPresubmitsCollapsed, { samples })).toEqual(found);
  });

  it("are judged of status-reconciler only", () => {
    expect(find(prowPresubmitsCollapsed, { samples: [presubmits([15, 900], [0, 0])] }, "tide")).toEqual([]);
  });

  it("say what was retired since, or that it is not available", () => {
    const samples = [presubmits([15, 900], [0, 0]), retired([15, 4], [0, 44])];
    const retiredSince = (presence: "present" | "not-available") =>
      prowPresubmitsCollapsed
        .find(
          controllerFacts("status-reconciler", {
            samples,
            scrape: scrape({ presence: { "contexts-retired": presence } }),
          }),
        )
        .flatMap(({ evidence }) => evidence.find(({ label }) => label === "Contexts retired since")?.value);
    expect([retiredSince("present"), retiredSince("not-available")]).toEqual([["40"], ["not available"]]);
  });
});

const loaded = presubmits([600, 900], [300, 900], [0, 900]);
/** Stored every five minutes for hours. */
const hourly = presubmits(...Array.from({ length: 40 }, (_, index): [number, number] => [9900 - index * 250, 900]));
const before = (count: number): Points => [9900, 9600, 9300, 9015].map((seconds) => [seconds, count]);
const restarted = series("process-start", [
  [9900, Date.parse(ago(50_000)) / 1000],
  [9000, Date.parse(ago(9010)) / 1000],
]);
/** Of a process that a Prometheus has: its counter, and its start. */
const of = (target: string, ...points: Points) => series("contexts-retired", points, { target });
const startOf = (target: string, startedAgo: number, ...seenAgo: number[]) =>
  series(
    "process-start",
    seenAgo.map((seconds) => [seconds, Date.parse(ago(startedAgo)) / 1000]),
    { target },
  );
const bursts: Case[] = [
  { name: "nothing is available", samples: [loaded], found: [] },
  { name: "a total whose past is not known", samples: [retired([0, 5000])], found: [] },
  {
    name: "a removed job of one repository",
    samples: [loaded, retired([60, 0], [45, 40]), repo("a", [60, 0], [45, 40])],
    found: [],
  },
  {
    name: "a burst in one repository",
    samples: [loaded, retired([60, 0], [45, 140]), repo("a", [60, 0], [45, 140])],
    found: ["critical: 140 contexts were retired in 1 repository"],
  },
  {
    name: "retirements in three repositories",
    samples: [loaded, retired([60, 0], [45, 30]), repo("a", [45, 10]), repo("b", [45, 10]), repo("c", [45, 10])],
    found: ["critical: 30 contexts were retired in 3 repositories"],
  },
  {
    name: "few retirements in three repositories",
    samples: [loaded, retired([60, 0], [45, 12]), repo("a", [45, 4]), repo("b", [45, 4]), repo("c", [45, 4])],
    found: [],
  },
  {
    name: "a counter that appears with a burst",
    samples: [loaded, retired([45, 60]), repo("a", [45, 20]), repo("b", [45, 20]), repo("c", [45, 20])],
    found: ["critical: 60 contexts were retired in 3 repositories"],
  },
  {
    name: "repositories that cannot be kept apart",
    samples: [loaded, retired([60, 0], [45, 30])],
    found: ["critical: 30 contexts were retired"],
  },
  {
    name: "a burst in parts",
    samples: [loaded, retired([600, 0], [300, 15], [0, 30])],
    found: ["critical: 30 contexts were retired"],
  },
  {
    name: "retirements with pauses",
    samples: [loaded, retired([4000, 0], [3990, 15], [3000, 15], [2990, 30])],
    found: [],
  },
  {
    name: "many in the hours that nobody looked",
    samples: [presubmits([36_000, 900], [0, 900]), retired([36_000, 0], [0, 60])],
    found: [],
  },
  { name: "a restart", samples: [loaded, retired([600, 5000], [60, 5000], [45, 3])], found: [] },
  {
    name: "a burst right after a restart",
    samples: [loaded, retired([600, 5000], [60, 5000], [45, 90])],
    found: ["critical: 90 contexts were retired"],
  },
  {
    name: "a burst hours after a restart, less than the total before",
    samples: [restarted, hourly, retired(...before(5000), [45, 90])],
    found: ["critical: 90 contexts were retired"],
  },
  {
    name: "a burst hours after a restart, more than the total before",
    samples: [restarted, hourly, retired(...before(7), [45, 90])],
    found: ["critical: 90 contexts were retired"],
  },
  {
    name: "a burst of a counter that was gone, of a process that does not say when it began",
    samples: [hourly, retired(...before(7), [45, 90])],
    found: ["critical: 90 contexts were retired"],
  },
  {
    name: "a burst of another pod, hours after it began",
    samples: [
      ...[startOf("old", 50_000, 9300, 9015), startOf("new", 9000, 9000, 8700, 300, 15)],
      ...[of("old", [9300, 5000], [9015, 5000]), of("new", [0, 90])],
    ],
    found: ["critical: 90 contexts were retired"],
  },
  {
    name: "a burst of another pod, right after it began",
    samples: [
      startOf("old", 50_000, 300, 30),
      startOf("new", 25, 15),
      of("old", [300, 5000], [30, 5000]),
      of("new", [15, 90]),
    ],
    found: ["critical: 90 contexts were retired"],
  },
  {
    name: "a pod that goes beside another",
    samples: [
      ...[startOf("one", 50_000, 300, 0), startOf("other", 50_000, 300, 60)],
      ...[of("one", [300, 5000], [0, 5003]), of("other", [300, 4000], [60, 4000])],
    ],
    found: [],
  },
  {
    name: "a pod that its Prometheus did not see for ten minutes",
    samples: [startOf("one", 50_000, 900, 600, 0), of("one", [900, 5000], [600, 5000], [0, 5001])],
    found: [],
  },
  {
    name: "a pod that its Prometheus finds when it has run for long",
    samples: [startOf("one", 50_000, 0), of("one", [0, 5000])],
    found: [],
  },
];

describe("retired contexts:", () => {
  it.each(bursts)("$name", ({ samples, found }) => {
    expect(find(prowContextsRetired, { samples })).toEqual(found);
  });

  it("keep their key while the burst goes on", () => {
    const keyOf = (...points: Points) =>
      prowContextsRetired.find(controllerFacts("status-reconciler", { samples: [loaded, retired(...points)] }))[0]?.key;
    expect(keyOf([60, 0], [45, 30])).toBe(keyOf([60, 0], [45, 30], [30, 90], [15, 95]));
  });
});

const probes: { name: string; state: "ok" | "failing" | "absent" | undefined; retired: Points; found: string[] }[] = [
  {
    name: "the probe is well",
    state: "ok",
    retired: [
      [60, 0],
      [10, 50],
    ],
    found: [],
  },
  {
    name: "no probe is configured",
    state: undefined,
    retired: [
      [60, 0],
      [10, 50],
    ],
    found: [],
  },
  {
    name: "nothing answers at the probe",
    state: "absent",
    retired: [
      [60, 0],
      [10, 50],
    ],
    found: [],
  },
  {
    name: "it stopped",
    state: "failing",
    retired: [
      [60, 7],
      [10, 7],
    ],
    found: ["warning: The config does not load"],
  },
  {
    name: "it goes on",
    state: "failing",
    retired: [
      [60, 7],
      [45, 7],
      [10, 9],
    ],
    found: ["critical: The config does not load, and 2 contexts were retired since"],
  },
];

describe("loading the config:", () => {
  it.each(probes)("$name", ({ state, retired: points, found }) => {
    const message = "the probe answered 503";
    const failure = state === "failing" ? { since: ago(30), lastAt: ago(1), message, quiet: null } : null;
    const probe = state === undefined ? null : { state, message, since: ago(30), failure };
    const samples = [loaded, retired(...points)];
    expect(find(prowConfigLoadFailing, { samples, scrape: scrape({ probe }) })).toEqual(found);
  });
});

type Quiet = NonNullable<ProbeFailure["quiet"]>;
const quiets: { name: string; quiet: Quiet; retired: Points; found: string[] }[] = [
  {
    name: "while Kubernetes starts the process again",
    quiet: { state: "absent", attempts: 3 },
    retired: [
      [120, 7],
      [10, 7],
    ],
    found: ["warning: The config does not load"],
  },
  {
    name: "while the next process has not failed yet",
    quiet: { state: "ok", attempts: 1 },
    retired: [
      [120, 7],
      [10, 7],
    ],
    found: ["warning: The config did not load until just now"],
  },
  {
    name: "if contexts are retired between two failures",
    quiet: { state: "absent", attempts: 3 },
    retired: [
      [120, 7],
      [45, 7],
      [30, 9],
    ],
    found: ["critical: The config does not load, and 2 contexts were retired since"],
  },
  {
    name: "without what is retired when the probe is well again",
    quiet: { state: "ok", attempts: 2 },
    retired: [
      [120, 7],
      [30, 7],
      [15, 9],
    ],
    found: ["warning: The config did not load until just now"],
  },
];

describe("a config that does not load is one finding", () => {
  it.each(quiets)("$name", ({ quiet, retired: points, found }) => {
    const failure = { since: ago(90), lastAt: ago(45), message: "the probe answered 503", quiet };
    const probe = { state: quiet.state, message: null, since: ago(30), failure };
    const facts = controllerFacts("status-reconciler", {
      samples: [loaded, retired(...points)],
      scrape: scrape({ probe }),
    });
    expect(prowConfigLoadFailing.find(facts)).toMatchObject([{ since: ago(90), key: "config-load" }]);
    expect(find(prowConfigLoadFailing, facts)).toEqual(found);
    // The present state of the probe is not hidden.
    expect(assessController(facts).state).toBe("up");
  });
});

it("a pod that replaces another is no collapse, in any order of what is seen", () => {
  const started = (seconds: number, seen: number, target: string) =>
    series("process-start", [[seen, Date.parse(ago(seconds)) / 1000]], { target });
  const samples = [started(90_000, 300, "old"), started(70, 60, "new"), presubmits([300, 1284], [75, 1284], [60, 0])];
  expect(find(prowPresubmitsCollapsed, { samples })).toEqual([]);
  // The new one loads a part.
  const partial = [...samples.slice(0, 2), presubmits([300, 1284], [75, 1284], [60, 0], [30, 90])];
  expect(find(prowPresubmitsCollapsed, { samples: partial })).toEqual([
    "critical: Loaded presubmits fell from 1284 to 90",
  ]);
});
