import { expect, it } from "vitest";
import { jobOf } from "./logs-of-measurement.ts";

const rollout = { namespace: "shop" };

it.each([
  [undefined, undefined],
  [{ "job-name": "a.smoke.1" }, "a.smoke.1"],
  [{ "job-name": "a.smoke.1", "job-namespace": "shop" }, "a.smoke.1"],
  [{ "job-name": "a.smoke.1", "job-namespace": "jobs" }, undefined],
  [{ other: "a" }, undefined],
])("%j: %s", (metadata, job) => {
  expect(jobOf(metadata === undefined ? {} : { metadata }, rollout)).toBe(job);
});
