import { expect, it } from "vitest";
import { checkLinks } from "#components/audit/audit-page.tsx";

const link = (seq: number, previousHash = `h${seq - 1}`) => ({ seq, previousHash, hash: `h${seq}` });

it.each([
  { name: "nothing", items: [], checked: 0, brokenAt: undefined },
  { name: "one entry", items: [link(7)], checked: 0, brokenAt: undefined },
  { name: "neighbours, newest first", items: [link(3), link(2), link(1)], checked: 2, brokenAt: undefined },
  { name: "a filtered list with gaps", items: [link(9), link(5), link(4)], checked: 1, brokenAt: undefined },
  { name: "an entry that was changed", items: [link(3), link(2, "other"), link(1)], checked: 2, brokenAt: 2 },
])("$name", ({ items, checked, brokenAt }) => {
  expect(checkLinks(items)).toEqual({ checked, brokenAt });
});
