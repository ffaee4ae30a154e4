import { expect, it } from "vitest";
import { readStatusMessage } from "#lib/server/clusters/object-api.ts";

it("shows no half of a token in a cluster's message, however much space is before it", () => {
  const message = `denied${" ".repeat(9_990 - 6)}ghp_${"a1B2".repeat(9)} was refused`;
  expect(readStatusMessage({ json: { message }, text: "", status: 403 })).toBe("denied [redacted] was refused");
});
