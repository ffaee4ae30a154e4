import { describe, expect, it } from "vitest";
import type { PausePlace } from "#lib/domain/delivery/observation.ts";
import { type BarrierMember, compareWithCluster, findBarrierBlock } from "./barrier.ts";

const at = (reached: number, { passed = reached - 1, isTimed = false } = {}): PausePlace => ({
  steps: [1, 3, 5],
  reached,
  passed: Math.max(passed, 0),
  isTimed,
});
const member = (cluster: string, change: Partial<BarrierMember> = {}): BarrierMember => ({
  place: { cluster, namespace: "shop", kind: "Rollout", name: "checkout" },
  isKnown: true,
  wanted: ["reg:5000/shop/checkout:v2"],
  serving: ["reg:5000/shop/checkout:v1"],
  isFinished: false,
  isAborted: false,
  pauses: at(1),
  ...change,
});
const stable = (image: string): Partial<BarrierMember> => ({ wanted: [image], serving: [image], isFinished: true });

type Asked = Partial<Parameters<typeof findBarrierBlock>[0]> & { own?: BarrierMember };

function block(others: readonly BarrierMember[], { own = member("eu-1"), ...asked }: Asked = {}) {
  const barrier = { own, viewDigest: "d", sets: [{ name: "checkout", others }] };
  return findBarrierBlock({ passes: "pause", passesPauses: [], barrier, mayName: () => true, ...asked });
}

describe("passing a pause together", () => {
  it.each<[string, Partial<BarrierMember>, boolean]>([
    ["at the same pause", {}, true],
    ["past it", { pauses: at(2) }, true],
    ["before it", { pauses: at(0) }, false],
    ["finished", stable("shop/checkout:v2"), true],
    [
      "serving it, with another version on its way",
      { wanted: ["reg:5000/shop/checkout:v3"], serving: ["reg:5000/shop/checkout:v2"] },
      true,
    ],
    ["not begun", stable("reg:5000/shop/checkout:v1"), false],
    ["receiving another version instead", { wanted: ["reg:5000/shop/checkout:v3"] }, false],
    ["with a version whose name only begins alike", { wanted: ["reg:5000/shop/checkout:v20"] }, false],
    ["aborted", { isAborted: true }, false],
    ["not known now", { isKnown: false }, false],
    ["not known now, and finished as recorded", { ...stable("reg:5000/shop/checkout:v2"), isKnown: false }, false],
    ["of unknown images", { wanted: [], serving: [] }, false],
    ["of unknown pauses", { pauses: undefined }, false],
    ["with fewer pauses, at its last", { pauses: { steps: [0], reached: 0, passed: 0, isTimed: false } }, false],
    ["of other images", stable("shop/search:v9"), true],
    ["of other images, not known now", { ...stable("shop/search:v9"), isKnown: false }, true],
  ])("another member is %s", (_name, change, passes) => {
    expect(block([member("eu-2", change)]) === undefined).toBe(passes);
  });

  it("names every set that holds it", () => {
    const sets = [
      { name: "eu", others: [member("eu-2", { pauses: at(0) })] },
      { name: "done", others: [member("eu-3")] },
      { name: "us", others: [member("us-1", { pauses: at(0) })] },
    ];
    const barrier = { own: member("eu-1"), viewDigest: "d", sets };
    const block = findBarrierBlock({ passes: "pause", passesPauses: [], barrier, mayName: () => false });
    expect(block?.set).toBe("eu, us");
    expect(block?.because).toMatch(/^Set "eu" .*: 1 member\. Set "us" .*: 1 member\.$/);
  });

  it("needs a member with fewer pauses to be finished", () => {
    const own = member("eu-1", { pauses: at(2) });
    const fewer = { steps: [0], reached: 1, passed: 0, isTimed: false };
    expect(block([member("eu-2", { pauses: fewer })], { own })?.because).toContain("Not at pause 2 yet");
    expect(block([member("eu-2", { pauses: fewer, isFinished: true })], { own })).toBeUndefined();
  });

  it("compares a tag over all images that have it, as the page of a version does", () => {
    const image = (name: string, version: string) => `shop/${name}:${version}`;
    const own = member("eu-1", { wanted: [image("web", "v2")], serving: [image("web", "v1")] });
    const api = member("eu-1", { wanted: [image("api", "v2")], serving: [image("api", "v1")], pauses: at(1) });
    const old = member("eu-2", stable(image("api", "v1")));
    expect(block([api], { own })).toBeUndefined();
    expect(block([old], { own })).toBeUndefined();
    expect(block([api, old], { own })?.because).toContain("shop/checkout in eu-2.");
  });

  it("is about the images that the release changes", () => {
    const images = (app: string, proxy: string) => [`shop/app:${app}`, `mesh/proxy:${proxy}`];
    const own = member("eu-1", { wanted: images("v2", "1.5"), serving: images("v1", "1.5") });
    const meshed = member("eu-2", { ...stable("mesh/proxy:1.5"), wanted: ["mesh/proxy:1.5", "shop/search:v9"] });
    expect(block([meshed], { own })).toBeUndefined();
    const both = member("eu-1", { wanted: images("v2", "1.6"), serving: images("v1", "1.5") });
    expect(
      block([member("eu-2", { wanted: images("v2", "1.5"), serving: images("v1", "1.5") })], { own: both }),
    ).toBeDefined();
    expect(
      block([member("eu-2", { wanted: images("v2", "1.6"), serving: images("v1", "1.5") })], { own: both }),
    ).toBeUndefined();
  });

  it("compares digests, and images without any version", () => {
    const digest = (end: string) => `shop/app@sha256:${end}`;
    const own = member("eu-1", { wanted: [digest("ab")], serving: [digest("aa")] });
    expect(block([member("eu-2", { wanted: [digest("ab")], serving: [digest("aa")] })], { own })).toBeUndefined();
    expect(block([member("eu-2", { wanted: [digest("ac")], serving: [digest("aa")] })], { own })).toBeDefined();
    const plain = member("eu-1", { wanted: ["shop/app"], serving: ["shop/app:1"] });
    expect(block([member("eu-2", { wanted: ["shop/app"], serving: ["shop/app:1"] })], { own: plain })).toBeUndefined();
    expect(block([member("eu-2", stable("shop/app:1"))], { own: plain })).toBeDefined();
  });
});

