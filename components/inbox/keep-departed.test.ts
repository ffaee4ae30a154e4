import { expect, it } from "vitest";
import { keepDeparted } from "#components/inbox/keep-departed.ts";

const keep = (previous: string, incoming: string, kept: string) =>
  keepDeparted([...previous], [...incoming], (key) => kept.includes(key)).join("");

it.each([
  { name: "nothing left", previous: "abc", incoming: "abc", kept: "", order: "abc" },
  { name: "the first", previous: "abc", incoming: "bc", kept: "a", order: "abc" },
  { name: "one in the middle", previous: "abc", incoming: "ac", kept: "b", order: "abc" },
  { name: "the last", previous: "abc", incoming: "ab", kept: "c", order: "abc" },
  { name: "two neighbours", previous: "abcd", incoming: "ad", kept: "bc", order: "abcd" },
  { name: "all", previous: "abc", incoming: "", kept: "abc", order: "abc" },
  { name: "one whose time is over", previous: "abc", incoming: "ac", kept: "", order: "ac" },
  { name: "one while another comes", previous: "abc", incoming: "xac", kept: "b", order: "xabc" },
  { name: "one that follows what has moved", previous: "abc", incoming: "ca", kept: "b", order: "cab" },
  { name: "one after one whose time is over", previous: "abc", incoming: "a", kept: "c", order: "ac" },
])("$name: $order", ({ previous, incoming, kept, order }) => {
  expect(keep(previous, incoming, kept)).toBe(order);
});
