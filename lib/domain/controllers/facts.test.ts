import { expect, it } from "vitest";
import { readVersion } from "./facts.ts";

it.each([
  ["v1.8.3+49fa151", "1.8.3"],
  [" 1.8.3-rc.1\n", "1.8.3-rc.1"],
  ["v1.8.3-debian-12-r5", "1.8.3-debian-12-r5"],
  ["99.99.99+unknown", "99.99.99"],
  ["1.8", undefined],
  ["latest", undefined],
  [`1.8.3-${"a".repeat(300)}`, undefined],
  ["9".repeat(30).concat(".0.0"), undefined],
])("reads %j as %s", (text, version) => {
  expect(readVersion(text)).toBe(version);
});
