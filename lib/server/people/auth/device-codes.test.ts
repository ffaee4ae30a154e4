import { expect, it } from "vitest";
import { createDeviceCode, createUserCode, hashUserCode, parseUserCode } from "./device-codes.ts";

it("creates codes of unmistakable letters, each another one", () => {
  const codes = Array.from({ length: 500 }, createUserCode);
  for (const code of codes) expect(code).toMatch(/^[B-DF-HJ-NP-TV-XZ]{4}-[B-DF-HJ-NP-TV-XZ]{4}$/);
  expect(new Set(codes).size).toBe(codes.length);
  expect(new Set(codes.join("").replaceAll("-", "")).size).toBe(20);
  expect(createDeviceCode()).toMatch(/^ghd_[A-Za-z0-9_-]{43}$/);
});

it.each([
  { typed: "WDJB-MJHT", code: "WDJBMJHT" },
  { typed: " wdjb mjht ", code: "WDJBMJHT" },
  { typed: "WDJBMJH", code: undefined },
  { typed: "WDJB-MJHTT", code: undefined },
  { typed: "WDJB-MJHA", code: undefined },
  { typed: "", code: undefined },
])("reads $typed as $code", ({ typed, code }) => expect(parseUserCode(typed)).toBe(code));

it("hashes a code with the secret", () => {
  expect(hashUserCode("WDJBMJHT", "a")).toMatch(/^[0-9a-f]{64}$/);
  expect(hashUserCode("WDJBMJHT", "a")).not.toBe(hashUserCode("WDJBMJHT", "b"));
});
