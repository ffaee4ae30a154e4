// npm run measure: the size and shape of the code base beside its goals. Counts of files and lines leave out tests and
// generated code. The recipes of CONTRIBUTING.md list the files that a new field or action touches; try them by hand.
import { globSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import ts from "typescript";
import { projectRoot } from "./install.mjs";
import { runNode } from "./steps.mjs";

const read = (file) => readFileSync(join(projectRoot, file), "utf8");
const isProduct = (file) => !/\.test\.tsx?$|\/testing\/|\/generated\//.test(file);
const product = globSync(["lib/**/*.{ts,tsx}", "app/**/*.{ts,tsx}", "components/**/*.{ts,tsx}", "bin/**/*.ts"], {
  cwd: projectRoot,
}).filter(isProduct);
const texts = new Map(product.map((file) => [file, read(file)]));
const imports = new Map(product.map((file) => [file, listImports(file)]));
const server = product.filter((file) => file.startsWith("lib/server/"));

/** Lists the product files that a file imports. */
function listImports(file) {
  const { importedFiles } = ts.preProcessFile(texts.get(file), true, true);
  return [
    ...new Set(
      importedFiles
        .map(({ fileName }) =>
          fileName.startsWith("#") ? fileName.slice(1) : normalize(join(dirname(file), fileName)),
        )
        .filter((target) => texts.has(target)),
    ),
  ];
}

/** Counts the files of lib/server that a file reaches by imports, itself included. */
function countReached(start) {
  if (!texts.has(start)) throw new Error(`there is no ${start}`);
  const found = new Set([start]);
  for (const file of found)
    for (const target of imports.get(file)) if (target.startsWith("lib/server/")) found.add(target);
  return found.size;
}

function countMatches(files, pattern) {
  return files.reduce((sum, file) => sum + [...texts.get(file).matchAll(pattern)].length, 0);
}

const linesOf = (text) => text.split("\n").length - 1;
const lines = product.map((file) => linesOf(texts.get(file))).toSorted((one, other) => one - other);
const importers = new Map();
for (const targets of imports.values())
  for (const target of targets) importers.set(target, (importers.get(target) ?? 0) + 1);
const withOneImporter = product.filter((file) => importers.get(file) === 1).length;

const schema = read("prisma/schema.prisma");
const migrations = globSync("prisma/migrations/*/migration.sql", { cwd: projectRoot });
const sql = migrations.map(read).join("\n");
const countIn = (text, pattern) => [...text.matchAll(pattern)].length;
const tables = countIn(sql, /^CREATE TABLE (?!measurement_default)/gm);
const keys = countIn(sql, /PRIMARY KEY/g);
const decisions = readdirSync(join(projectRoot, "docs/adr")).filter((name) => /^\d{4}-/.test(name)).length;
const rooms = readdirSync(join(projectRoot, "lib/server"), { withFileTypes: true }).filter((one) => one.isDirectory());
const client =
  /\b(?:prisma|prismaOn\([\w.]+\))\s*\.\w+\s*\.(?:find|create|update|upsert|delete|count|aggregate|groupBy)\w*\(/g;

const rows = [
  ["rooms of lib/server", rooms.length, "16"],
  ["server files that one abort reaches", countReached("lib/server/acting/act/act-on-rollout.ts"), "55"],
  ["server files that an acknowledgement reaches", countReached("lib/server/oversight/findings/acknowledge.ts"), "10"],
  ["product files", product.length, "1350"],
  ["median lines of a product file", lines[Math.floor(lines.length / 2)], "70 to 100"],
  ["files with one importer, percent", Math.round((withOneImporter * 100) / product.length), "25"],
  ["product lines", lines.reduce((sum, count) => sum + count, 0), "112000"],
  ["Prisma client calls", countMatches(server, client), "at least 250"],
  ["relations", countIn(schema, /@relation\(/g), "at least 45"],
  ["enums", countIn(schema, /^enum /gm), "at least 20"],
  ["sql templates", countMatches(product, /\bsql(?:<[^`]*?>)?`/g), "260"],
  ["tables", tables, "52"],
  ["indexes, with those of keys", keys + countIn(sql, /^CREATE (?:UNIQUE )?INDEX/gm), "120"],
  ["triggers", countIn(sql, /^CREATE TRIGGER/gm), "6"],
  ["foreign keys", countIn(sql, /FOREIGN KEY/g), "at least 40"],
  ["migrations", migrations.length, "1"],
  ["lines of migrations", linesOf(sql), "1100"],
  ["config keys", await countConfigKeys(), "170"],
  ["import rules", await countImportRules(), "30"],
  ["pages of decisions", decisions, "20"],
  ["words of docs/architecture.md", read("docs/architecture.md").split(/\s+/).length - 1, "2000"],
];

/** The schema is TypeScript: the Node that runs this script may not read it. */
async function countConfigKeys() {
  const program = `
    import { z } from "zod";
    import { Config } from "#lib/server/platform/config/config-schema.ts";
    const count = (node) => typeof node !== "object" || node === null ? 0
      : Object.keys(node.properties ?? {}).length + Object.values(node).reduce((sum, one) => sum + count(one), 0);
    console.log(count(z.toJSONSchema(Config, { io: "input", unrepresentable: "any" })));`;
  const { ok, output } = await runNode(["--input-type=module", "--eval", program]);
  if (!ok) throw new Error(`the config's keys cannot be counted: ${output}`);
  return Number(output.trim().split("\n").at(-1));
}

async function countImportRules() {
  const [{ default: edges }, { default: reach }] = await Promise.all([
    import("../.dependency-cruiser.cjs"),
    import("../.dependency-cruiser.runtime.cjs"),
  ]);
  // The one of scripts/server-rooms.cjs is not in these files.
  return [edges, reach].reduce((sum, { forbidden = [], required = [] }) => sum + forbidden.length + required.length, 1);
}

const widths = [0, 1].map((at) => Math.max(...rows.map((row) => String(row[at]).length)));
for (const [name, now, goal] of rows)
  process.stdout.write(`${name.padEnd(widths[0])}  ${String(now).padStart(widths[1])}  goal ${goal}\n`);
