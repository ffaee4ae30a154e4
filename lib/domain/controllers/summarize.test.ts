import { describe, expect, it } from "vitest";
import { controllerFacts, failedScrape, scrape, series } from "#lib/domain/oversight/controllers/testing/facts.ts";
import type { ControllerFacts } from "./facts.ts";
import { summarizeController } from "./summarize.ts";

const present = scrape({ presence: { "reconcile-errors": "present", reconcile: "present", "queue-depth": "present" } });
const samples: ControllerFacts["samples"] = [
  series("reconcile-errors", [
    [300, 100],
    [0, 110],
  ]),
  series(
    "reconcile",
    [
      [300, 0],
      [0, 90],
    ],
    { le: "0.01" },
  ),
  series(
    "reconcile",
    [
      [300, 0],
      [0, 100],
    ],
    { le: "0.15" },
  ),
  series(
    "reconcile",
    [
      [300, 0],
      [0, 100],
    ],
    { le: "+Inf" },
  ),
  series(
    "queue-depth",
    [
      [300, 9],
      [0, 3],
    ],
    { name: "a" },
  ),
  series("queue-depth", [[0, 4]], { name: "b" }),
];

describe("the summary", () => {
  it("has errors per minute, percentiles with their bucket, and the sum of the queues", () => {
    const { errors, latency, depth } = summarizeController(
      controllerFacts("argo-rollouts", { scrape: present, samples }),
    );
    expect([errors?.value, depth?.value]).toEqual([2, 7]);
    expect(latency?.p50).toMatchObject({ from: 0, to: 0.01 });
    expect(latency?.p99).toMatchObject({ from: 0.01, to: 0.15 });
  });

  it("says nothing of now while scrapes fail", () => {
    const scrapes = { ...failedScrape(1), presence: present.presence };
    const { errors, depth } = summarizeController(controllerFacts("argo-rollouts", { scrape: scrapes, samples }));
    expect([errors, depth].map((each) => [each?.value, each?.presence])).toEqual([
      [null, "not-available"],
      [null, "not-available"],
    ]);
  });

  it("tells what is absent from 0", () => {
    const none = scrape({ presence: { "reconcile-errors": "none-yet" } });
    const { errors, depth } = summarizeController(controllerFacts("argo-rollouts", { scrape: none }));
    expect(errors).toMatchObject({ presence: "none-yet", value: null });
    expect(depth).toMatchObject({ presence: "not-available", value: null });
    expect(summarizeController(controllerFacts("status-reconciler", { scrape: none })).errors).toBeNull();
  });
});
