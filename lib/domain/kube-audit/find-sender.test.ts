import { describe, expect, it } from "vitest";
import { type CandidateWrite, findSender, type SoughtChange } from "./find-sender.ts";

const at = Date.parse("2026-11-23T06:00:39Z");
const seconds = (count: number) => at + count * 1000;

const change: SoughtChange = {
  uid: "u",
  client: "kubectl-argo-rollouts",
  fields: ["status.abort"],
  from: seconds(-600),
  to: at,
  versionBefore: "100",
  versionAfter: "120",
};
const abort: CandidateWrite = {
  id: "1",
  at: seconds(-1),
  verb: "patch",
  uid: undefined,
  subresource: "status",
  versionBefore: undefined,
  versionAfter: undefined,
  manager: "kubectl-argo-rollouts",
  userAgent: "kubectl-argo-rollouts/v1",
  username: "alice@example.com",
  impersonatedBy: undefined,
  fields: ["status.abort"],
};
const bob = { id: "2", username: "bob@example.com" };
const update = { verb: "update", subresource: "", fields: undefined };

type Case = {
  name: string;
  change?: Partial<SoughtChange>;
  writes: Partial<CandidateWrite>[];
  /** The id of the write that is named, with `!` if it is certain. */
  expected: string;
};

const cases: Case[] = [
  { name: "no event", writes: [], expected: "none" },
  { name: "one that fits", writes: [{}], expected: "1" },
  { name: "two requests of one sender", writes: [{}, { id: "2" }], expected: "1" },

  {
    name: "two people, of whom one repeated the write, which changed nothing more",
    writes: [{ ...bob, at: seconds(1), versionAfter: "120" }, { versionAfter: "120" }],
    expected: "1!",
  },
  {
    name: "somebody else's later write, which made the version that was seen",
    writes: [{}, { ...bob, fields: ["metadata.annotations"], versionAfter: "120" }],
    expected: "1",
  },
  {
    name: "a later write of another client, which made the version that was seen",
    writes: [{}, { ...bob, manager: "kubectl-edit", versionAfter: "120" }],
    expected: "1",
  },
  { name: "two people with the same client", writes: [{}, bob], expected: "ambiguous 2" },
  {
    name: "the same person with two programs",
    writes: [{}, { id: "2", userAgent: "k9s/v1" }],
    expected: "ambiguous 2",
  },
  {
    name: "the same user, once impersonated",
    writes: [{}, { id: "2", impersonatedBy: "bot" }],
    expected: "ambiguous 2",
  },
  { name: "two people, one with another client", writes: [{}, { ...bob, manager: "kubectl-edit" }], expected: "1" },
  {
    name: "two people, if the change names no client",
    change: { client: null },
    writes: [{}, { ...bob, manager: "kubectl-edit" }],
    expected: "ambiguous 2",
  },
  {
    name: "two people, one of whom patched something else",
    writes: [{}, { ...bob, fields: ["status.promoteFull"] }],
    expected: "1",
  },
  { name: "only somebody who patched something else", writes: [{ fields: ["metadata.labels"] }], expected: "none" },
  {
    name: "a patch whose fields are not known, as at the level Metadata",
    writes: [{ fields: undefined }],
    expected: "1",
  },
  {
    name: "one whose fields are not known, long before the change was seen",
    writes: [{ fields: undefined, at: seconds(-60) }],
    expected: "none",
  },
  { name: "one whose fields fit, long before, while nobody watched", writes: [{ at: seconds(-599) }], expected: "1" },
  { name: "a change that any write may make", change: { fields: undefined }, writes: [{}], expected: "1" },
  {
    name: "a write of the status, for a change of the spec",
    change: { fields: ["spec.paused"] },
    writes: [{ fields: undefined }],
    expected: "none",
  },

  { name: "one before the window", writes: [{ at: seconds(-606) }], expected: "none" },
  { name: "one just before it, as clocks differ", writes: [{ at: seconds(-604) }], expected: "1" },
  { name: "one after it was seen", writes: [{ at: seconds(6) }], expected: "none" },
  { name: "one just after, as clocks differ", writes: [{ at: seconds(4) }], expected: "1" },

  { name: "the version that was seen", writes: [{ versionAfter: "120" }], expected: "1!" },
  {
    name: "that version, whatever the clocks say",
    writes: [{ versionAfter: "120", at: seconds(9999) }],
    expected: "1!",
  },
  { name: "that version beside another that fits", writes: [{ ...bob }, { versionAfter: "120" }], expected: "1!" },
  { name: "a later version", writes: [{ versionAfter: "121" }], expected: "none" },
  { name: "a version between the two, after a gap in watching", writes: [{ versionAfter: "110" }], expected: "1" },
  { name: "the version from before", writes: [{ versionAfter: "100" }], expected: "none" },
  { name: "an update of the version from before", writes: [{ ...update, versionBefore: "100" }], expected: "1" },
  { name: "an update of an older version", writes: [{ ...update, versionBefore: "99" }], expected: "none" },
  { name: "an update of the version that was seen", writes: [{ ...update, versionBefore: "120" }], expected: "none" },
  {
    name: "versions that are no numbers",
    change: { versionBefore: "a", versionAfter: "b" },
    writes: [{ ...update, versionBefore: "c" }],
    expected: "1",
  },

  { name: "an object of the same name that was created again", writes: [{ uid: "other" }], expected: "none" },
  { name: "the object itself by its uid", writes: [{ uid: "u" }], expected: "1" },
  { name: "a creation", writes: [{ verb: "create" }], expected: "none" },
  { name: "a deletion", writes: [{ verb: "delete" }], expected: "none" },
  {
    name: "the controller's own account",
    change: { client: null },
    writes: [{ username: "system:serviceaccount:argo-rollouts:argo-rollouts", manager: "rollouts-controller" }],
    expected: "none",
  },
  {
    name: "a person beside the controller",
    change: { client: null },
    writes: [{ username: "system:serviceaccount:argo-rollouts:argo-rollouts", manager: "rollouts-controller" }, bob],
    expected: "2",
  },
  {
    name: "a person who uses the controller's name",
    change: { client: null },
    writes: [{ manager: "rollouts-controller" }],
    expected: "1",
  },
];

describe("the sender of a change", () => {
  it.each(cases)("$name: $expected", ({ change: changed, writes, expected }) => {
    const verdict = findSender({
      change: { ...change, ...changed },
      writes: writes.map((write) => ({ ...abort, ...write })),
      controllerManagers: ["rollouts-controller"],
    });
    const shown = {
      none: () => "none",
      ambiguous: () => `ambiguous ${verdict.kind === "ambiguous" ? verdict.senders : ""}`,
      found: () => (verdict.kind === "found" ? `${verdict.write.id}${verdict.isCertain ? "!" : ""}` : ""),
    }[verdict.kind]();
    expect(shown).toBe(expected);
  });
});
