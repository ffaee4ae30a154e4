import { describe, expect, it } from "vitest";
import { storableText } from "./text-fields.ts";

const most = 64 * 1024;

describe("storableText", () => {
  it("keeps a text of 64 Ki characters, and cuts a longer one", () => {
    const text = "x".repeat(most);
    expect(storableText(text)).toBe(text);
    expect(storableText(`${text}y`)).toBe(`${text}…`);
  });

  it.each([
    { name: "a token with a known format", secret: `ghp_${"a".repeat(30)}`, secrets: [] },
    {
      name: "a secret of the object that is longer than what is kept",
      secret: "s".repeat(100_000),
      secrets: ["s".repeat(100_000)],
    },
  ])("cuts no secret in half: $name", ({ secret, secrets }) => {
    const stored = storableText(`${"x ".repeat(most / 2 - 10)}${secret}`, secrets);
    expect(stored).toContain("[redacted]");
    expect(stored).not.toContain(secret.slice(0, 8));
  });
});
