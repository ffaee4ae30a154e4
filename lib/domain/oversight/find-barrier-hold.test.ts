import { describe, expect, it } from "vitest";
import { type Barrier, type BarrierMember, toBarrierMember } from "#lib/domain/acting/barrier.ts";
import type { DeliveryState, PausePlace } from "#lib/domain/delivery/observation.ts";
import { findBarrierHold, judgeLift } from "./find-barrier-hold.ts";
import { aborted, at, seen } from "./testing/facts.ts";

const timed: PausePlace = { steps: [1, 3], reached: 1, passed: 0, isTimed: true };
const images = [{ image: "shop/app:1", tags: ["stable"] }];
const stateOf = (change: Partial<DeliveryState> = {}): DeliveryState =>
  seen(10, { images: ["shop/app:2"], isSpecObserved: true, step: 1, pauses: timed, ...change }).state;

function memberOf(cluster: string, change: Partial<DeliveryState> = {}): BarrierMember {
  const place = { cluster, namespace: "shop", kind: "Rollout", name: "app" };
  return toBarrierMember({ place, state: stateOf(change), images, isKnown: true });
}

const behind = memberOf("eu-2", { pauses: { ...timed, reached: 0 } });
const barrierOf = (others: readonly BarrierMember[], own = memberOf("eu-1")): Barrier => ({
  ...{ own, viewDigest: "d" },
  sets: [{ name: "app", others }],
});

describe("a hold for a set", () => {
  it.each<[string, Partial<DeliveryState>, Barrier | undefined, string, boolean]>([
    ["at a timed pause, ahead of the others", {}, undefined, at(12), true],
    ["with all others at theirs", {}, barrierOf([memberOf("eu-2")]), at(12), false],
    ["at a pause that only a person ends", { pauses: { ...timed, isTimed: false } }, undefined, at(12), false],
    ["between two pauses", { pauses: { ...timed, passed: 1 } }, undefined, at(12), false],
    ["paused already", { isPausedByPerson: true }, undefined, at(12), false],
    ["aborted", aborted, undefined, at(12), false],
    ["with full promotion requested", { isFullPromotionAsked: true }, undefined, at(12), false],
    ["promoted", { stableKey: "new" }, undefined, at(12), false],
    ["seen long ago", {}, undefined, at(26), false],
    ["not known now", {}, barrierOf([behind], { ...memberOf("eu-1"), isKnown: false }), at(12), false],
  ])("%s", (_name, change, given, now, isHeld) => {
    const last = { observedAt: at(10), state: stateOf(change) };
    const barrier = given ?? barrierOf([behind], memberOf("eu-1", change));
    const because = 'Set "app" passes its pauses together. Not at pause 1 yet: 1 member.';
    expect(findBarrierHold({ last, barrier, now: Date.parse(now) })).toEqual(
      isHeld ? { runKey: "new", step: 1, set: "app", because } : undefined,
    );
  });
});

describe("lifting it", () => {
  const hold = { runKey: "new", step: 1 };
  const before = stateOf();
  const paused = stateOf({ isPausedByPerson: true });
  const ready = barrierOf([memberOf("eu-2")]);

  it.each<[string, DeliveryState[], Barrier | undefined, string]>([
    ["all have reached theirs", [before, paused, paused], ready, "lift"],
    ["the config has no such set any more", [paused], undefined, "lift"],
    ["a member has not", [before, paused], barrierOf([behind]), "wait"],
    ["its pause was not seen yet", [before], ready, "wait"],
    ["nothing was seen since", [], ready, "wait"],
    ["its own state is not known", [paused], { ...ready, own: { ...ready.own, isKnown: false } }, "wait"],
    [
      "an analysis is Inconclusive",
      [paused, { ...paused, runs: [{ title: "Background analysis", name: "r", phase: "Inconclusive" }] }],
      ready,
      "wait",
    ],
    ["a person has lifted it", [paused, before], ready, "over"],
    ["a person has lifted it, and paused again", [paused, before, paused], ready, "over"],
    ["another version is wanted", [paused, { ...paused, runKey: "newer" }], ready, "over"],
    ["another step", [paused, { ...paused, step: 2 }], ready, "over"],
    ["other steps", [paused, { ...paused, stepsKey: "other" }], ready, "over"],
    ["the pause began again", [paused, { ...paused, waits: [{ key: "later", text: "" }] }], ready, "over"],
    ["it was aborted", [paused, { ...paused, ...aborted }], ready, "over"],
    ["it was promoted", [paused, { ...paused, isFullPromotionAsked: true }], ready, "over"],
  ])("%s", (_name, later, barrier, verdict) => {
    expect(judgeLift({ hold, later, barrier })).toBe(verdict);
  });
});
