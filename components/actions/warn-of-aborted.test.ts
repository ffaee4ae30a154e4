import { describe, expect, it } from "vitest";
import { warnOfAborted } from "#components/actions/warn-of-aborted.ts";
import type { Release } from "#lib/contract/rollout.ts";

const revision = { images: [], current: false, stable: false };
const offer = {
  revisions: [
    { ...revision, revision: 2, podHash: "b" },
    { ...revision, revision: 1, podHash: "a" },
  ],
};
const abort = { action: "abort", reason: "Latency crept up." } as unknown as Release["acts"]["latest"][number];
const aborted = { runKey: "b", state: "aborted" as const, message: "", acts: { total: 0, latest: [] } };

describe("warnOfAborted", () => {
  const byController = "RolloutAborted: Rollout aborted update to revision 2";
  it.each([
    { name: "its person's reason", message: byController, latest: [abort], words: ': "Latency crept up."' },
    { name: "the controller's message", message: "Out of pods.", latest: [], words: ": Out of pods." },
    { name: "nothing", message: "", latest: [], words: "." },
  ])("warns of an aborted release with $name", ({ message, latest, words }) => {
    const releases = [{ ...aborted, message, acts: { total: latest.length, latest } }];
    expect(warnOfAborted({ offer, params: { toRevision: 2 }, releases })).toBe(
      `The release of revision 2 was aborted${words}`,
    );
  });

  it.each([
    { name: "another revision", toRevision: 1, releases: [aborted] },
    {
      name: "a revision that was promoted later",
      toRevision: 2,
      releases: [{ ...aborted, state: "promoted" as const }, aborted],
    },
    { name: "a revision that the cluster no longer has", toRevision: 9, releases: [aborted] },
    { name: "no choice", toRevision: undefined, releases: [aborted] },
  ])("does not warn of $name", ({ toRevision, releases }) => {
    const params = toRevision === undefined ? {} : { toRevision };
    expect(warnOfAborted({ offer, params, releases })).toBeUndefined();
  });
});
