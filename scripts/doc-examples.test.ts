import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ChainLink, computeLink, emptyChain, formatCheckpoint } from "#lib/domain/audit/audit-chain.ts";
import { formatEntryText } from "#lib/domain/audit/audit-entry.ts";
import { parseConfig } from "#lib/server/platform/config/parse-config.ts";
import { programEnvironment } from "#test/program-environment.ts";
import {
  listDocBlocks,
  listDocStatements,
  listInlineCommands,
  listStatements,
  unlikeCommands,
  unrunStatements,
} from "./doc-commands.ts";
import {
  completeConfig,
  gatehouseArguments,
  judgeArguments,
  judgeProgram,
  listCommands,
  namedFiles,
} from "./doc-examples.ts";

const root = join(import.meta.dirname, "..");
const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const parts = { scripts, exists: (path: string) => existsSync(join(root, path)) };
const blocks = listDocBlocks().map((block) => ({ ...block, at: `${block.file}:${block.line}` }));
const commands = blocks
  .filter(({ info }) => info === "sh")
  .flatMap(({ at, text }) => listCommands(text).map((words) => ({ at, words, text: words.join(" ") })));
const ours = commands.flatMap(({ at, words, text }) => {
  const args = gatehouseArguments(words);
  return args === undefined ? [] : [{ at, args, text }];
});
/** Those that need no cluster, no database and no running Gatehouse; an export is one that the tests bring. */
const runnable = ours.filter(
  ({ args: [name, word] }) => name === "completion" || (name === "audit" && word === "verify") || name === "help",
);
/** The folder that they run in: with an export of three entries, and a checkpoint of the second. */
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "gatehouse-docs-"));
  const links = chainOf(3);
  writeFileSync(join(folder, "audit.jsonl"), links.map((link) => `${JSON.stringify(link)}\n`).join(""));
  const noted = links.slice(1, 2).map(({ seq, hash }) => formatCheckpoint({ seq, hash, time: "2026-11-20T10:00:00Z" }));
  writeFileSync(join(folder, "checkpoints.jsonl"), `${noted.join("\n")}\n`);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function chainOf(length: number): ChainLink[] {
  const links: ChainLink[] = [];
  while (links.length < length) {
    const seq = links.length + 1;
    const actor = { type: "system", name: "Gatehouse" } as const;
    const text = { seq, time: "2026-11-20T10:00:00.000000Z", actor, source: "system", code: "session.signin" } as const;
    const entry = formatEntryText({ ...text, requestId: `r-${seq}` });
    links.push(computeLink({ head: links.at(-1) ?? emptyChain, entry }));
  }
  return links;
}

const configs = blocks.filter(({ info }) => info === "yaml gatehouse");

