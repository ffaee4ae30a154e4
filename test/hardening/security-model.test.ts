import { existsSync, readFileSync } from "node:fs";
import { join, normalize } from "node:path";
import { describe, expect, it } from "vitest";
import { maxObjectBytes } from "#lib/server/clusters/kubernetes/read-answer.ts";
import { maxPageBytes } from "#lib/server/clusters/object-api.ts";
import { auditSlots } from "#lib/server/pages/audit/audit-slots.ts";
import { logLimits } from "#lib/server/pages/logs/log-limits.ts";
import { LimitConfig, SessionConfig } from "#lib/server/platform/config/config-schema.ts";

const root = join(import.meta.dirname, "../..");
const page = readFileSync(join(root, "docs/security-model.md"), "utf8");

/** Of the page, by heading. */
const sections = new Map(
  page
    .split(/^## /m)
    .slice(1)
    .map((text) => [text.split("\n")[0] ?? "", text]),
);
const linesOf = (heading: string) => (sections.get(heading) ?? "").split("\n");

/** Returns the rows of a section's table, without its head, as cells. */
function readTable(heading: string): string[][] {
  const lines = linesOf(heading).filter((line) => line.startsWith("|"));
  return lines.slice(2).map((line) => line.split("|").map((cell) => cell.trim()));
}

const nameOf = (text: string) => /^\*\*[^*]+\*\*/.exec(text)?.[0] ?? text;
const threats = readTable("Threats").map(([, threat = ""]) => nameOf(threat));
const trusted = readTable("Who is trusted with what").map(([, who = ""]) => who);
const items = [...sections.keys()].flatMap((heading) =>
  linesOf(heading).flatMap((line) => (line.startsWith("- ") ? [nameOf(line.slice(2))] : [])),
);
/** Sections that say all in sentences. Why something matters is no claim. */
const reported = [...sections]
  .filter(([heading, text]) => !["Assets", "Tests"].includes(heading) && !/^(?:\||- )/m.test(text))
  .map(([heading]) => `[${heading}](#${heading.toLowerCase().replaceAll(" ", "-")})`);
const claims = [...trusted, ...threats, ...items, ...reported];
const tested = new Map(readTable("Tests").map(([, about = "", tests = ""]) => [about, tests]));

describe("docs/security-model.md", () => {
  it("has tables of whom it trusts and of threats", () => {
    expect(trusted.length).toBeGreaterThan(5);
    expect(threats.length).toBeGreaterThan(10);
    expect(items.length).toBeGreaterThan(5);
    expect(reported).toEqual(["[Trust boundaries](#trust-boundaries)", "[Where failure leads](#where-failure-leads)"]);
  });

  it.each(claims)("has tests about %s", (row) => {
    expect(tested.has(row), row).toBe(true);
  });

  it("lists tests once for each, and about nothing else", () => {
    expect([...tested.keys()].toSorted()).toEqual([...new Set(claims)].toSorted());
    expect(readTable("Tests")).toHaveLength(claims.length);
  });

  it.each([...tested])("names tests that exist about %s", (_, tests) => {
    const files = [...tests.matchAll(/\]\((\S+)\)/g)].map(([, target = ""]) => normalize(join("docs", target)));
    expect(files.length).toBeGreaterThan(0);
    expect(files.filter((file) => !/\.(test|spec)\.tsx?$/.test(file) || !existsSync(join(root, file)))).toEqual([]);
  });

  it("tells the limits of a config that names none", () => {
    const { requestsPerMinute, addressRequestsPerMinute, streamsPerPerson } = LimitConfig.parse({});
    const { idleMinutes, absoluteHours } = SessionConfig.parse({});
    const mebibyte = 1024 * 1024;
    const said = [
      `${requestsPerMinute} requests a minute per person`,
      `${addressRequestsPerMinute} per address below \`/api/auth\``,
      `${addressRequestsPerMinute} requests a minute per address without a session`,
      `${streamsPerPerson} streams`,
      `${logLimits.podsPerPerson} logs and ${auditSlots.perPerson === 2 ? "two" : auditSlots.perPerson} exports per person`,
      `${maxObjectBytes / mebibyte} MiB per object or line of a watch`,
      `${maxPageBytes / mebibyte} MiB per page of a list`,
      `after ${idleMinutes / 60} hours idle and after ${absoluteHours} hours in any case`,
    ];
    expect(said.filter((text) => !page.includes(text))).toEqual([]);
  });
});
