import { describe, expect, it } from "vitest";
import { parseCallbackPath } from "#lib/client/session.ts";

describe("parseCallbackPath", () => {
  it.each([
    { value: "/rollouts/a/b/Rollout/c?tab=audit", path: "/rollouts/a/b/Rollout/c?tab=audit" },
    { value: undefined, path: "/inbox" },
    { value: "", path: "/inbox" },
    { value: "https://evil.example/x", path: "/inbox" },
    { value: "//evil.example/x", path: "/inbox" },
    { value: "/\\evil.example", path: "/inbox" },
    { value: "javascript:alert(1)", path: "/inbox" },
    { value: "/signin?callbackUrl=/x", path: "/inbox" },
    { value: "/api/auth/signout", path: "/inbox" },
    { value: "/%61pi/v1/me", path: "/inbox" },
    { value: "/inbox\\..\\x", path: "/inbox" },
    { value: "/inbox/..//evil.example", path: "/inbox" },
    { value: "/a%5cevil.example", path: "/inbox" },
    { value: "/a\u0009b", path: "/inbox" },
  ])("makes $path of $value", ({ value, path }) => {
    expect(parseCallbackPath(value)).toBe(path);
  });
});
