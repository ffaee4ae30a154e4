import { describe, expect, it } from "vitest";
import { findBinding, keyTable, type PressedKey } from "#components/shell/key-table.ts";

const plain = (key: string): PressedKey => ({ key, ctrlKey: false, metaKey: false, altKey: false });

describe("findBinding", () => {
  it.each([
    { name: "the first half of a pair waits", pressed: plain("g"), pending: undefined, found: { pending: "g" } },
    {
      name: "the second half goes",
      pressed: plain("i"),
      pending: "g",
      found: { command: { kind: "go", href: "/inbox" } },
    },
    { name: "a second half alone means nothing", pressed: plain("i"), pending: undefined, found: undefined },
    {
      name: "a wrong second half may be a key of its own",
      pressed: plain("j"),
      pending: "g",
      found: { command: { kind: "row", move: 1 } },
    },
    {
      name: "Ctrl K",
      pressed: { ...plain("k"), ctrlKey: true },
      pending: undefined,
      found: { command: { kind: "palette" } },
    },
    {
      name: "Cmd K, shifted",
      pressed: { ...plain("K"), metaKey: true },
      pending: undefined,
      found: { command: { kind: "palette" } },
    },
    {
      name: "Ctrl J is the browser's",
      pressed: { ...plain("j"), ctrlKey: true },
      pending: undefined,
      found: undefined,
    },
    { name: "Alt is the browser's", pressed: { ...plain("?"), altKey: true }, pending: undefined, found: undefined },
  ])("$name", ({ pressed, pending, found }) => {
    if (found === undefined) expect(findBinding(pressed, pending)).toBeUndefined();
    else expect(findBinding(pressed, pending)).toMatchObject(found);
  });
});

it("binds no keys twice", () => {
  const all = keyTable.map(({ keys }) => keys.join(" "));
  expect(new Set(all).size).toBe(all.length);
});
