import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { actionNames, entryOf } from "#lib/domain/acting/action-catalogue.ts";
import { actionDocs } from "./actions-doc.ts";

const root = join(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");

/** Whether a text has the word by itself: `retry` is not in `auto-retry`. */
const names = (text: string, word: string) => new RegExp(`(?<![\\w-])${word}(?![\\w-])`).test(text);

it.each(Object.entries(actionDocs))(
  "%s lists the actions of the catalogue: run npx node scripts/actions-doc.ts",
  (path, write) => {
    expect(read(path)).toBe(write(read(path)));
  },
);

describe("each action is named", () => {
  const access = read("docs/access.md");

  it.each(actionNames)("in the table of actions in docs/access.md, by its direction: %s", (name) => {
    const row = access.split("\n").find((line) => line.startsWith(`| ${entryOf(name).direction} |`)) ?? "";
    expect(names(row, name)).toBe(true);
  });

  it.each(actionNames)("in the tables of rights in docs/acting-at-clusters.md: %s", (name) => {
    const rows = read("docs/acting-at-clusters.md")
      .split("\n")
      .filter((line) => line.startsWith("|"));
    expect(rows.some((row) => names(row, name))).toBe(true);
  });

  it.each(actionNames)("in the comments of deploy/rbac-act.yaml: %s", (name) => {
    const comments = read("deploy/rbac-act.yaml")
      .split("\n")
      .filter((line) => line.trimStart().startsWith("#"));
    expect(comments.some((line) => names(line, name))).toBe(true);
  });
});
