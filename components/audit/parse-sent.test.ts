import { expect, it } from "vitest";
import { parseSent } from "#components/audit/parse-sent.ts";

const patch = {
  object: "Rollout/checkout",
  subresource: "status",
  resourceVersion: "12",
  body: { status: { abort: true } },
  answer: "accepted",
};

it.each([
  { name: "an entry without it", sent: undefined, is: undefined },
  { name: "a decision that sends nothing", sent: [], is: [] },
  { name: "a patch", sent: [patch], is: [patch] },
  { name: "a patch of another shape", sent: [patch, { ...patch, answer: 1 }], is: undefined },
  { name: "something else", sent: { patch }, is: undefined },
])("reads what was sent: $name", ({ sent, is }) => {
  expect(parseSent(sent)).toEqual(is);
});
