import fc from "fast-check";
import { expect, it } from "vitest";
import type { PausePlace } from "#lib/domain/delivery/observation.ts";
import { type BarrierMember, findBarrierBlock } from "./barrier.ts";

/**
 * Plays members of a set: their controllers step on, people pass pauses as far as the barrier allows, updates are
 * aborted, retried and replaced by newer ones, and each cluster's record is late by its own delay or stale.
 */

const versions = 3;
/** What a member may do, at most once per version. */
type Played = {
  pauses: number;
  version: number;
  stable: number;
  reached: number;
  passed: number;
  isAborted: boolean;
  /** The pauses that each version has reached in this attempt; infinite once it is promoted. */
  progress: number[];
};

type World = { members: Played[]; records: BarrierMember[] };

const image = (version: number) => `shop/app:v${version}`;

function toRecord({ pauses, version, stable, reached, passed, isAborted }: Played, index: number): BarrierMember {
  const steps = Array.from({ length: pauses }, (_, at) => 2 * at + 1);
  const place: PausePlace = { steps, reached, passed, isTimed: false };
  return {
    place: { cluster: `c-${index}`, namespace: "n", kind: "Rollout", name: "app" },
    isKnown: true,
    wanted: [image(version)],
    serving: [image(stable)],
    isFinished: version === stable,
    isAborted,
    pauses: place,
  };
}

function begin(member: Played, version: number): void {
  Object.assign(member, { version, reached: 0, passed: 0, isAborted: false });
  if (version !== member.stable) member.progress[version] = 0;
}

/** Goes to the next pause, or is promoted past the last one. */
function stepOn(member: Played): void {
  const { version, reached, passed, pauses, isAborted } = member;
  if (isAborted || version === member.stable || reached > passed) return;
  if (reached < pauses) {
    member.reached += 1;
    member.progress[version] = member.reached;
    return;
  }
  member.stable = version;
  member.progress[version] = Number.POSITIVE_INFINITY;
}

const order = fc.record({
  what: fc.constantFrom(
    "step",
    "step",
    "step",
    "pass",
    "pass",
    "pass all",
    "abort",
    "retry",
    "begin",
    "record",
    "record",
    "stale",
  ),
  who: fc.nat(4),
  version: fc.integer({ min: 1, max: versions - 1 }),
});

it("lets no member pass before all others have reached their pause, in any order and with late records", () => {
  let passedAny = 0;
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 2, maxLength: 5 }),
      fc.array(order, { maxLength: 250 }),
      (pauses, orders) => {
        const members = pauses.map(
          (count): Played => ({
            ...{ pauses: count, version: 0, stable: 0, reached: 0, passed: 0, isAborted: false },
            progress: [Number.POSITIVE_INFINITY],
          }),
        );
        const world: World = { members, records: members.map(toRecord) };
        // What was true of each member when it was recorded last.
        const recorded = members.map(({ progress }) => [...progress]);
        for (const { what, who, version } of orders) {
          const index = who % members.length;
          const member = members[index];
          if (member === undefined) continue;
          if (what === "step") stepOn(member);
          if (what === "begin") begin(member, version);
          if (what === "abort" && member.version !== member.stable) {
            Object.assign(member, { reached: 0, passed: 0, isAborted: true });
            member.progress[member.version] = 0;
          }
          if (what === "retry" && member.isAborted) begin(member, member.version);
          if (what === "record") {
            world.records[index] = toRecord(member, index);
            recorded[index] = [...member.progress];
          }
          const known = world.records[index];
          if (what === "stale" && known !== undefined) world.records[index] = { ...known, isKnown: false };
          if (what === "pass" || what === "pass all") passedAny += pass(world, { index, recorded, what });
        }
      },
    ),
    { numRuns: 500 },
  );
  expect(passedAny).toBeGreaterThan(0);
});

/** Has a person pass a pause of a member if the barrier allows. Returns 1 if it did. */
function pass(
  { members, records }: World,
  { index, recorded, what }: { index: number; recorded: number[][]; what: "pass" | "pass all" },
): number {
  const member = members[index];
  if (member === undefined || member.version === member.stable || member.isAborted) return 0;
  const isAtPause = member.reached > member.passed;
  if (what === "pass" && !isAtPause) return 0;
  // The click compares the record of the rollout itself with its cluster.
  const own = toRecord(member, index);
  const others = records.filter((_, at) => at !== index);
  const block = findBarrierBlock({
    passes: what === "pass" ? "pause" : "rest",
    passesPauses: [],
    barrier: { own, viewDigest: "", sets: [{ name: "s", others }] },
    mayName: () => true,
  });
  if (block !== undefined) return 0;
  const number = what === "pass" ? member.reached : member.pauses;
  for (const [at, progress] of recorded.entries())
    if (at !== index && number > 0) expect(progress[member.version] ?? 0).toBeGreaterThanOrEqual(number);
  member.passed = number;
  member.reached = Math.max(member.reached, number);
  member.progress[member.version] = member.reached;
  return 1;
}

it("lets a member pass as soon as all others have reached theirs", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 3 }),
      fc.array(fc.nat(3), { minLength: 1, maxLength: 6 }),
      (reached, beyond) => {
        const make = (at: number, index: number) =>
          toRecord(
            { pauses: 6, version: 1, stable: 0, reached: at, passed: at - 1, isAborted: false, progress: [] },
            index,
          );
        const others = beyond.map((more, index) => make(reached + more, index + 1));
        const barrier = { own: make(reached, 0), viewDigest: "", sets: [{ name: "s", others }] };
        expect(findBarrierBlock({ passes: "pause", passesPauses: [], barrier, mayName: () => true })).toBeUndefined();
      },
    ),
  );
});
