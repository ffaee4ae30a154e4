import { describe, expect, it } from "vitest";
import type { DeliveryState } from "#lib/domain/delivery/observation.ts";
import { aborted, stateOf } from "#lib/domain/oversight/testing/facts.ts";
import { createRandom } from "#test/seeded-random.ts";
import {
  describePartAborted,
  findNewAborts,
  findPartAborted,
  forgetAborted,
  type LastUnderWay,
  nameVersions,
  noteUnderWay,
} from "./abort-together.ts";
import { toBarrierMember } from "./barrier.ts";

const placeOf = (name: string) => ({ cluster: "eu", namespace: "shop", kind: "Rollout", name });

function memberOf(id: string, change: Partial<DeliveryState> = {}, { isKnown = true, stable = ["shop/app:1"] } = {}) {
  const state = stateOf({ images: ["shop/app:2"], ...change });
  const images = stable.map((image) => ({ image, tags: ["stable"] }));
  return { id, runKey: state.runKey, member: toBarrierMember({ place: placeOf(id), state, images, isKnown }) };
}
type Each = ReturnType<typeof memberOf>;

const idsOf = (found: readonly { aborted: readonly Each[]; underWay: readonly Each[] }[]) =>
  found.map((each) => [each.aborted.map(({ id }) => id), each.underWay.map(({ id }) => id)]);

describe("a version that is aborted in a part of a set", () => {
  it.each<[string, Each[], string[][][]]>([
    [
      "aborted by its controller, others under way",
      [memberOf("a", aborted), memberOf("b"), memberOf("c")],
      [[["a"], ["b", "c"]]],
    ],
    ["aborted in two", [memberOf("a", aborted), memberOf("b", aborted), memberOf("c")], [[["a", "b"], ["c"]]]],
    ["aborted in all", [memberOf("a", aborted), memberOf("b", aborted)], []],
    ["only asked to abort", [memberOf("a", { isAbortAsked: true }), memberOf("b")], []],
    ["asked to abort too", [memberOf("a", aborted), memberOf("b", { isAbortAsked: true })], []],
    ["promoted elsewhere", [memberOf("a", aborted), memberOf("b", { stableKey: "new" })], []],
    ["gone elsewhere", [memberOf("a", aborted), memberOf("b", { isDeleted: true })], []],
    ["another version elsewhere", [memberOf("a", aborted), memberOf("b", { images: ["shop/app:3"] })], []],
    [
      "another service of the same version",
      [memberOf("a", aborted), memberOf("b", { images: ["shop/web:2"] })],
      [[["a"], ["b"]]],
    ],
    [
      "with the version already, and another image under way",
      [
        memberOf("a", { ...aborted, images: ["shop/app:2", "proxy:1"] }, { stable: ["shop/app:1", "proxy:1"] }),
        memberOf("b", { images: ["shop/app:2", "proxy:9"] }, { stable: ["shop/app:2", "proxy:1"] }),
      ],
      [],
    ],
    [
      "another service with the same image beside it",
      [
        memberOf("a", { ...aborted, images: ["shop/app:2", "proxy:1"] }, { stable: ["shop/app:1", "proxy:1"] }),
        memberOf("b", { images: ["shop/web:9", "proxy:2"] }, { stable: ["shop/web:8", "proxy:2"] }),
      ],
      [],
    ],
    [
      "aborted without another image: the same images only",
      [
        memberOf("a", { ...aborted, images: ["shop/app:2", "proxy:1"] }, { stable: ["shop/app:2", "proxy:1"] }),
        memberOf("b", { images: ["shop/web:9", "proxy:1"] }, { stable: ["shop/web:8", "proxy:1"] }),
        memberOf("c", { images: ["proxy:1", "shop/app:2"] }, { stable: ["shop/app:2", "proxy:1"] }),
      ],
      [[["a"], ["c"]]],
    ],
    ["back on the old version", [memberOf("a", { ...aborted, runKey: "old" }), memberOf("b")], []],
    ["before its controller saw the spec", [memberOf("a", { ...aborted, isSpecObserved: false }), memberOf("b")], []],
    ["under way by a stale source", [memberOf("a", aborted), memberOf("b", {}, { isKnown: false })], [[["a"], ["b"]]]],
  ])("%s", (_name, members, expected) => {
    expect(idsOf(findPartAborted(members))).toEqual(expected);
  });

  it("is put into words, with the members that may be seen", () => {
    const some = { set: "shop", images: ["shop/app:v2@sha256:ab"], hidden: 0, underWay: 1, aborted: [placeOf("a")] };
    expect(describePartAborted(some)).toBe(
      'v2 was aborted in shop/a (eu), and 1 other rollout of set "shop" still receives it.',
    );
    const many = ["a", "b", "c", "d"].map(placeOf);
    expect(describePartAborted({ ...some, aborted: many, hidden: 1, underWay: 1200 })).toBe(
      'v2 was aborted in shop/a (eu), shop/b (eu), shop/c (eu) and 2 more, and 1,200 other rollouts of set "shop" still receive it.',
    );
    expect(describePartAborted({ ...some, aborted: [], hidden: 2 })).toContain("v2 was aborted in 2 rollouts, and");
    expect(nameVersions(["shop/app", "shop/web:v1", "shop/api:v1"])).toBe("shop/app and v1");
    expect(nameVersions(["x".repeat(900)]).length).toBeLessThanOrEqual(200);
  });
});

