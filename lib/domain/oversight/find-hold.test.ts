import { expect, it } from "vitest";
import type { RunType } from "#lib/domain/delivery/measuring.ts";
import type { CountedRun, DeliveryState } from "#lib/domain/delivery/observation.ts";
import { findHold } from "./find-hold.ts";
import { aborted, at, seen } from "./testing/facts.ts";

const inconclusive: CountedRun = {
  title: "Background analysis",
  name: "app-new-2",
  phase: "Inconclusive",
  isHeld: true,
};

it.each<{ name: string; state: Partial<DeliveryState>; type?: RunType; now?: string; held: boolean }>([
  { name: "a background run while steps are left: the next gate may be passed", state: {}, held: true },
  { name: "past the last step the controller holds it", state: { step: 4 }, held: false },
  { name: "a step's own run is held by the controller", state: {}, type: "Step", held: false },
  {
    name: "its pause is gone: a person has answered, and the controller has not yet measured again",
    state: { runs: [{ title: "Background analysis", name: "app-new-2", phase: "Inconclusive" }] },
    held: false,
  },
  { name: "the run is good", state: { runs: [{ ...inconclusive, phase: "Successful" }] }, held: false },
  { name: "it is paused already", state: { isPausedByPerson: true }, held: false },
  { name: "it is aborted", state: aborted, held: false },
  { name: "a person asked for full promotion", state: { isFullPromotionAsked: true }, held: false },
  { name: "it is promoted", state: { stableKey: "new" }, held: false },
  { name: "it was seen long ago", state: {}, now: at(26), held: false },
])("$name", ({ state, type = "Background", now = at(12), held }) => {
  const last = seen(10, { runs: [inconclusive], ...state });
  expect(findHold({ last, typeOf: () => type, now: Date.parse(now) })).toEqual(
    held ? { runKey: "new", step: 1, run: "app-new-2", title: expect.stringContaining("analysis") } : undefined,
  );
});
