import { describe, expect, it } from "vitest";
import { readError } from "./gatehouse-error.ts";

describe("the error of an answer", () => {
  it("keeps code, detail and request id of a problem document", async () => {
    const body = JSON.stringify({ code: "stale_view", detail: "The rollout changed.", requestId: "r1", changes: [] });
    expect(await readError(new Response(body, { status: 409 }))).toMatchObject({
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
  ])("does not show $name", async ({ text }) => {
    const { message } = await readError(new Response(text, { status: 502 }));
    expect(message).toBe("The server answered 502 without saying why.");
  });

  it("shows a short plain text", async () => {
    expect((await readError(new Response("starting up", { status: 503 }))).message).toBe("starting up");
  });
});
