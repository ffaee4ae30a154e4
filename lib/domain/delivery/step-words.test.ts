import { describe, expect, it } from "vitest";
import type { StepPluginStatus } from "./detail.ts";
import { currentStepNumber, describePluginStatus, findFailedPlugin } from "./step-words.ts";

describe("currentStepNumber", () => {
  it.each([
    { name: "three steps are done", place: { step: 3, stepCount: 6 }, number: 4 },
    { name: "none is done", place: { step: 0, stepCount: 6 }, number: 1 },
    { name: "all are done", place: { step: 6, stepCount: 6 }, number: 6 },
    { name: "not known", place: { step: null, stepCount: 6 }, number: null },
    { name: "a strategy without steps", place: { step: 0, stepCount: 0 }, number: null },
    { name: "not aborted", place: { step: 2, stepCount: 6, abortPoint: null }, number: 3 },
    { name: "aborted at the third", place: { step: 0, stepCount: 6, abortPoint: { step: 2 } }, number: 3 },
    { name: "aborted, nobody saw where", place: { step: 0, stepCount: 6, abortPoint: { step: null } }, number: null },
  ])("$name", ({ place, number }) => {
    expect(currentStepNumber(place)).toBe(number);
  });
});

describe("formatPluginStatus", () => {
  const status: StepPluginStatus = {
    ...{ name: "acme/checks", operation: "Run", phase: "Running", message: "", executions: 1, backoff: null },
    ...{ disabled: false, startedAt: null, updatedAt: null, finishedAt: null },
  };

  it.each<[Partial<StepPluginStatus>, string]>([
    [{}, "plugin acme/checks: Running"],
    [
      { message: "2 of 3", executions: 4, backoff: "30s" },
      "plugin acme/checks: Running: 2 of 3 (executed 4 times, again after 30s)",
    ],
    [
      { phase: "Failed", message: "quota", executions: 2, backoff: "30s" },
      "plugin acme/checks: Failed: quota (executed 2 times)",
    ],
    [{ operation: "Abort", phase: "Error", executions: null }, "plugin acme/checks: abort: Error"],
    [
      { disabled: true, phase: "Successful", backoff: "30s" },
      "plugin acme/checks: disabled in the controller, passed over",
    ],
  ])("%j", (change, text) => {
    expect(describePluginStatus({ ...status, ...change })).toBe(text);
  });

  it("finds the run that failed, not an abort that did", () => {
    const aborted = { ...status, operation: "Abort", phase: "Failed" };
    const failed = { ...status, phase: "Failed" };
    expect(findFailedPlugin([{ pluginStatuses: [aborted] }, { pluginStatuses: [status, failed] }])).toBe(failed);
    expect(findFailedPlugin([{ pluginStatuses: [aborted] }])).toBeUndefined();
  });
});
