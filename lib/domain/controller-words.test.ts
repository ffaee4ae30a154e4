import { expect, it } from "vitest";
import { wordMessage } from "#lib/domain/controller-words.ts";

const aborted = "RolloutAborted: Rollout aborted update to revision 2";

it.each([
  { message: "CanaryPauseStep", words: "At a pause step" },
  { message: aborted, words: "Aborted on request" },
  {
    message: `${aborted}: Step-based analysis phase error/failed: Metric "errors" assessed Failed due to failed (2) > failureLimit (1)`,
    words: "Aborted by the controller: errors failed 2 times (1 allowed)",
  },
  { message: "more replicas need to be updated", words: "more replicas need to be updated" },
])("$words", ({ message, words }) => {
  expect(wordMessage(message)).toBe(words);
});
