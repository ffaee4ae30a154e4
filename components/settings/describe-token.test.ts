import { describe, expect, it } from "vitest";
import { classifyToken, rolesUpTo } from "#components/settings/describe-token.ts";

const now = Date.parse("2026-11-20T12:00:00.000Z");

describe("classifyToken", () => {
  it.each([
    { revokedAt: null, expiresAt: null, word: "Valid" },
    { revokedAt: null, expiresAt: "2026-11-20T12:00:00.001Z", word: "Valid" },
    { revokedAt: null, expiresAt: "2026-11-20T12:00:00.000Z", word: "Expired" },
    { revokedAt: "2026-11-20T11:00:00.000Z", expiresAt: null, word: "Revoked" },
    { revokedAt: "2026-11-20T11:00:00.000Z", expiresAt: "2026-11-19T12:00:00.000Z", word: "Revoked" },
  ])("revoked $revokedAt, expires $expiresAt: $word", ({ word, ...token }) => {
    expect(classifyToken(token, now).word).toBe(word);
  });
});

describe("rolesUpTo", () => {
  it.each([
    { role: "viewer" as const, roles: ["viewer"] },
    { role: "operator" as const, roles: ["viewer", "operator"] },
    { role: "admin" as const, roles: ["viewer", "operator", "admin"] },
  ])("offers a $role $roles", ({ role, roles }) => {
    expect(rolesUpTo(role)).toEqual(roles);
  });
});
