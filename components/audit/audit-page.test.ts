import { expect, it } from "vitest";
import { checkLinks, describeChecked, describeRows } from "#components/audit/audit-page.tsx";

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

const row = (seq: number, intentSeq: number | null = null, attributedBy: number | null = null) => ({
  ...{ seq, intentSeq, attributedBy },
});

it.each([
  { name: "nothing", items: [], checked: 0, words: "" },
  { name: "one entry", items: [row(7)], checked: 0, words: "" },
  { name: "two entries", items: [row(8), row(7)], checked: 1, words: "The link between entries 7 and 8 matches." },
  {
    name: "every link",
    items: [row(9), row(8), row(7)],
    checked: 2,
    words: "All 2 links between entries 7 and 9 match.",
  },
  { name: "a row with its request", items: [row(9, 8), row(7)], checked: 0, words: "" },
  { name: "a row with a later entry", items: [row(6), row(4, null, 5)], checked: 1, words: "" },
])("claims only links that were all checked: $name", ({ items, checked, words }) => {
  expect(describeChecked(items, checked)).toBe(words);
});

it.each([
  { count: 0, hasMore: false, words: "0 rows" },
  { count: 1, hasMore: false, words: "1 row" },
  { count: 48, hasMore: false, words: "48 rows" },
  { count: 50, hasMore: true, words: "The first 50 rows" },
])("counts the rows of the page: $words", ({ count, hasMore, words }) => {
  expect(describeRows(count, hasMore)).toBe(words);
});
