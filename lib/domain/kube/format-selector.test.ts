import { expect, it } from "vitest";
import { formatSelector } from "./format-selector.ts";

it.each([
  { selector: { matchLabels: { app: "checkout", "a.b/c": "d" } }, text: "app=checkout,a.b/c=d" },
  {
    selector: {
      matchExpressions: [
        { key: "a", operator: "In", values: ["x", "y"] },
        { key: "b", operator: "NotIn", values: ["z"] },
        { key: "c", operator: "Exists" },
        { key: "d", operator: "DoesNotExist", values: null },
      ],
    },
    text: "a in (x,y),b notin (z),c,!d",
  },
  { selector: {}, text: "" },
  { selector: undefined, text: "" },
  { selector: null, text: "" },
])("asks for $text", ({ selector, text }) => {
  expect(formatSelector(selector)).toBe(text);
});
