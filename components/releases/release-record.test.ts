import { expect, it } from "vitest";
import { nameNoticed, wordRunMessage } from "#components/releases/release-record.tsx";

const cause = 'Metric "error-rate" assessed Failed due to failed (2) > failureLimit (1)';

it.each([
  { name: "the cause that the release has as its own", message: cause, state: "aborted" as const, words: "" },
  { name: "another message", message: "Out of pods", state: "aborted" as const, words: "Out of pods" },
  {
    name: "a run that ended with its release",
    message: "Run Terminated",
    state: "promoted" as const,
    words: "Stopped when the rollout finished",
  },
  { name: "a run that was ended", message: "Run Terminated", state: "aborted" as const, words: "Run Terminated" },
  { name: "nothing", message: "", state: "promoted" as const, words: "" },
])("words the message of a run: $name", ({ message, state, words }) => {
  const release = { state, message: `RolloutAborted: Rollout aborted update to revision 2: ${cause}` };
  expect(wordRunMessage(message, release)).toBe(words);
});

it.each([
  { findings: 0, warnings: 4, title: "Kubernetes warnings" },
  { findings: 1, warnings: 0, title: "Findings" },
  { findings: 1, warnings: 4, title: "Findings and warnings" },
])("names only what is listed: $title", ({ title, ...counts }) => {
  expect(nameNoticed(counts)).toBe(title);
});
