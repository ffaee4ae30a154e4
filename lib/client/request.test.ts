import { describe, expect, it } from "vitest";
import { parseErrorBody } from "#lib/client/api-error.ts";
import { formatQuery } from "#lib/client/request.ts";
import { rolloutHref } from "#lib/client/rollout-path.ts";
import { parseObjectRef } from "#lib/domain/delivery/object-ref.ts";

describe("formatQuery", () => {
  it.each([
    { query: undefined, text: "" },
    { query: { a: undefined, b: null, c: "" }, text: "" },
    { query: { limit: 0 }, text: "?limit=0" },
    { query: { q: "a b&c" }, text: "?q=a+b%26c" },
  ])("writes $text", ({ query, text }) => {
    expect(formatQuery(query)).toBe(text);
  });
});

describe("parseErrorBody", () => {
  it("keeps code, detail and request id of a problem document", () => {
    const body = JSON.stringify({ code: "stale_view", detail: "The rollout changed.", requestId: "r1", changes: [] });
    expect(parseErrorBody(409, body, undefined)).toMatchObject({
      status: 409,
      code: "stale_view",
      message: "The rollout changed.",
      requestId: "r1",
    });
  });

  it.each([
    { name: "markup", text: "<html><body>502</body></html>" },
    { name: "nothing", text: "  " },
    { name: "a long text", text: "x".repeat(301) },
  ])("does not show $name", ({ text }) => {
    expect(parseErrorBody(502, text, "r2").message).toBe("The server answered 502 without saying why.");
  });

  it("shows a short plain text", () => {
    expect(parseErrorBody(503, "starting up", undefined).message).toBe("starting up");
  });
});

describe("rollout paths", () => {
  it("escapes every segment", () => {
    expect(rolloutHref({ cluster: "a", namespace: "b", kind: "Rollout", name: "c/d?e" }, "audit")).toBe(
      "/rollouts/a/b/Rollout/c%2Fd%3Fe?tab=audit",
    );
  });

  it.each(["", "a/b/Rollout", "a/b/Rollout/c/d", "a//Rollout/c"])("refuses the id %j", (id) => {
    expect(parseObjectRef(id)).toBeUndefined();
  });
});
