import { describe, expect, it } from "vitest";
import { type ObservationChanges, observeStates } from "#lib/domain/argo/history/testing/sample-observations.ts";
import { attributeRevision, type KnownRevisions, nothingKnown, resolveRevision } from "./attribute-revision.ts";
import { deriveReleases, deriveTimeline } from "./testing/derive-all.ts";

const known: KnownRevisions = new Map([
  ["aaa", { revisions: [1], images: ["shop:1"] }],
  ["bbb", { revisions: [2, 4], images: ["shop:2"] }],
  ["ccc", { revisions: [3], images: ["shop:3"] }],
]);
const only = (...hashes: string[]): KnownRevisions => new Map([...known].filter(([hash]) => hashes.includes(hash)));

describe("the revision of a pod hash", () => {
  it.each([
    { name: "is the rollout's number where its ReplicaSet has it", hash: "bbb", revision: 4, known, is: 4 },
    { name: "is an earlier one that its ReplicaSet had", hash: "bbb", revision: 2, known, is: 2 },
    { name: "is the one before where another ReplicaSet has the number", hash: "bbb", revision: 3, known, is: 2 },
    { name: "is never a later one", hash: "bbb", revision: 1, known, is: null },
    {
      name: "is unknown where another has the number, and its own was not seen",
      hash: "bbb",
      revision: 3,
      known: only("aaa", "ccc"),
      is: null,
    },
    { name: "is the rollout's number while no ReplicaSet has it", hash: "bbb", revision: 5, known, is: 5 },
    { name: "is the rollout's number while nothing is known", hash: "bbb", revision: 3, known: nothingKnown, is: 3 },
    { name: "stays unknown", hash: "bbb", revision: null, known, is: null },
  ])("$name", ({ hash, revision, known: facts, is }) => {
    expect(resolveRevision(hash, { revision, known: facts })).toBe(is);
  });
});

/** The controller's write 20 ms after a change of the template: everything is new except the pod hash. */
const mixed: ObservationChanges = {
  view: { revision: 3, images: ["shop:3"], specObserved: true, phase: "Progressing" },
};
const begun: ObservationChanges = {
  currentPodHash: "bbb",
  view: { revision: 2, images: ["shop:2"], phase: "Progressing", step: 0, weight: 20 },
};
const next: ObservationChanges = { currentPodHash: "ccc" };

const images = (revision: number | null, image: string[]): string => `r${revision} ${image.join(",")}`;
const described = (changes: ObservationChanges[], facts: KnownRevisions): string[] =>
  deriveReleases(observeStates(...changes), facts).map(
    ({ runKey, attempt, revision, state, images: of }) => `${runKey}#${attempt} ${state} ${images(revision, of)}`,
  );

describe("the releases of a superseded version", () => {
  it.each([
    { name: "all ReplicaSets are known", facts: known, first: "r2 shop:2" },
    { name: "none is known", facts: nothingKnown, first: "r2 shop:2" },
    { name: "only the next one's is known", facts: only("ccc"), first: "r2 shop:2" },
  ])("have their own revision and image when $name", ({ facts, first }) => {
    expect(described([{}, begun, mixed, next], facts)).toEqual([
      "aaa#1 promoted r1 shop:1",
      `bbb#1 superseded ${first}`,
      "ccc#1 progressing r3 shop:3",
    ]);
  });

  it.each([
    { name: "its ReplicaSet decides", facts: known, first: "r2 shop:2" },
    { name: "another has the number: unknown", facts: only("ccc"), first: "rnull " },
  ])("first seen in the mixed state: $name", ({ facts, first }) => {
    const [release] = described([{ ...begun, view: { ...begun.view, ...mixed.view } }, next], facts);
    expect(release).toBe(`bbb#1 superseded ${first}`);
  });

  it("keep the number of their time when the version is wanted again", () => {
    const again: ObservationChanges = { currentPodHash: "bbb", view: { revision: 4, images: ["shop:2"] } };
    expect(described([{}, begun, mixed, next, again], known).filter((each) => each.startsWith("bbb"))).toEqual([
      "bbb#1 superseded r2 shop:2",
      "bbb#2 progressing r4 shop:2",
    ]);
  });

  it("take the images of a workloadRef from the ReplicaSet, as soon as it is known", () => {
    const without = { ...begun, view: { ...begun.view, images: [] } };
    expect(described([{}, without], nothingKnown).at(-1)).toBe("bbb#1 progressing r2 ");
    expect(described([{}, without], known).at(-1)).toBe("bbb#1 progressing r2 shop:2");
  });

  it("that were promoted without being seen have what their ReplicaSet says", () => {
    expect(described([{}, { ...next, stableRS: "bbb", view: { revision: 3 } }], known)).toContain(
      "bbb#1 promoted r2 shop:2",
    );
  });
});

describe("attributeRevision", () => {
  it("says nothing of a rollout without a pod hash", () => {
    const [observation] = observeStates({ currentPodHash: "", view: { revision: 3 } });
    expect(observation && attributeRevision(observation.state, known)).toEqual(observation?.state);
  });

  it("names the revision that begins by its ReplicaSet, in the timeline too", () => {
    // The writes of revision 2 were missed: the first one with its hash already has the number of revision 3.
    const [, event] = deriveTimeline(observeStates({}, { ...begun, view: { ...begun.view, ...mixed.view } }), known);
    expect(event?.text).toBe("Revision 2 begins: shop:2");
  });
});
