import { expect, it } from "vitest";
import { checkLinks, describeChecked, describeCover } from "#components/audit/audit-page.tsx";

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

it.each([
  [0, 0, ""],
  [1, 1, "The link between them matches."],
  [126, 126, "All 126 links between them match."],
  [48, 126, ""],
  [0, 5, ""],
])("says of %d checked links of %d: %s", (checked, links, words) => {
  expect(describeChecked(checked, links)).toBe(words);
});

const row = (seq: number, intentSeq: number | null = null, attributedBy: number | null = null) => ({
  ...{ seq, intentSeq, attributedBy },
});

it.each([
  { name: "one entry", items: [row(7)], words: "Entry 7." },
  {
    name: "requests in the rows of their outcomes",
    items: [row(118), row(117, 116), row(115)],
    words: "Entries 115 to 118 in 3 rows: some rows cover two entries.",
  },
  {
    name: "a change with the later entry that names its person",
    items: [row(6), row(4, null, 5)],
    words: "Entries 4 to 6 in 2 rows: some rows cover two entries.",
  },
  { name: "a filtered list", items: [row(9), row(4)], words: "2 of the entries 4 to 9." },
])("says which entries the rows cover: $name", ({ items, words }) => {
  expect(describeCover(items)).toBe(words);
});
