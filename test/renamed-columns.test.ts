import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
// @ts-expect-error -- plain JavaScript without types: it runs before anything is installed.
import { runGenerators } from "../scripts/generated-client.mjs";

const root = join(import.meta.dirname, "..");
const generated = "lib/server/platform/db/generated/tables.ts";

/** A column that the schema renames, and files that read or write it. */
type Case = { table: string; column: string; files: string[] };

const cases: Case[] = [
  {
    table: "action",
    column: "state",
    files: [
      ...["records/action-store.ts", "acting/follow/due-actions.ts", "recording/kinds/rollout-row.ts"],
      ...["oversight/review-observations.ts", "oversight/review-terminations.ts", "pages/inbox/inbox-answer.ts"],
    ],
  },
  {
    table: "analysis_run",
    column: "phase",
    files: [
      ...["acting/act/collect-evidence.ts", "recording/kinds/run-rows.ts", "recording/upkeep/load-recorded-run.ts"],
      ...["pages/run/list-runs.ts", "records/release-row.ts"],
    ],
  },
  {
    table: "approval",
    column: "decision",
    files: ["approval-row.ts", "approvals.ts"].map((file) => `acting/approvals/${file}`),
  },
  { table: "audit_entry", column: "outcome", files: ["audit/audit-statements.ts", "audit/verify-audit.ts"] },
  {
    table: "change_log",
    column: "ref",
    files: ["audit/audit-statements.ts", "platform/db/change-log.ts", "platform/db/log-change.ts"],
  },
  {
    table: "config_event",
    column: "content",
    files: ["platform/config/config-events.ts"],
  },
  {
    table: "gate_decision",
    column: "bound",
    files: ["webhooks/read-call-facts.ts", "webhooks/credentials/list-gates.ts"],
  },
  { table: "hook_credential", column: "secret_hash", files: ["webhooks/read-call-facts.ts"] },
  {
    table: "measurement",
    column: "seq",
    files: [
      ...["acting/act/collect-evidence.ts", "recording/kinds/run-rows.ts", "recording/retention/delete-old-rows.ts"],
      ...["records/measurement-row.ts", "records/read-newest-values.ts"],
    ],
  },
  { table: "observation", column: "run_key", files: ["oversight/review-observations.ts"] },
  { table: "pod", column: "gone_at", files: ["recording/retention/retention-tables.ts"] },
  {
    table: "release",
    column: "started_at",
    files: ["recording/history/write-history.ts", "pages/release/list-releases.ts"],
  },
  {
    table: "rollout",
    column: "presence",
    files: ["pages/inbox/get-inbox.ts", "pages/rollout/list-rollouts.ts", "admin/list-sources.ts"],
  },
  {
    table: "source",
    column: "error_code",
    files: ["recording/store/source-row.ts", "clusters/sources/source-freshness.ts"],
  },
  { table: "source_hold", column: "objects", files: ["admin/held-objects.ts"] },
  {
    table: "user_session",
    column: "idle_expires_at",
    files: ["people/auth/stored-session.ts"],
  },
];

/** Returns the schema with another name for each column; the names of the client's fields stay. */
function renameColumns(schema: string): string {
  return schema.replaceAll(/^model \w+ \{\n[\s\S]*?^\}/gm, (model) => {
    const table = /@@map\("(?<table>\w+)"\)/.exec(model)?.groups?.table;
    return cases
      .filter((each) => each.table === table)
      .reduce((text, { column }) => {
        const line = text
          .split("\n")
          .find((each) => each.includes(`@map("${column}")`) || new RegExp(`^ {2}${column} `).test(each));
        if (line === undefined) throw new Error(`the schema has no column ${table}.${column}`);
        return text.replace(line, `${line.replace(/ @map\("\w+"\)/, "")} @map("${column}_renamed")`);
      }, model);
  });
}

/** Checks the types of these files against other tables. Returns each error with its lines of code, by file. */
function checkTypes(files: readonly string[], tables: string): Map<string, string[]> {
  const { config } = ts.readConfigFile(join(root, "tsconfig.json"), ts.sys.readFile);
  const { options } = ts.convertCompilerOptionsFromJson(
    { ...config.compilerOptions, incremental: false, plugins: [] },
    root,
  );
  const host = ts.createCompilerHost(options);
  const { readFile } = host;
  host.readFile = (file) => (file.endsWith(generated) ? tables : readFile(file));
  const program = ts.createProgram({ rootNames: files.map((file) => join(root, file)), options, host });
  return new Map(
    files.map((file) => {
      const source = program.getSourceFile(join(root, file));
      if (source === undefined) throw new Error(`there is no ${file}`);
      const lines = source.text.split("\n");
      return [
        file,
        program.getSemanticDiagnostics(source).map(({ start = 0, length = 0, messageText }) => {
          const [first, last] = [start, start + length].map((at) => source.getLineAndCharacterOfPosition(at).line);
          const code = lines.slice(first, (last ?? 0) + 1).join("\n");
          return `${code}\n${ts.flattenDiagnosticMessageText(messageText, "\n")}`;
        }),
      ];
    }),
  );
}

const files = [...new Set(cases.flatMap((each) => each.files.map((file) => `lib/server/${file}`)))];
let errors: Map<string, string[]>;
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "gatehouse-renamed-"));
  mkdirSync(join(folder, "prisma"));
  const schema = join(folder, "prisma/schema.prisma");
  writeFileSync(schema, renameColumns(readFileSync(join(root, "prisma/schema.prisma"), "utf8")));
  runGenerators(["--schema", schema, "--generator", "tables"]);
  errors = checkTypes(files, readFileSync(join(folder, generated), "utf8"));
}, 180_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("a column that is renamed in schema.prisma", () => {
  it.each(cases)("$table $column fails the type check of those that name it", ({ column, files: named }) => {
    const unaware = named.filter(
      (file) => !errors.get(`lib/server/${file}`)?.some((error) => new RegExp(`\\b${column}\\b`).test(error)),
    );
    expect(unaware).toEqual([]);
  });
});
