import { describe, expect, it } from "vitest";
import { docAddress, docFileAt } from "./doc-address.ts";

it.each([
  { file: "README.md", address: "/docs", segments: [] },
  { file: "inbox.md", address: "/docs/inbox", segments: ["inbox"] },
  { file: "api.md", address: "/docs/api-guide", segments: ["api-guide"] },
  { file: "adr/0001-a-decision.md", address: "/docs/adr/0001-a-decision", segments: ["adr", "0001-a-decision"] },
])("$file is served at $address", ({ file, address, segments }) => {
  expect(docAddress(file)).toBe(address);
  expect(docFileAt(segments)).toBe(file);
});

describe("what is no page", () => {
  it.each([["README"], ["api"], [".."], ["..", "SECURITY"], ["adr", "..", "inbox"], ["inbox.md"], ["a/b"], ["a%2fb"]])(
    "%s",
    (...segments) => expect(docFileAt(segments)).toBeUndefined(),
  );
});
