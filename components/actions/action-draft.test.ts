import { expect, it } from "vitest";
import { createDrafts } from "./action-draft.ts";

const place = { target: { id: "prod/shop/Rollout/checkout" }, action: "continue" } as const;
const draft = { reason: "It cannot wait.", breaksGlass: true, params: undefined };

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
  expect(drafts.find(place)).toMatchObject({ reason: draft.reason, breaksGlass: true });
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
