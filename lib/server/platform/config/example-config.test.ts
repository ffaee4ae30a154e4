import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { Config } from "#lib/server/platform/config/config-schema.ts";
import { parseConfig } from "#lib/server/platform/config/parse-config.ts";

const file = "deploy/gatehouse.yaml";
const shipped = readFileSync(new URL(`../../../../${file}`, import.meta.url), "utf8");
const documented = readFileSync(new URL("../../../../docs/configuration.md", import.meta.url), "utf8");
/** A # without a following space disables a key; this is the file with all of them removed. */
const whole = shipped.replaceAll(/^( *)#(?=[\w-])/gm, "$1");

type Schema = { properties?: Record<string, Schema>; items?: Schema; anyOf?: Schema[]; oneOf?: Schema[] };

/** Returns the path of every key, such as `clusters.impersonation.groups`; the items of a list count as the list. */
function pathsOf({ properties = {}, items, anyOf = [], oneOf = [] }: Schema, path: readonly string[] = []): string[] {
  return [
    ...(path.length === 0 ? [] : [path.join(".")]),
    ...Object.entries(properties).flatMap(([key, schema]) => pathsOf(schema, [...path, key])),
    ...[...(items === undefined ? [] : [items]), ...anyOf, ...oneOf].flatMap((schema) => pathsOf(schema, path)),
  ];
}

/** Their keys are patterns, names of labels, and Slack's ids of people. */
const named = ["units", "teams.labels", "notifications.slack.users"];

function pathsIn(value: unknown, path: readonly string[] = []): string[] {
  const here = path.length === 0 ? [] : [path.join(".")];
  if (Array.isArray(value)) return [...here, ...value.flatMap((item) => pathsIn(item, path))];
  if (typeof value !== "object" || value === null || named.includes(path.join("."))) return here;
  return [...here, ...Object.entries(value).flatMap(([key, member]) => pathsIn(member, [...path, key]))];
}

const unique = (paths: string[]) => [...new Set(paths)].toSorted();
const known = unique(pathsOf(z.toJSONSchema(Config, { io: "input" }) as Schema)).filter(
  // The demo writes these for itself.
  (path) => !/^demo\b/.test(path),
);

describe("deploy/gatehouse.yaml", () => {
  it("can be used as it is", () => {
    expect(parseConfig({ file, text: shipped }).clusters.map(({ name, access }) => [name, access])).toEqual([
      ["prod-eu", "read"],
      ["prod-us", "act"],
    ]);
  });

  it("names every key there is, and no other", () => {
    expect(known).toContain("policies.freezes.includeProtective");
    expect(unique(pathsIn(parse(whole)))).toEqual(known);
  });

  it("can be used with every key that it names, but for those that exclude another", () => {
    const text = whole.replaceAll(/^ *allowAnyUser:.*$/gm, "");
    const config = parseConfig({ file, text });
    expect(config.clusters.map(({ name }) => name)).toEqual(["prod-eu", "prod-us", "lab"]);
    expect(config.policies.secondPerson).toHaveLength(1);
  });
});

it("docs/configuration.md names every key", () => {
  const words = new Set(documented.match(/\w+/g));
  expect(known.filter((path) => !path.split(".").every((key) => words.has(key)))).toEqual([]);
});
