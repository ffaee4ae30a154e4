import { expect, it } from "vitest";
import { findDecidingRun } from "./find-deciding-run.ts";

const run = (phase: string, second?: number) => ({
  phase,
  completedAt: second === undefined ? null : new Date(second * 1000).toISOString(),
});
const runs = {
  newestRuns: [run("Running"), run("Inconclusive", 5), run("Failed", 3), run("Successful", 9)],
  errors: [run("Successful", 9), run("Error", 4), run("Failed", 3)],
  fine: [run("Running"), run("Successful", 4), run("Successful", 6)],
};
const state = { aborted: false, phase: "Paused", attention: null };

it.each([
  { name: "nothing measured", runs: [], state, index: -1 },
  { name: "nothing has ended", runs: [run("Running")], state, index: -1 },
  {
    name: "Inconclusive, while it is measured again",
    runs: runs.newestRuns,
    state: { ...state, attention: "inconclusive" },
    index: 1,
  },
  { name: "aborted by what failed", runs: runs.newestRuns, state: { ...state, aborted: true }, index: 2 },
  { name: "aborted by the newest of two", runs: runs.errors, state: { ...state, aborted: true }, index: 1 },
  { name: "degraded without an abort", runs: runs.errors, state: { ...state, phase: "Degraded" }, index: 1 },
  {
    name: "aborted by a person at an Inconclusive run",
    runs: [run("Inconclusive", 4), run("Successful", 9)],
    state: { ...state, aborted: true },
    index: 0,
  },
  { name: "aborted by a person although all was well", runs: runs.fine, state: { ...state, aborted: true }, index: 2 },
  {
    name: "aborted by a plugin although all was well",
    runs: runs.fine,
    state: { ...state, aborted: true, isPluginFailed: true },
    index: -1,
  },
  { name: "at a gate: what ended last", runs: runs.fine, state: { ...state, attention: "pause" }, index: 2 },
  {
    name: "at a gate behind an Inconclusive one that was accepted",
    runs: [run("Successful", 9), run("Inconclusive", 5)],
    state: { ...state, attention: "pause" },
    index: 0,
  },
])("$name", ({ runs, state, index }) => {
  expect(findDecidingRun(runs, state)).toBe(index);
});
