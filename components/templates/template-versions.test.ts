import { describe, expect, it } from "vitest";
import { chooseVersions, versionKey } from "#components/templates/template-versions.tsx";

const versions = [
  { version: 2, templateUid: "new" },
  { version: 1, templateUid: "new" },
  { version: 2, templateUid: "old" },
  { version: 1, templateUid: "old" },
];
const nothing = { version: null, with: null };

describe("chooseVersions", () => {
  it.each([
    { name: "the newest with the one before it", wanted: nothing, after: "2", before: "1", missing: undefined },
    {
      name: "a version by number",
      wanted: { version: "1", with: null },
      after: "1",
      before: "2.old",
      missing: undefined,
    },
    {
      name: "one of an earlier life",
      wanted: { version: "2.old", with: null },
      after: "2.old",
      before: "1.old",
      missing: undefined,
    },
    { name: "any two", wanted: { version: "2", with: "1.old" }, after: "2", before: "1.old", missing: undefined },
    {
      name: "the first ever",
      wanted: { version: "1.old", with: null },
      after: "1.old",
      before: undefined,
      missing: undefined,
    },
    { name: "with itself", wanted: { version: "2", with: "2" }, after: "2", before: undefined, missing: undefined },
    { name: "one that is not loaded", wanted: { version: "9", with: null }, after: "2", before: "1", missing: "9" },
  ])("$name", ({ wanted, after, before, missing }) => {
    const chosen = chooseVersions(versions, wanted);
    const key = (version: (typeof versions)[number] | undefined) =>
      version === undefined ? undefined : versionKey(version, { templateUid: "new" });
    expect({ after: key(chosen?.after), before: key(chosen?.before), missing: chosen?.missing }).toEqual({
      after,
      before,
      missing,
    });
  });

  it("has nothing to say of none", () => {
    expect(chooseVersions([], nothing)).toBeUndefined();
  });
});
