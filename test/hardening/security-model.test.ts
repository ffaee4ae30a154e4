import { existsSync, readFileSync } from "node:fs";
import { join, normalize } from "node:path";
import { describe, expect, it } from "vitest";
import { LimitConfig, LogConfig, SessionConfig } from "#lib/server/config/config-schema.ts";

const root = join(import.meta.dirname, "../..");
const page = readFileSync(join(root, "docs/security-model.md"), "utf8");

/** Returns the rows of a section's table, without its head, as cells. */
function readTable(heading: string): string[][] {
  const section = page.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? "";
  const lines = section.split("\n").filter((line) => line.startsWith("|"));
  return lines.slice(2).map((line) => line.split("|").map((cell) => cell.trim()));
}

const threats = readTable("Threats").map(([, threat = ""]) => /^\*\*[^*]+\*\*/.exec(threat)?.[0] ?? threat);
const trusted = readTable("Who is trusted with what").map(([, who = ""]) => who);
const tested = new Map(readTable("Tests").map(([, about = "", tests = ""]) => [about, tests]));

describe("docs/security-model.md", () => {
  it("has tables of whom it trusts and of threats", () => {
    expect(trusted.length).toBeGreaterThan(5);
    expect(threats.length).toBeGreaterThan(10);
  });

  it.each([...trusted, ...threats])("has tests about %s", (row) => {
    expect(tested.has(row), row).toBe(true);
  });

  it.each([...tested])("names tests that exist about %s", (_, tests) => {
    const files = [...tests.matchAll(/\]\((\S+)\)/g)].map(([, target = ""]) => normalize(join("docs", target)));
    expect(files.length).toBeGreaterThan(0);
    expect(files.filter((file) => !/\.(test|spec)\.tsx?$/.test(file) || !existsSync(join(root, file)))).toEqual([]);
  });

  it("tells the limits of a config that names none", () => {
    const { requestsPerMinute, signInRequestsPerMinute } = LimitConfig.parse({});
    const { podsPerPerson } = LogConfig.parse({});
    const { idleMinutes, absoluteHours } = SessionConfig.parse({});
    const said = [
      `${requestsPerMinute} requests a minute per person`,
      `${signInRequestsPerMinute} per address below \`/api/auth\``,
      `${podsPerPerson} logs`,
      `after ${idleMinutes / 60} hours idle and after ${absoluteHours} hours in any case`,
    ];
    expect(said.filter((text) => !page.includes(text))).toEqual([]);
  });
});
