import { describe, expect, it } from "vitest";
import { cleanText } from "./clean-text.ts";

describe("text from a cluster", () => {
  it("cannot move the cursor, change colours, or turn the direction of a line", () => {
    expect(cleanText("ok\u001b[2J\u202egnp\u0007")).toBe("ok\ufffd[2J\ufffdgnp\ufffd");
  });

  it("stays on one line", () => {
    expect(cleanText("first\r\nsecond\u2028third")).toBe("first second third");
  });
});
