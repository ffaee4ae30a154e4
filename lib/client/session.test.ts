import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { describeSignInError, goToSignIn, parseCallbackPath, signOut } from "#lib/client/session.ts";

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
    { value: "/%5c%5cevil.example", path: "/inbox" },
    { value: "/a\u0009b", path: "/inbox" },
  ])("makes $path of $value", ({ value, path }) => {
    expect(parseCallbackPath(value)).toBe(path);
  });
});

it("says at sign-in that the provider left out the groups, and who can change that", () => {
  const text = describeSignInError("GroupsLeftOut");
  expect(text).toContain("left them out");
  expect(text).toContain("Ask the person who runs Gatehouse");
});

describe("signOut", () => {
  const assign = vi.fn();
  let answer: () => Response;
  beforeEach(() => {
    assign.mockClear();
    vi.stubGlobal("window", { location: { pathname: "/inbox", search: "", origin: "http://h.example", assign } });
    vi.stubGlobal("document", { querySelector: () => null });
    vi.stubGlobal("fetch", async (url: string) => {
      goToSignIn();
      return url.endsWith("/csrf") ? Response.json({ csrfToken: "t" }) : answer();
    });
  });
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  it("stays on the page if it fails, and an expired session is reported then", async () => {
    answer = () => new Response("", { status: 500 });
    await expect(signOut()).rejects.toThrow();
    expect(assign).not.toHaveBeenCalled();
    goToSignIn();
    expect(assign).toHaveBeenCalledExactlyOnceWith("/signin?callbackUrl=%2Finbox&error=SessionRequired");
  });

  it("opens the sign-in page without a word of an expired session, whatever answers 401 meanwhile", async () => {
    answer = () => Response.json({ url: "/signin" });
    await signOut();
    expect(assign).toHaveBeenCalledExactlyOnceWith("/signin");
  });
});
