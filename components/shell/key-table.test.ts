import { describe, expect, it } from "vitest";
import { findBinding, keyTable, listKeys, type PressedKey } from "#components/shell/key-table.ts";
import { navItems } from "#components/shell/nav-items.ts";

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

it.each(navItems)("reaches $href of the rail with g and a letter, for whom it is there", ({ href, needsFaults }) => {
  const [binding, ...others] = keyTable.filter(({ command }) => command.kind === "go" && command.href === href);
  expect(others).toEqual([]);
  expect(binding?.keys).toEqual(["g", expect.stringMatching(/^[a-z]$/)]);
  expect(binding?.needsFaults).toBe(needsFaults);
});

it("leaves the key of the faults to those who have the page", () => {
  const pressed = plain("f");
  expect(findBinding(pressed, "g", listKeys(true))).toMatchObject({ command: { kind: "go", href: "/faults" } });
  expect(findBinding(pressed, "g", listKeys(false))).toBeUndefined();
});

it("goes to the admin's pages only for an admin", () => {
  const pressed = plain("p");
  expect(findBinding(pressed, "g", listKeys(false, true))).toMatchObject({ command: { kind: "go", href: "/admin" } });
  expect(findBinding(pressed, "g", listKeys(true, false))).toBeUndefined();
});
