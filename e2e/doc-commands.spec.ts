import { execFile, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "@playwright/test";
import { formatCheckpoint } from "#lib/domain/audit/audit-chain.ts";
import { readDemo } from "#test/demo.ts";
import { listDocBlocks, listDocStatements, unrunStatements } from "../scripts/doc-commands.ts";
import { completeConfig } from "../scripts/doc-examples.ts";
import { test } from "./pages.ts";

// Every statement of the documents' scripts that needs no cluster, as it is written, against the demo; the others are in
// scripts/doc-commands.ts with the reason. Each document has a folder with the files that it speaks of.

type Ended = { status: number; stdout: string; stderr: string };

const statements = listDocStatements().filter(({ text }) => !unrunStatements.some(({ matches }) => matches.test(text)));
const documents = [...new Set(statements.map(({ file }) => file))];
/** Not on every machine; a statement that uses one which is missing is noted and left out. */
const optionalPrograms = ["jq", "psql", "python3"].map((name) => ({
  matches: new RegExp(`(?:^|\\| *)${name} `),
  isThere: spawnSync(name, ["--version"]).status === 0,
}));

let root: string;
test.beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "gatehouse-doc-commands-"));
  mkdirSync(join(root, "bin"));
  const entry = join(import.meta.dirname, "../bin/gatehouse.mjs");
  writeProgram("gatehouse", `exec "${process.execPath}" "${entry}" "$@"`);
});
test.afterAll(() => rmSync(root, { recursive: true, force: true }));

function writeProgram(name: string, line: string): void {
  writeFileSync(join(root, "bin", name), `#!/bin/sh\n${line}\n`);
  chmodSync(join(root, "bin", name), 0o755);
}

/** The places of the documents' examples, as they are here. */
function place(text: string): string {
  return text
    .replaceAll("https://gatehouse.example.com", readDemo().url)
    .replaceAll("/etc/bash_completion.d/gatehouse", "completion");
}

function run(text: string, folder: string): Promise<Ended> {
  const { databaseUrl, tokens } = readDemo();
  const env = {
    PATH: `${join(root, "bin")}:${process.env.PATH}`,
    HOME: folder,
    XDG_CONFIG_HOME: folder,
    DATABASE_URL: databaseUrl,
    DATABASE_MIGRATE_URL: databaseUrl,
    GATEHOUSE_TOKEN: tokens.admin,
    GATEHOUSE_OIDC_SECRET: "secret",
    PGCLIENTENCODING: "UTF8",
  };
  return new Promise((resolve) => {
    const child = execFile(
      "bash",
      ["-c", place(text)],
      { cwd: folder, env: { ...env, NODE_ENV: "test" }, timeout: 240_000, maxBuffer: 64 << 20 },
      (error, stdout, stderr) => resolve({ status: Number(error?.code ?? 0), stdout, stderr }),
    );
    // A command that reads nothing may have ended already.
    child.stdin?.on("error", () => {});
    child.stdin?.end(`${tokens.admin}\n`);
  });
}

/** An export and what a reader is told to put beside it: a checkpoint, the recorder's log, the script that verifies. */
async function prepareFolder(file: string): Promise<string> {
  const folder = join(root, file.replaceAll("/", "-"));
  mkdirSync(folder);
  const { url, tokens } = readDemo();
  // Leaves an entry: before anybody has signed in, the log is empty.
  await fetch(`${url}/api/v1/audit/export`, { headers: { authorization: `Bearer ${tokens.admin}` } });
  const exported = await run("gatehouse audit export", folder);
  for (const name of ["audit.jsonl", "received.jsonl"]) writeFileSync(join(folder, name), exported.stdout);
  const { seq, hash } = JSON.parse(exported.stdout.split("\n")[0] ?? "") as { seq: number; hash: string };
  const checkpoint = formatCheckpoint({ seq, hash, time: "2026-11-20T10:00:00Z" });
  writeFileSync(join(folder, "checkpoints.jsonl"), `${checkpoint}\n`);
  writeFileSync(join(folder, "recorder.log"), `{"msg":"audit checkpoint","checkpoint":${checkpoint}}\n`);
  const blocks = listDocBlocks().filter((block) => block.file === file);
  const script = blocks.find(({ info }) => info === "python");
  if (script !== undefined) writeFileSync(join(folder, "verify.py"), script.text);
  // The configs of the documents name files of their readers: scripts/doc-examples.test.ts parses each.
  writeFileSync(join(folder, "gatehouse.yaml"), completeConfig(""));
  writeFileSync(join(folder, "token"), "x");
  return folder;
}

test("the commands of the documents do what their pages say", async () => {
  for (const file of documents) {
    const folder = await prepareFolder(file);
    for (const { line, text } of statements.filter((statement) => statement.file === file)) {
      if (optionalPrograms.some(({ matches, isThere }) => !isThere && matches.test(text))) {
        test.info().annotations.push({ type: "a program is missing for", description: text });
        continue;
      }
      const { status, stderr } = await run(text, folder);
      expect.soft({ status, stderr }, `${file}, script at line ${line}: ${text}`).toEqual({ status: 0, stderr: "" });
    }
  }
});
