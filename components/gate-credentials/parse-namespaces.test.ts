import { expect, it } from "vitest";
import { parseNamespaces } from "./parse-namespaces.ts";

it.each([
  { text: "payments", patterns: ["payments"] },
  { text: " payments, team-*\nshop ", patterns: ["payments", "team-*", "shop"] },
  { text: "*", patterns: ["*"] },
  { text: "", patterns: undefined },
  { text: " , ", patterns: undefined },
  { text: "Payments", patterns: undefined },
  { text: "payments,a/b", patterns: undefined },
  { text: "x".repeat(64), patterns: undefined },
])("reads $text", ({ text, patterns }) => {
  expect(parseNamespaces(text)).toEqual(patterns);
});
