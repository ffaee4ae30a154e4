import { expect, it } from "vitest";
import { nameRelease, numberRelease } from "#lib/client/name-release.ts";

const release = { revision: 12, runKey: "5d4f8", attempt: 1 };

it.each([
  { given: release, name: "revision 12", number: "12" },
  { given: { ...release, attempt: 2 }, name: "revision 12, attempt 2", number: "12, attempt 2" },
  { given: { ...release, revision: 0 }, name: "revision 0", number: "0" },
  { given: { ...release, revision: null }, name: "version 5d4f8", number: "5d4f8" },
  { given: { ...release, revision: null, attempt: 3 }, name: "version 5d4f8, attempt 3", number: "5d4f8, attempt 3" },
])("names a release $name", ({ given, name, number }) => {
  expect(nameRelease(given)).toBe(name);
  expect(numberRelease(given)).toBe(number);
});
