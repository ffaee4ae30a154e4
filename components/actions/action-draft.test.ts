import { expect, it } from "vitest";
import type { ActionName } from "#lib/contract/rollout.ts";
import { type BreakTick, createDrafts, isTicked } from "./action-draft.ts";

const place = { target: { id: "prod/shop/Rollout/checkout" }, action: "continue" } as const;
const weekend = { kind: "freeze", name: "weekend" } as const;
const breaks = { action: "continue", blocks: [weekend] } as const;
const draft = { reason: "It cannot wait.", breaks: { ...breaks, blocks: [weekend] }, params: undefined };

function makeDrafts() {
  const kept = new Map<string, string>();
  let nowMs = 0;
  const shelf = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
  return {
    kept,
    drafts: createDrafts({ shelf: () => shelf, now: () => nowMs }),
    wait: (ms: number) => {
      nowMs += ms;
    },
  };
}

it("gives back what was typed, for the same action on the same thing", () => {
  const { drafts } = makeDrafts();
  drafts.keep(place, draft);
  expect(drafts.find(place)).toMatchObject({ reason: draft.reason, breaks });
  expect(drafts.find({ ...place, action: "abort" })).toBeUndefined();
  expect(drafts.find({ ...place, target: { id: "prod/shop/Rollout/basket" } })).toBeUndefined();
  drafts.drop(place);
  expect(drafts.find(place)).toBeUndefined();
});

it("forgets after ten minutes", () => {
  const { drafts, wait } = makeDrafts();
  drafts.keep(place, draft);
  wait(10 * 60_000 - 1);
  expect(drafts.find(place)).toBeDefined();
  wait(1);
  expect(drafts.find(place)).toBeUndefined();
});

it("does without where the browser keeps nothing, or something else stands there", () => {
  const refuse = createDrafts({
    shelf: () => {
      throw new Error("switched off");
    },
    now: () => 0,
  });
  refuse.keep(place, draft);
  expect(refuse.find(place)).toBeUndefined();
  const { drafts, kept } = makeDrafts();
  drafts.keep(place, draft);
  for (const text of ["{", "1", "{}"]) {
    for (const key of kept.keys()) kept.set(key, text);
    expect(drafts.find(place)).toBeUndefined();
  }
});

it.each<{ name: string; action?: ActionName; blocks: BreakTick["blocks"] | undefined; is: boolean }>([
  { name: "the same freeze", blocks: [weekend], is: true },
  { name: "none of them any longer", blocks: undefined, is: true },
  { name: "another freeze", blocks: [{ kind: "freeze", name: "audit" }], is: false },
  { name: "the freeze and a set", blocks: [weekend, { kind: "set", name: "shop" }], is: false },
  { name: "a set of the same name", blocks: [{ kind: "set", name: "weekend" }], is: false },
  { name: "a person's freeze of the same name", blocks: [{ ...weekend, id: "7" }], is: false },
  { name: "the same freeze of another action", action: "promote-full", blocks: [weekend], is: false },
])("a tick for one freeze counts for $name: $is", ({ action = "continue", blocks, is }) => {
  const needs = { reason: true, secondPerson: null, freeze: null, breakGlass: true, ...(blocks && { blocks }) };
  expect(isTicked(draft.breaks, { action, needs })).toBe(is);
  expect(isTicked(undefined, { action, needs })).toBe(false);
});
