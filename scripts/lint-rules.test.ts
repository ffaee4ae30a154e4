import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

type Case = { rule: string; file: string; text: string };

const caught: Case[] = [
  { rule: "noDefaultExport", file: "lib/util/x.ts", text: "export default function x() {}\n" },
  { rule: "noEnum", file: "lib/util/x.ts", text: "export enum X {\n  A,\n}\n" },
  { rule: "noExplicitAny", file: "lib/util/x.ts", text: "export const x = (a: any) => a;\n" },
  { rule: "noNonNullAssertion", file: "lib/util/x.ts", text: "export const x = (a?: string) => a!;\n" },
  {
    rule: "useImportType",
    file: "lib/util/x.ts",
    text: 'import { A } from "./a.ts";\nexport const x = (a: A) => a;\n',
  },
  { rule: "useConsistentTypeDefinitions", file: "lib/util/x.ts", text: "export interface X {\n  a: string;\n}\n" },
  { rule: "useFilenamingConvention", file: "lib/util/camelCase.ts", text: "export const x = 1;\n" },
  { rule: "noBarrelFile", file: "lib/util/index.ts", text: 'export * from "./a.ts";\n' },
];

const innocent: Case = {
  rule: "noDefaultExport",
  file: "app/page.tsx",
  text: "export default function Page() {\n  return null;\n}\n",
};

type Diagnostic = { category: string; location: { path: string } };

const projectRoot = dirname(import.meta.dirname);
let tree: string;
let found: string[];

beforeAll(() => {
  tree = mkdtempSync(join(tmpdir(), "gatehouse-lint-"));
  cpSync(join(projectRoot, "biome.json"), join(tree, "biome.json"));
  for (const { rule, file, text } of [...caught, innocent]) {
    const path = join(tree, folderOf(rule, file));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  const biome = join(projectRoot, "node_modules/@biomejs/biome/bin/biome");
  const args = [biome, "lint", "--vcs-enabled=false", "--reporter=json", "--max-diagnostics=none", "."];
  const { stdout } = spawnSync(process.execPath, args, { cwd: tree, encoding: "utf8" });
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: Diagnostic[] };
  found = diagnostics.map(({ category, location }) => `${category.split("/").at(-1)} ${location.path}`);
});
afterAll(() => rmSync(tree, { recursive: true, force: true }));

/** Returns a separate folder for each plant, so that a violation reported for the wrong plant is noticed. */
function folderOf(rule: string, file: string): string {
  const [top = "", ...rest] = file.split("/");
  return join(top, rule.toLowerCase(), ...rest);
}

describe("lint rules", () => {
  it.each(caught)("$rule catches a planted violation", ({ rule, file }) => {
    expect(found).toContain(`${rule} ${folderOf(rule, file)}`);
  });

  it("lets Next's own files have their default export", () => {
    expect(found.filter((line) => line.endsWith(folderOf(innocent.rule, innocent.file)))).toEqual([]);
  });
});
