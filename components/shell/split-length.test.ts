import { expect, it } from "vitest";
import { splitLength } from "#components/shell/split-length.ts";
import { formatDuration } from "#lib/client/format-duration.ts";

it.each([5_000, 125_000, 900_000, 7_500_000, 300_000_000, 2_000_000_000])("takes out %i ms as it is worded", (ms) => {
  const sentence = `Cluster demo is stale for ${formatDuration(ms)}: actions are off.`;
  expect(splitLength(sentence)).toEqual({
    before: "Cluster demo is stale",
    length: ` for ${formatDuration(ms)}`,
    after: ": actions are off.",
  });
});

it("leaves a sentence without one as it is", () => {
  const sentence = "Cluster demo cannot be read for now: actions are off.";
  expect(splitLength(sentence)).toEqual({ before: sentence, length: "", after: "" });
});
