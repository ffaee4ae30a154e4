import { describe, expect, it } from "vitest";
import { safeCallbackPath } from "./safe-callback-path.ts";

describe("safeCallbackPath below a path", () => {
  it.each([
    { target: "/rollouts?q=a", path: "/rollouts?q=a" },
    // Without the base path: a page may have the base path's name.
    { target: "/gatehouse/inbox", path: "/gatehouse/inbox" },
    { target: "https://host.example.com/gatehouse/inbox#a", path: "/inbox#a" },
    { target: "https://host.example.com/gatehouse", path: "/" },
    { target: "https://host.example.com/other/inbox", path: "/" },
    { target: "https://host.example.com/gatehouses/inbox", path: "/" },
    { target: "https://host.example.com/gatehouse/../other", path: "/" },
    { target: "https://host.example.com/gatehouse/api/v1/me", path: "/" },
    { target: "https://host.example.com/gatehouse//evil.example", path: "/" },
    { target: "https://evil.example/gatehouse/inbox", path: "/" },
    { target: "//evil.example/gatehouse", path: "/" },
    { target: "/api/v1/me", path: "/" },
  ])("makes $path of $target", ({ target, path }) => {
    expect(safeCallbackPath(target, "https://host.example.com/gatehouse")).toBe(path);
  });
});
