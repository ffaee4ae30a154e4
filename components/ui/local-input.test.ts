import { describe, expect, it } from "vitest";
import { fromLocalInput, toLocalInput } from "#components/ui/local-input.ts";

describe("local times", () => {
  it("come back from the URL as they were typed, in any zone", () => {
    const typed = "2026-11-20T15:30";
    const inUrl = fromLocalInput(typed) ?? "";
    expect(inUrl).toMatch(/^2026-11-\d\dT\d\d:\d\d:00\.000Z$/);
    expect(toLocalInput(inUrl)).toBe(typed);
    expect(Date.parse(inUrl)).toBe(new Date(2026, 10, 20, 15, 30).getTime());
  });

  it.each(["", "yesterday", "2026-13-40T99:99"])("make nothing of %j", (text) => {
    expect(fromLocalInput(text)).toBeNull();
    expect(toLocalInput(text)).toBe("");
  });
});
