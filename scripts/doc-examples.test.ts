import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ChainLink, computeLink, emptyChain } from "#lib/domain/audit/audit-chain.ts";
import { formatEntryText } from "#lib/domain/audit/audit-entry.ts";
import { formatCheckpoint } from "#lib/domain/audit/checkpoint.ts";
import { parseConfig } from "#lib/server/config/parse-config.ts";
import {
  completeConfig,
  gatehouseArguments,
  judgeArguments,
  listBlocks,
  listCommands,
  namedFiles,
} from "./doc-examples.ts";

const root = join(import.meta.dirname, "..");
const pages = readdirSync(join(root, "docs")).filter((name) => name.endsWith(".md"));
const files = ["README.md", "deploy/chart/README.md", ...pages.map((name) => `docs/${name}`)];
const blocks = files.flatMap((file) =>
  listBlocks(readFileSync(join(root, file), "utf8")).map((block) => ({ ...block, at: `${file}:${block.line}` })),
);
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

  it.each(commands.filter(({ words }) => namedFiles(words).length > 0))("$at: files of $text", ({ words }) => {
    expect(namedFiles(words).filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });

  it.each(runnable.filter(({ args }) => args[0] !== "audit" || args.includes("--file")))("runs $text", ({ args }) => {
    const { status, stderr } = spawnSync(process.execPath, [join(root, "bin/gatehouse.mjs"), ...args], {
      cwd: folder,
      encoding: "utf8",
      timeout: 20_000,
      env: { NODE_ENV: "test", PATH: process.env.PATH },
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
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
    { line: "node FOLDER/bin/cli.ts web --hots 0.0.0.0", problem: /--hots/ },
    { line: "gatehouse completion bash", problem: undefined },
  ];
  it.each(cases)("$line", ({ line, problem }) => {
    const judged = judgeArguments(gatehouseArguments(listCommands(line)[0] ?? []) ?? []);
    if (problem === undefined) expect(judged).toBeUndefined();
    else expect(judged).toMatch(problem);
  });
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
