import { describe, expect, it } from "vitest";
import { parseFlags, parseInteger, parsePositiveNumber, parseTimeFlag, UsageError } from "./command-line.ts";

describe("parseFlags", () => {
  it("takes known flags", () => {
    expect({
      ...parseFlags(["--port", "1", "--faults"], { port: { type: "string" }, faults: { type: "boolean" } }),
    }).toEqual({
      port: "1",
      faults: true,
    });
  });

  it.each([
    { name: "an unknown flag", args: ["--prot", "1"], expected: /'--prot'.*known flags: --port$/ },
    { name: "a word left over", args: ["7460"], expected: /'7460'/ },
    { name: "a flag without its value", args: ["--port"], expected: /--port/ },
  ])("refuses $name in one line", ({ args, expected }) => {
    const parse = () => parseFlags(args, { port: { type: "string" } });
    expect(parse).toThrow(UsageError);
    expect(parse).toThrow(expected);
    expect(parse).not.toThrow(/\n/);
  });
});

describe("numbers of flags", () => {
  const port = (text: string | undefined) =>
    parseInteger({ flag: "--port", text, fallback: 7460, min: 1, max: 65_535 });
  it.each([
    [undefined, 7460],
    ["1", 1],
    ["65535", 65_535],
  ])("a port of %s is %s", (text, expected) => expect(port(text)).toBe(expected));
  it.each(["0", "65536", "-1", "1.5", "", "80x", "1e3", " 80"])("refuses %j for a port", (text) => {
    expect(() => port(text)).toThrow(/--port must be a whole number from 1 to 65535/);
  });

  const speed = (text: string | undefined) => parsePositiveNumber({ flag: "--speed", text, fallback: 1, max: 1000 });
  it.each([
    [undefined, 1],
    ["0.5", 0.5],
    ["1000", 1000],
  ])("a speed of %s is %s", (text, expected) => expect(speed(text)).toBe(expected));
  it.each(["0", "-2", "fast", "1001", "."])("refuses %j for a speed", (text) => {
    expect(() => speed(text)).toThrow(/--speed must be a number above 0/);
  });
});

describe("parseTimeFlag", () => {
  it("reads a time in ms", () => {
    expect(parseTimeFlag("--timeout", "90s")).toBe(90_000);
    expect(parseTimeFlag("--for", "744h", 31)).toBe(31 * 86_400_000);
  });

  it("refuses other texts and times that are too long", () => {
    for (const text of ["soon", "0s", "-1h"])
      expect(() => parseTimeFlag("--timeout", text)).toThrow(/^--timeout must be a time such as 90s, 10m or 2h, not /);
    expect(() => parseTimeFlag("--timeout", "600h")).toThrow("--timeout may be at most 24 days, not 600h");
    expect(() => parseTimeFlag("--for", "745h", 31)).toThrow("--for may be at most 31 days, not 745h");
  });
});