describe("the pauses that an action passes", () => {
  const others = [member("eu-2", { pauses: at(1) })];
  const first = member("eu-1", { pauses: at(1) });
  const between = member("eu-1", { pauses: at(1, { passed: 1 }) });
  const second = member("eu-1", { pauses: at(2) });

  it.each<[string, Asked, boolean]>([
    ["the pause that all are at", { own: first }, true],
    ["a pause that the others are not at", { own: second }, false],
    ["none, between two pauses", { own: between }, true],
    ["all that are left", { own: between, passes: "rest" }, false],
    ["all that are left, if none is", { own: member("eu-1", { pauses: at(3, { passed: 3 }) }), passes: "rest" }, true],
    ["a later one beside", { own: between, passes: undefined, passesPauses: [3] }, false],
    ["one by its index", { own: member("eu-1", { pauses: at(0) }), passes: undefined, passesPauses: [1] }, true],
    ["one that the strategy does not have", { own: first, passes: undefined, passesPauses: [2] }, false],
    [
      "a timed one, by an action that lets its time count",
      { own: member("eu-1", { pauses: at(2, { isTimed: true }) }), passes: "timed" },
      false,
    ],
    ["none, since the pause does not end by itself", { own: second, passes: "timed" }, true],
    ["none, by an action that passes none", { own: second, passes: undefined }, true],
    [
      "none, since it is finished",
      { own: member("eu-1", { ...stable("reg:5000/shop/checkout:v2"), pauses: at(2) }) },
      true,
    ],
    ["unknown ones", { own: member("eu-1", { pauses: undefined }) }, false],
    ["any, of an unknown version", { own: member("eu-1", { wanted: [] }) }, false],
    ["any, in an unknown state", { own: member("eu-1", { isKnown: false }) }, false],
  ])("%s", (_name, asked, passes) => {
    expect(block(others, asked) === undefined).toBe(passes);
  });

  it("looks at each set of the rollout", () => {
    const behind = [member("eu-3", { pauses: at(0) })];
    const sets = [
      { name: "zone a", others },
      { name: "zone b", others: behind },
    ];
    const barrier = { own: first, viewDigest: "d", sets };
    expect(findBarrierBlock({ passes: "pause", passesPauses: [], barrier, mayName: () => true })?.set).toBe("zone b");
  });

  it("does not trust a record that the cluster does not confirm", () => {
    const barrier = { own: first, viewDigest: "d", sets: [{ name: "checkout", others }] };
    const passes = (seen: string | undefined) =>
      findBarrierBlock({
        ...{ passes: "pause", passesPauses: [], mayName: () => true },
        barrier: compareWithCluster(barrier, seen),
      });
    expect(passes("d")).toBeUndefined();
    expect(passes("e")?.because).toContain("not known yet: look again");
    expect(passes(undefined)).toBeDefined();
  });
});

describe("the reason", () => {
  const behind = (count: number) => Array.from({ length: count }, (_, n) => member(`eu-${n}`, { pauses: at(0) }));
  const together = 'Set "checkout" passes its pauses together.';

  it.each([
    [1, "Not at pause 1 yet: shop/checkout in eu-0."],
    [3, "Not at pause 1 yet: shop/checkout in eu-0, shop/checkout in eu-1 and shop/checkout in eu-2."],
    [1203, "Not at pause 1 yet: shop/checkout in eu-0, shop/checkout in eu-1, shop/checkout in eu-2 and 1,200 more."],
  ])("names at most three of %i members, and counts the rest", (count, words) => {
    expect(block(behind(count))).toEqual({ set: "checkout", because: `${together} ${words}` });
  });

  it("names no member that the asker may not see", () => {
    const mayName = ({ cluster }: { cluster: string }) => cluster === "eu-1";
    expect(block(behind(3), { mayName })?.because).toBe(
      `${together} Not at pause 1 yet: shop/checkout in eu-1 and 2 more.`,
    );
    expect(block(behind(1), { mayName })?.because).toBe(`${together} Not at pause 1 yet: 1 member.`);
  });
});
