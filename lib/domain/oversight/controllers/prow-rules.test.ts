import { describe, expect, it } from "vitest";
import type { ControllerFacts } from "#lib/domain/controllers/facts.ts";
import type { Rule } from "#lib/domain/oversight/rule.ts";
import { prowConfigLoadFailing } from "./prow-config-load-failing.ts";
import { prowContextsRetired } from "./prow-contexts-retired.ts";
import { prowPresubmitsCollapsed } from "./prow-presubmits-collapsed.ts";
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
  { name: "many in the hours that nobody looked", samples: [loaded, retired([36_000, 0], [0, 60])], found: [] },
  { name: "a restart", samples: [loaded, retired([600, 5000], [60, 5000], [45, 3])], found: [] },
  {
    name: "a burst right after a restart",
    samples: [loaded, retired([600, 5000], [60, 5000], [45, 90])],
    found: ["critical: 90 contexts were retired"],
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
    const probe = state === undefined ? null : { state, message: "the probe answered 503", since: ago(30) };
    const samples = [loaded, retired(...points)];
    expect(find(prowConfigLoadFailing, { samples, scrape: scrape({ probe }) })).toEqual(found);
  });
});
