import { expect, it } from "vitest";
import { computeChecksum } from "./send-hooks.ts";

const lastAppliedSpec = "85d557f47b";

// Computed with go-spew and the hash function of flagger 1.44.0.
it.each([
  [undefined, "78679b668"],
  [{}, "59d8479b69"],
  [{ "configmap/b": "0123456789abcdef", "configmap/a": "ff", "secret/a.b": "00" }, "66dbcf6fd6"],
])("the checksum with tracked configs %j is %s", (trackedConfigs, checksum) => {
  expect(computeChecksum({ lastAppliedSpec, ...(trackedConfigs === undefined ? {} : { trackedConfigs }) })).toBe(
    checksum,
  );
});
