import { describe, expect, it } from "vitest";
import { createSender, formatQuery } from "./send.ts";

describe("formatQuery", () => {
  it.each([
    { query: undefined, text: "" },
    { query: { a: undefined, b: null, c: "" }, text: "" },
    { query: { limit: 0, all: false }, text: "?limit=0&all=false" },
    { query: { q: "a b&c" }, text: "?q=a+b%26c" },
  ])("writes $text", ({ query, text }) => {
    expect(formatQuery(query)).toBe(text);
  });
});

describe("an answer that is no JSON", () => {
  it("is read no further than the longest answer", async () => {
    const piece = new Uint8Array(1024 * 1024).fill(32);
    let pieces = 0;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        pieces += 1;
        controller.enqueue(piece);
      },
    });
    const { request } = createSender({ url: "http://h.example", fetch: async () => new Response(body) });
    await expect(request({ path: "/" })).rejects.toMatchObject({
      code: "unreadable",
      message: "What answers at http://h.example is not Gatehouse: its answer is not JSON.",
    });
    expect(pieces).toBeLessThan(70);
  });
});

it("sends a form as a form", async () => {
  let sent: RequestInit = {};
  const answer = async (_: unknown, init: RequestInit = {}) => {
    sent = init;
    return Response.json({});
  };
  const body = new URLSearchParams({ a: "b" });
  await createSender({ url: "", fetch: answer }).request({ method: "POST", path: "/", body });
  expect(sent.body).toBe(body);
  expect(new Headers(sent.headers).has("content-type")).toBe(false);
});
