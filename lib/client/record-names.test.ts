import { describe, expect, it } from "vitest";
import { nameRelease, nameRun, numberRelease, wordReleaseMessage } from "#lib/client/record-names.ts";
import type { Release } from "#lib/contract/rollout.ts";

describe("nameRelease", () => {
  const release = { revision: 12, runKey: "5d4f8", attempt: 1 };

  it.each([
    { given: release, name: "revision 12", number: "12" },
    { given: { ...release, attempt: 2 }, name: "revision 12, attempt 2", number: "12, attempt 2" },
    { given: { ...release, revision: 0 }, name: "revision 0", number: "0" },
    { given: { ...release, revision: null }, name: "version 5d4f8", number: "5d4f8" },
    { given: { ...release, revision: null, runKey: "85787f6c6dxyz" }, name: "version 85787f6", number: "85787f6" },
    { given: { ...release, revision: null, attempt: 3 }, name: "version 5d4f8, attempt 3", number: "5d4f8, attempt 3" },
  ])("names a release $name", ({ given, name, number }) => {
    expect(nameRelease(given)).toBe(name);
    expect(numberRelease(given)).toBe(number);
  });
});

describe("nameRun", () => {
  const rollout = { namespace: "payments", name: "checkout" };
  const run = { name: "checkout-5d-12-3", rollout, revision: 12, type: "Step", stepIndex: 3 } as const;

  it.each([
    { run, name: "payments/checkout, revision 12, step 4" },
    { run: { ...run, stepIndex: 0 }, name: "payments/checkout, revision 12, step 1" },
    { run: { ...run, revision: null, stepIndex: null }, name: "payments/checkout" },
    {
      run: { ...run, type: "Background", stepIndex: null } as const,
      name: "payments/checkout, revision 12, background",
    },
    { run: { ...run, rollout: null }, name: "checkout-5d-12-3" },
  ])("names it $name", ({ run: named, name }) => {
    expect(nameRun(named)).toBe(name);
  });
});

describe("wordReleaseMessage", () => {
  const onRequest = "RolloutAborted: Rollout aborted update to revision 2";
  const act = { action: "abort" } as Release["acts"]["latest"][number];

  it.each([
    { message: onRequest, latest: [act], words: "" },
    { message: onRequest, latest: [], words: "Aborted on request" },
    { message: "Out of pods", latest: [act], words: "Out of pods" },
  ])("does not say beside the act that someone asked for it: $words", ({ message, latest, words }) => {
    expect(wordReleaseMessage({ sentence: null, message, acts: { total: latest.length, latest } })).toBe(words);
  });

  it("says of one that waits the sentence of the inbox", () => {
    const sentence = "success-rate is Inconclusive at step 4 of 6.";
    const release = { sentence, message: "InconclusiveAnalysisRun", acts: { total: 0, latest: [] } };
    expect(wordReleaseMessage(release)).toBe(sentence);
  });
});
