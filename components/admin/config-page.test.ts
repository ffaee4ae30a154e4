import { expect, it } from "vitest";
import type { ConfigEntry } from "#lib/contract/admin.ts";
import { filterEntries } from "./config-page.tsx";

const entry = (path: string, value: string, origin: ConfigEntry["origin"] = "file"): ConfigEntry => ({
  ...{ path, value, origin, line: null, note: null },
});
const entries = [
  entry("auth.roles[0].role", "admin"),
  entry("auth.roles[1].role", "viewer"),
  entry("limits.x", "5", "default"),
];
const find = (text: string, own = false) => filterEntries(entries, { text, own }).map(({ path }) => path);

it("finds every word in path or value, in either case", () => {
  expect(find("")).toHaveLength(3);
  expect(find("auth.roles[1]")).toEqual(["auth.roles[1].role"]);
  expect(find("ROLE admin")).toEqual(["auth.roles[0].role"]);
  expect(find("nothing")).toEqual([]);
  expect(find("", true)).toEqual(["auth.roles[0].role", "auth.roles[1].role"]);
});