describe("the commands of the documents", () => {
  it("are found", () => expect(ours.length).toBeGreaterThan(10));

  it.each(ours)("$at: $text", ({ args }) => expect(judgeArguments(args)).toBeUndefined());

  it.each(commands.filter(({ words }) => /^(npm|node)$/.test(words[0] ?? "")))("$at: $text is there", ({ words }) => {
    expect(judgeProgram(words, parts)).toBeUndefined();
  });

  it.each(commands.filter(({ words }) => namedFiles(words).length > 0))("$at: files of $text", ({ words }) => {
    expect(namedFiles(words).filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });

  it.each(runnable.filter(({ args }) => args[0] !== "audit" || args.includes("--file")))("runs $text", ({ args }) => {
    const { status, stderr } = spawnSync(process.execPath, [join(root, "bin/gatehouse.mjs"), ...args], {
      cwd: folder,
      encoding: "utf8",
      timeout: 120_000,
      env: programEnvironment,
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  });
});

describe("the commands in the sentences of the documents", () => {
  const inline = listInlineCommands().filter(({ text }) => !unlikeCommands.some((entry) => entry.text === text));

  it("are found", () => expect(inline.length).toBeGreaterThan(50));

  it.each(inline)("$file:$line: $text", ({ text }) => {
    const words = listCommands(text)[0] ?? [];
    const args = gatehouseArguments(words);
    expect(args === undefined ? judgeProgram(words, parts) : judgeArguments(args, true)).toBeUndefined();
  });

  it.each(unlikeCommands)("have $text, which is none", (entry) => {
    expect(listInlineCommands().map(({ text }) => text)).toContain(entry.text);
  });
});

// The others are run against the demo: e2e/doc-commands.spec.ts.
describe("the statements that are not run as they are written", () => {
  const statements = listDocStatements();

  it.each(unrunStatements)("$matches, since it $why", (entry) => {
    const first = statements.filter(({ text }) => unrunStatements.find(({ matches }) => matches.test(text)) === entry);
    expect(first.length, "an exception that nothing needs").toBeGreaterThan(0);
    expect((entry.tests ?? []).filter((test) => !existsSync(join(root, test)))).toEqual([]);
  });

  it("are not all", () => {
    const run = statements.filter(({ text }) => !unrunStatements.some(({ matches }) => matches.test(text)));
    expect(run.length).toBeGreaterThan(20);
  });
});

describe("the configs of the documents", () => {
  it("are found", () => expect(configs.length).toBeGreaterThan(8));

  it.each(configs)("$at can be used", ({ at, text }) => {
    expect(() => parseConfig({ file: at, text: completeConfig(text) })).not.toThrow();
  });

  it("refuses an unknown key in one", () => {
    expect(() => parseConfig({ file: "a.md", text: completeConfig("clusters:\n  - { name: a, acess: act }") })).toThrow(
      /acess/,
    );
  });
});

describe("judgeArguments", () => {
  const cases = [
    { line: "gatehouse audit verify --file audit.jsonl", problem: undefined },
    { line: "gatehouse audit --file audit.jsonl", problem: /audit has no --file/ },
    { line: "gatehouse audit export --file audit.jsonl", problem: /--file/ },
    { line: "gatehouse inbx", problem: /unknown command inbx/ },
    { line: "gatehouse inbox --limt 3", problem: /--limt/ },
    { line: "gatehouse wait a/b", problem: /--for is missing/ },
    { line: "gatehouse wait a/b --for promoted --timeout", problem: /--timeout/ },
    { line: "gatehouse abort checkout --reason 'it is slow'", problem: undefined },
    { line: "gatehouse rollouts watch --namespace payments", problem: undefined },
    { line: "gatehouse rollouts get checkout -o yaml", problem: undefined },
    { line: "gatehouse wait a/b --for promoted -o yaml", problem: /'-o'/ },
    { line: "npm run demo -- --prot 7460", problem: /--prot/ },
    { line: "DATABASE_URL=$OWNER npx gatehouse migrate # the owner", problem: undefined },
    { line: "npx gatehouse audit export > audit.jsonl", problem: undefined },
    { line: "node FOLDER/bin/cli.mjs web --hots 0.0.0.0", problem: /--hots/ },
    { line: "gatehouse completion bash", problem: undefined },
  ];
  it.each(cases)("$line", ({ line, problem }) => {
    const judged = judgeArguments(gatehouseArguments(listCommands(line)[0] ?? []) ?? []);
    if (problem === undefined) expect(judged).toBeUndefined();
    else expect(judged).toMatch(problem);
  });
});

it("splits a script into statements, over continued lines, quotes and here-documents", () => {
  const script =
    "a \\\n  b\n\n# it's nothing\nexport A=x  # isn't it\npsql \"SELECT 'a',\n  b\" > c\nkubectl apply -f - <<'END'\nd: 'e\nEND\nf";
  expect(listStatements(script)).toEqual([
    "a \\\n  b",
    "export A=x  # isn't it",
    "psql \"SELECT 'a',\n  b\" > c",
    "kubectl apply -f - <<'END'\nd: 'e\nEND",
    "f",
  ]);
});

it.each([
  { text: "npm run gone", problem: "no script gone" },
  { text: "npm run demo", problem: undefined },
  { text: "npm install x", problem: "npm install" },
  { text: "node scripts/gone.mjs", problem: "no file scripts/gone.mjs" },
  { text: "node FOLDER/bin/cli.mjs web", problem: undefined },
])("$text: $problem", ({ text, problem }) => expect(judgeProgram(text.split(" "), parts)).toBe(problem));

it("asks less of a part of a command", () => {
  expect(judgeArguments(["wait", "a/b"], true)).toBeUndefined();
  expect(judgeArguments(["audit"], true)).toBeUndefined();
  expect(judgeArguments(["audit", "verfy"], true)).toMatch(/has no verfy/);
  expect(judgeArguments(["doctor", "--prt", "1"], true)).toMatch(/--prt/);
});

it("reads commands over several lines, and leaves other programs alone", () => {
  expect(listCommands("kubectl create x \\\n  --from='a b'\n\n# nothing\nhelm lint deploy/chart")).toEqual([
    ["kubectl", "create", "x", "--from=a b"],
    ["helm", "lint", "deploy/chart"],
  ]);
  expect(gatehouseArguments(["helm", "install", "gatehouse", "deploy/chart"])).toBeUndefined();
  expect(namedFiles(["kubectl", "apply", "-f", "deploy/gone.yaml"])).toEqual(["deploy/gone.yaml"]);
  expect(namedFiles(["kubectl", "rollout", "status", "deploy/gatehouse-web"])).toEqual([]);
});