describe("an abort that the recorder watched", () => {
  const underWay = [memberOf("a"), memberOf("b")];
  const after = [memberOf("a", aborted), memberOf("b")];

  it("is new for a minute after its release was under way", () => {
    const last: LastUnderWay = new Map();
    noteUnderWay(last, underWay, 0);
    expect(idsOf(findNewAborts(after, last, 60_000))).toEqual([[["a"], ["b"]]]);
    expect(findNewAborts(after, last, 60_001)).toEqual([]);
    noteUnderWay(last, [], 60_001);
    expect(last.size).toBe(0);
  });

  it("is forgotten once it was seen: a member that begins later is not aborted for it", () => {
    const last: LastUnderWay = new Map();
    noteUnderWay(last, [memberOf("a")], 0);
    const alone = [memberOf("a", aborted)];
    expect(findNewAborts(alone, last, 1000)).toEqual([]);
    forgetAborted(last, alone);
    expect(findNewAborts(after, last, 2000)).toEqual([]);
  });

  it.each<[string, Each[], Each[]]>([
    ["it was not watched before", [], after],
    ["it was another release", [memberOf("a", { runKey: "newer" }), memberOf("b")], after],
    ["its source was stale before", [memberOf("a", {}, { isKnown: false }), memberOf("b")], after],
    ["its source is stale", underWay, [memberOf("a", aborted, { isKnown: false }), memberOf("b")]],
    ["the images that run are not known", underWay, [memberOf("a", aborted), memberOf("b", {}, { stable: [] })]],
    ["the source of the other is stale", underWay, [memberOf("a", aborted), memberOf("b", {}, { isKnown: false })]],
  ])("is not new if %s", (_name, before, now) => {
    const last: LastUnderWay = new Map();
    noteUnderWay(last, before, 0);
    expect(findNewAborts(now, last, 1000)).toEqual([]);
  });

  it("in any order of aborts, retries, restarts and interruptions, is never an old one", () => {
    let followed = 0;
    for (let seed = 1; seed <= 100; seed++) {
      const random = createRandom(seed);
      const pick = (count: number) => Math.floor(random() * count);
      const states = ["a", "b", "c"].map((id) => ({ id, isAborted: false, isKnown: true, abortedAt: -1 }));
      let last: LastUnderWay = new Map();
      let startedAt = 0;
      let nowMs = 0;
      /** When each was last seen under way by this process. */
      let seenAt = new Map<string, number>();
      for (let step = 0; step < 60; step++) {
        nowMs += [1000, 5000, 30_000, 200_000][pick(4)] ?? 0;
        const one = states[pick(3)];
        if (one === undefined) continue;
        const event = pick(5);
        if (event === 0 && !one.isAborted) Object.assign(one, { isAborted: true, abortedAt: nowMs });
        if (event === 1) one.isAborted = false;
        if (event === 2) one.isKnown = !one.isKnown;
        if (event === 3 && pick(4) === 0) {
          last = new Map();
          seenAt = new Map();
          startedAt = nowMs;
        }
        const members = states.map(({ id, isAborted, isKnown }) => memberOf(id, isAborted ? aborted : {}, { isKnown }));
        for (const found of findNewAborts(members, last, nowMs)) {
          followed += 1;
          for (const { id } of found.aborted) {
            expect(nowMs - (seenAt.get(id) ?? -Infinity)).toBeLessThanOrEqual(60_000);
            expect(states.find((each) => each.id === id)?.abortedAt).toBeGreaterThanOrEqual(startedAt);
          }
          for (const { member } of found.underWay)
            expect([member.isKnown, member.progress]).toEqual([true, "underWay"]);
        }
        noteUnderWay(last, members, nowMs);
        for (const { id, member } of members)
          if (member.isKnown && member.progress === "underWay") seenAt.set(id, nowMs);
      }
    }
    expect(followed).toBeGreaterThan(30);
  });
});
