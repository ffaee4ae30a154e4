import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { projectRoot } from "#lib/server/platform/config/program-files.ts";
import { nodeForTypeScript } from "#lib/server/platform/embedded-postgres/start-embedded-postgres.ts";
import { createEvaluationPool } from "#lib/server/platform/evaluation/evaluation-pool.ts";
import { startThread } from "#lib/server/platform/evaluation/evaluation-thread.ts";

function run(args: string[], cwd = projectRoot) {
  const env = { NODE_ENV: "test" as const, PATH: process.env.PATH };
  return spawnSync(nodeForTypeScript(), args, { cwd, encoding: "utf8", env });
}

const print = 'import("./scripts/bundle.mjs").then(({ findBundle }) => console.log(findBundle() ?? "stale"))';
const findBundle = (root = projectRoot) => run(["-e", print], root).stdout.trim();

describe("a bundle of a small tree", () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "gatehouse-bundle-"));
    for (const name of ["build-lock", "bundle", "install", "stamp"])
      write(`scripts/${name}.mjs`, { from: join(projectRoot, `scripts/${name}.mjs`) });
    write(
      "scripts/generated-client.mjs",
      'import { writeFileSync } from "node:fs";\nexport const ensureGenerated = () => writeFileSync("generated", "");\n',
    );
    write("package.json", JSON.stringify({ type: "module", imports: { "#lib/*": "./lib/*" } }));
    write("package-lock.json", JSON.stringify({ packages: {} }));
    write("node_modules/.package-lock.json", JSON.stringify({ packages: {} }));
    symlinkSync(join(projectRoot, "node_modules/rolldown"), join(root, "node_modules/rolldown"));
    write(
      "bin/cli.ts",
      `import { setSourceMapsSupport } from "node:module";
setSourceMapsSupport(true);
if (process.argv[2] !== undefined) (await import("#lib/late.ts")).fail(process.argv[2]);
else console.log("started");
`,
    );
    write(
      "lib/late.ts",
      "export type Text = string;\n\nexport function fail(text: Text): never {\n  throw new Error(text);\n}\n",
    );
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  function write(path: string, content: string | { from: string }): void {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    if (typeof content === "string") writeFileSync(join(root, path), content);
    else cpSync(content.from, join(root, path));
  }

  it("runs, loads parts when they are needed, and names the sources in stack traces", () => {
    expect(run(["scripts/bundle.mjs"], root)).toMatchObject({ status: 0, stderr: "" });
    expect(existsSync(join(root, "generated"))).toBe(true);
    const file = findBundle(root);
    rmSync(join(root, "lib"), { recursive: true });
    expect(run([file], root)).toMatchObject({ status: 0, stdout: "started\n" });
    expect(run([file, "broken"], root).stderr).toMatch(
      /Error: broken\n\s+at (?:Module\.)?fail \(.*\/lib\/late\.ts:4:9\)/,
    );
  });

  it("stays for a month, since a running process loads parts of it; what a killed build left goes at once", () => {
    const gone = run(["-e", "console.log(process.pid)"]).stdout.trim();
    const names = ["new-1", "new-2", "new-3", "new-4", "old", `half.${gone}`, `half.${process.pid}`];
    for (const name of names) write(`.gatehouse/bundle/${name}/cli.mjs`, "");
    const old = new Date(Date.now() - 31 * 86_400_000);
    utimesSync(join(root, ".gatehouse/bundle/old"), old, old);
    expect(run(["scripts/bundle.mjs"], root)).toMatchObject({ status: 0, stderr: "" });
    const left = readdirSync(join(root, ".gatehouse/bundle"));
    expect(left.filter((name) => names.includes(name))).toEqual([
      `half.${process.pid}`,
      "new-1",
      "new-2",
      "new-3",
      "new-4",
    ]);
    expect(left).toHaveLength(6);
    expect(existsSync(join(root, "node_modules/.gatehouse-build-lock"))).toBe(false);
  });

  it.each(["bin/cli.ts", "lib/late.ts", "package-lock.json"])("is not found once %s has changed", (changed) => {
    expect(findBundle(root)).toBe("stale");
    run(["scripts/bundle.mjs"], root);
    const file = findBundle(root);
    expect(existsSync(file)).toBe(true);
    write(changed, "{}\n");
    expect(findBundle(root)).toBe("stale");
  });
});

describe("the bundle of this tree", () => {
  it("starts, and its threads run tasks", async () => {
    expect(run(["scripts/bundle.mjs", "--if-stale"])).toMatchObject({ status: 0, stderr: "" });
    const file = findBundle();
    const help = run([file, "--help"]);
    expect(help).toMatchObject({ status: 0, stderr: "" });
    expect(help.stdout).toBe(run(["bin/cli.ts", "--help"]).stdout);
    expect(run([file, "recorder"])).toMatchObject({
      status: 1,
      stderr: "gatehouse: GATEHOUSE_CONFIG is not set: it names the config file\n",
    });

    const worker = join(dirname(file), "evaluation-worker.mjs");
    const pool = createEvaluationPool({ file: worker, threads: 1 });
    const request = { owner: "test", limitMs: 60_000, most: 1, waitMs: 60_000 };
    const input = { result: { type: "nil" } as const, successCondition: "true" };
    expect(await pool.run("evaluate", input, request)).toMatchObject({ value: { phase: "Successful" } });
    await pool.close();

    const thread = startThread(worker);
    expect(await thread.started).toBeUndefined();
    expect(await thread.run({ name: "none", input: undefined, parts: [], limitMs: 60_000 })).toEqual({
      state: "failed",
      error: expect.stringMatching(/there is no task none\n.*\/lib\/server\/platform\/evaluation\/serve-tasks\.ts:\d+/),
    });
    await thread.kill();
  });
});
