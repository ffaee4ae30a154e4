// npm run test:oracle: conditions and whole runs, generated from a seed, in our engine and in the code of Argo Rollouts.
// Needs Go and its module proxy. Options: --seed N --conditions N --runs N --versions A,B. With --sample FILE, the cases
// and the controller's answers are written there, for the test that needs no Go.
import { execFileSync, spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { parseArgs } from "node:util";
import { languageOfController } from "#lib/domain/argo/analysis/controller-language.ts";
import {
  type ConditionAnswer,
  checkVerdicts,
  compareConditions,
  compareRuns,
  type Difference,
  type RunAnswer,
} from "./compare.ts";
import { generateConditions } from "./generate-conditions.ts";
import { generateRuns } from "./generate-runs.ts";
import { formatSample } from "./sample.ts";

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    conditions: { type: "string", default: "100000" },
    runs: { type: "string", default: "20000" },
    versions: { type: "string", default: "1.10.2" },
    sample: { type: "string" },
  },
});
const seed = Number(values.seed);
const shown = 10;
const programs = join(import.meta.dirname, "go");
const folder = process.env.GATEHOUSE_ORACLE_DIR ?? join(import.meta.dirname, "../../.gatehouse/oracle");
let differences = 0;

for (const version of values.versions.split(",")) {
  const { language } = languageOfController(version);
  const { evaluate, simulate } = await buildOracle(version);
  const conditions = generateConditions(seed, Number(values.conditions));
  const phases = await ask<ConditionAnswer>(evaluate, conditions);
  report(version, "conditions", conditions.length, compareConditions(conditions, phases, language));
  const runs = generateRuns(seed, Number(values.runs));
  const statuses = await ask<RunAnswer>(simulate, runs);
  report(version, "runs", runs.length, compareRuns(runs, statuses, language));
  report(version, "verdict checks", runs.length, checkVerdicts(runs, statuses, language));
  if (values.sample !== undefined)
    writeFileSync(values.sample, formatSample({ version, conditions, phases, runs, statuses }));
}
process.exitCode = differences === 0 ? 0 : 1;

function report(version: string, what: string, count: number, found: readonly Difference[]): void {
  differences += found.length;
  process.stdout.write(`${version}: ${count} ${what}, ${found.length} differences\n`);
  for (const { id, text } of found.slice(0, shown)) process.stdout.write(`  no. ${id}: ${text}\n`);
}

/** Sends cases as lines of JSON, and returns the answers by their id. */
async function ask<Answer extends { id: number }>(
  program: string,
  cases: readonly { id: number }[],
): Promise<Map<number, Answer>> {
  const child = spawn(program, { stdio: ["pipe", "pipe", "ignore"] });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  Readable.from(cases.map((one) => `${JSON.stringify(one)}\n`)).pipe(child.stdin);
  const answers = new Map<number, Answer>();
  for await (const line of createInterface({ input: child.stdout })) {
    const answer = JSON.parse(line) as Answer;
    answers.set(answer.id, answer);
  }
  const code = await ended;
  if (code !== 0) throw new Error(`${program} ended with ${code}`);
  return answers;
}

/**
 * Builds two programs from the source of a version of Argo Rollouts and ours beside it, once for a version: minutes.
 * Needs Go with its module proxy, and unzip.
 */
async function buildOracle(version: string): Promise<{ evaluate: string; simulate: string }> {
  const home = join(folder, version);
  const source = join(home, "src");
  const built = { evaluate: join(home, "eval"), simulate: join(home, "sim") };
  if (!existsSync(source)) {
    mkdirSync(home, { recursive: true });
    const part = join(home, "src.part");
    rmSync(part, { recursive: true, force: true });
    execFileSync("unzip", ["-q", downloadModule(version, home), "-d", part]);
    renameSync(join(part, `github.com/argoproj/argo-rollouts@v${version}`), source);
    rmSync(part, { recursive: true });
  }
  cpSync(join(programs, "in_memory.go"), join(source, "analysis/in_memory.go"));
  for (const name of ["eval", "sim"])
    cpSync(join(programs, name), join(source, "cmd", `oracle-${name}`), { recursive: true });
  lowerGoVersion(join(source, "go.mod"));
  const env = { ...process.env, GOTOOLCHAIN: "local", GOFLAGS: "-mod=mod" };
  for (const [name, file] of [
    ["eval", built.evaluate],
    ["sim", built.simulate],
  ] as const)
    execFileSync("go", ["build", "-o", file, `./cmd/oracle-${name}`], { cwd: source, env, stdio: "inherit" });
  return built;
}

/** Returns the module's archive in Go's cache. Go may refuse the module's `go` line, and has the archive all the same. */
function downloadModule(version: string, cwd: string): string {
  const module = `github.com/argoproj/argo-rollouts@v${version}`;
  const answer = runGo(["mod", "download", "-json", module], cwd);
  const found = /"Zip": "(.*)"/.exec(answer)?.[1];
  if (found === undefined) throw new Error(`${module} could not be downloaded: ${answer}`);
  return found;
}

function runGo(args: readonly string[], cwd: string): string {
  try {
    return execFileSync("go", args, { cwd, encoding: "utf8" });
  } catch (error) {
    return error instanceof Error && "stdout" in error ? String(error.stdout) : "";
  }
}

/** Where the module asks for a newer patch release than the Go here, the one here will do. */
function lowerGoVersion(file: string): void {
  const have = execFileSync("go", ["env", "GOVERSION"], { encoding: "utf8" }).trim().replace(/^go/, "");
  const [major, minor] = have.split(".");
  const text = readFileSync(file, "utf8");
  writeFileSync(file, text.replace(/^go .*$/m, `go ${major}.${minor}`).replace(/^toolchain .*\n/m, ""));
}
