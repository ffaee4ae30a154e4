import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const programs = join(import.meta.dirname, "go");
const folder = process.env.GATEHOUSE_ORACLE_DIR ?? join(import.meta.dirname, "../../.gatehouse/oracle");

/**
 * Builds two programs from the source of a version of Argo Rollouts and ours beside it, once for a version: minutes.
 * Needs Go with its module proxy, and unzip.
 */
export async function buildOracle(version: string): Promise<{ evaluate: string; simulate: string }> {
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
