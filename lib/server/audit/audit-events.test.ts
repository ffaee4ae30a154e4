import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { rolloutActions } from "#lib/domain/acting/action-catalogue.ts";

const root = join(import.meta.dirname, "../../..");
const catalogue = readFileSync(join(root, "docs/audit-events.md"), "utf8");

/** Literal codes in the files that append entries. */
const codes = globSync("{lib,bin}/**/*.ts", { cwd: root })
  .filter((file) => !file.includes(".test."))
  .map((file) => readFileSync(join(root, file), "utf8"))
  .filter((text) => text.includes("appendAudit("))
  .flatMap((text) => [...text.matchAll(/code: "([a-z_]+\.[a-z_.-]+)"/g)].map((match) => match[1]));

it("finds codes to look up", () => {
  expect(codes.length).toBeGreaterThan(3);
});

it.each([...new Set([...codes, ...rolloutActions.map((action) => `action.${action}`)])])(
  "docs/audit-events.md lists %s",
  (code) => {
    // Not toContain, which would print the page.
    expect(catalogue.includes(`\`${code}\``)).toBe(true);
  },
);
