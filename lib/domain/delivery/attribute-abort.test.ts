import { expect, it } from "vitest";
import { type AbortFacts, attributeAbort } from "./attribute-abort.ts";

const by = (source: "gatehouse" | "cluster" | "system") => ({ source });

it.each<{ name: string; facts: AbortFacts; is: string }>([
  { name: "a cause, and nobody", facts: { isOnRequest: false, act: undefined }, is: "controller" },
  { name: "a cause beside a request", facts: { isOnRequest: false, act: by("gatehouse") }, is: "controller" },
  { name: "a request through Gatehouse", facts: { isOnRequest: true, act: by("gatehouse") }, is: "person" },
  { name: "a request that the recorder confirmed", facts: { isOnRequest: true, act: by("system") }, is: "person" },
  { name: "a request outside Gatehouse", facts: { isOnRequest: true, act: by("cluster") }, is: "client" },
  { name: "a request of nobody known", facts: { isOnRequest: true, act: undefined }, is: "unknown" },
  { name: "a silent controller, and a person", facts: { isOnRequest: undefined, act: by("gatehouse") }, is: "person" },
  { name: "a silent controller, and nobody", facts: { isOnRequest: undefined, act: undefined }, is: "controller" },
])("gives an abort to its author: $name", ({ facts, is }) => {
  expect(attributeAbort(facts)).toBe(is);
});
