import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nodeForTypeScript } from "#lib/server/platform/embedded-postgres/start-embedded-postgres.ts";
import { programEnvironment } from "#test/program-environment.ts";

const entry = join(import.meta.dirname, "gatehouse.mjs");
let folder: string;
let freePort: number;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "gatehouse-cli-"));
  const probe = await listen();
  freePort = portOf(probe);
  probe.close();
  writeFileSync(join(folder, "token"), "t");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function listen(): Promise<Server> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => resolve(server));
  });
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

type Outcome = { status: number | null; stdout: string; stderr: string };

function gatehouse(args: string[], env: Record<string, string> = {}): Outcome {
  const result = spawnSync(process.execPath, [entry, ...args], {
    cwd: folder,
    encoding: "utf8",
    timeout: 120_000,
    env: { ...programEnvironment, ...env },
  });
  return { status: result.status, stdout: result.stdout, stderr: result.stderr };
}

const secret = "x".repeat(32);
const realConfig = `publicUrl: http://127.0.0.1:7460
auth:
  oidc: { issuer: "http://127.0.0.1:1", clientId: gatehouse, clientSecret: env:CLIENT_SECRET, usernameClaim: sub }
clusters:
  - { name: prod, server: "https://127.0.0.1:1", tokenFile: token }
`;

function write(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

describe("bad input: one line on stderr", () => {
  const cases: { name: string; args(): string[]; env?: Record<string, string>; status: number; stderr: RegExp }[] = [
    { name: "no command", args: () => [], status: 2, stderr: /no command given; usage/ },
    { name: "an unknown command", args: () => ["demmo"], status: 2, stderr: /unknown command "demmo"/ },
    { name: "a word of JavaScript's own", args: () => ["constructor"], status: 2, stderr: /unknown command/ },
    { name: "an unknown flag", args: () => ["demo", "--prot", "1"], status: 2, stderr: /'--prot'/ },
    { name: "a port out of range", args: () => ["demo", "--port", "70000"], status: 2, stderr: /--port must be/ },
    {
      name: "a folder to load that is not there",
      args: () => ["demo", "--load", "gone"],
      status: 2,
      stderr: /--load gone/,
    },
    { name: "up without a config", args: () => ["up"], status: 1, stderr: /no config file/ },
    {
      name: "a config that is not there",
      args: () => ["up", "--config", "gone.yaml"],
      status: 1,
      stderr: /gone\.yaml:1:1: no such file/,
    },
    {
      name: "a broken config, with line and column",
      args: () => ["up", "--config", write("broken.yaml", "publicUrl: http://127.0.0.1:1\nclusters: 5\n")],
      status: 1,
      stderr: /broken\.yaml:2:1: clusters/,
    },
    {
      name: "no identity provider",
      args: () => ["up", "--config", write("open.yaml", realConfig.replace(/auth:\n.*\n/, ""))],
      status: 1,
      stderr: /no identity provider/,
    },
    {
      name: "a demo config outside the demo",
      args: () => ["up", "--config", write("demo.yaml", `${realConfig}demo: { accountsFile: a }\n`)],
      env: { CLIENT_SECRET: "c" },
      status: 1,
      stderr: /demo is only for gatehouse demo/,
    },
    {
      name: "no secret",
      args: () => ["up", "--config", write("real.yaml", realConfig)],
      env: { CLIENT_SECRET: "c" },
      status: 1,
      stderr: /GATEHOUSE_SECRET is not set/,
    },
    {
      name: "a short secret",
      args: () => ["up", "--config", write("real.yaml", realConfig)],
      env: { CLIENT_SECRET: "c", GATEHOUSE_SECRET: "short" },
      status: 1,
      stderr: /GATEHOUSE_SECRET has 5 characters/,
    },
    {
      name: "a database that nobody answers for",
      args: () => ["up", "--port", String(freePort), "--config", write("real.yaml", realConfig)],
      env: { CLIENT_SECRET: "c", GATEHOUSE_SECRET: secret, DATABASE_URL: "postgresql://u:hidden@127.0.0.1:1/db" },
      status: 1,
      stderr: /^(?!.*hidden).*cannot connect to the database at 127\.0\.0\.1:1\/db/,
    },
    {
      name: "migrate without a database",
      args: () => ["migrate"],
      status: 1,
      stderr: /DATABASE_MIGRATE_URL is not set/,
    },
    { name: "half a command", args: () => ["config"], status: 2, stderr: /gatehouse config check/ },
  ];
  it.each(cases)("$name", ({ args, env, status, stderr }) => {
    const outcome = gatehouse(args(), env);
    expect(outcome.stderr).toMatch(stderr);
    expect(outcome.stderr.trimEnd().split("\n")).toHaveLength(1);
    expect(outcome).toMatchObject({ status, stdout: "" });
  });

  it("a port that is taken, said before anything is started", async () => {
    const taken = await listen();
    const port = portOf(taken);
    const outcome = gatehouse(["demo", "--port", String(port), "--data-dir", "data"]);
    taken.close();
    expect(outcome.stderr).toBe(
      `gatehouse: port ${port} on 127.0.0.1 is taken or not allowed: choose another with --port\n`,
    );
    expect(outcome.status).toBe(1);
  });

  it("a data directory that is a file", () => {
    const outcome = gatehouse(["demo", "--port", String(freePort), "--data-dir", write("file", "")]);
    expect(outcome.stderr).toMatch(/^gatehouse: the data directory .*file is not writable .*--data-dir\n$/);
    expect(outcome.status).toBe(1);
  });
});

it("calls itself a plugin of kubectl if it was started by that name", () => {
  const link = join(folder, "kubectl-gatehouse");
  symlinkSync(entry, link);
  const run = (args: string[]) =>
    spawnSync(nodeForTypeScript(), [link, ...args], { cwd: folder, encoding: "utf8", env: programEnvironment });
  expect(run(["--help"]).stdout).toMatch(/^usage: kubectl gatehouse COMMAND/);
  expect(run([]).stderr).toMatch(/^gatehouse: no command given; usage: kubectl gatehouse demo/);
  expect(gatehouse(["--help"]).stdout).toMatch(/^usage: gatehouse COMMAND/);
});

describe("config check", () => {
  it("says ok, and of each cluster what Gatehouse may do there, as far as it answers", () => {
    const good = gatehouse(["config", "check", "--config", write("good.yaml", realConfig)], { CLIENT_SECRET: "c" });
    expect(good).toMatchObject({ status: 0, stderr: "" });
    expect(good.stdout).toMatch(
      /^ok .*good\.yaml\nprod \(access: read\): not asked: cluster prod: .*ECONNREFUSED.*\n$/,
    );
  });

  it("says every problem at its place", () => {
    const bad = gatehouse(["config", "check", "--config", write("bad.yaml", `${realConfig}colour: red\n`)]);
    expect(bad.status).toBe(1);
    expect(bad.stderr).toMatch(/bad\.yaml:6:1: colour: /);
  });
});

describe("under a Node that is too old for TypeScript", () => {
  it("a command reads what is piped in, and ends", () => {
    const pretend = 'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.0.0" } })';
    const login = ["login", "--with-token", "--url", `http://127.0.0.1:${freePort}`];
    const { status, stderr } = spawnSync(
      process.execPath,
      ["--import", `data:text/javascript,${encodeURIComponent(pretend)}`, entry, ...login],
      {
        cwd: folder,
        encoding: "utf8",
        timeout: 120_000,
        input: "ght_piped\n",
        env: programEnvironment,
      },
    );
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: `gatehouse: Gatehouse does not answer at http://127.0.0.1:${freePort}.\n`,
    });
  });
});

it("installs nothing as a child of a launcher: packages below running processes stay", () => {
  const root = join(folder, "clone");
  for (const name of ["bin", "scripts"]) mkdirSync(join(root, name), { recursive: true });
  for (const name of ["build-lock", "bundle", "generated-client", "install", "stamp"])
    cpSync(join(import.meta.dirname, `../scripts/${name}.mjs`), join(root, `scripts/${name}.mjs`));
  cpSync(entry, join(root, "bin/gatehouse.mjs"));
  writeFileSync(join(root, "bin/cli.ts"), 'console.log("started");\n');
  writeFileSync(join(root, "package.json"), '{ "type": "module" }');
  writeFileSync(join(root, "package-lock.json"), '{ "packages": { "node_modules/missing": { "version": "1.0.0" } } }');
  const env = { ...programEnvironment, GATEHOUSE_EXIT_ON_STDIN_CLOSE: "1" };
  const result = spawnSync(nodeForTypeScript(), [join(root, "bin/gatehouse.mjs"), "recorder"], {
    encoding: "utf8",
    env,
  });
  expect(result).toMatchObject({ status: 0, stdout: "started\n", stderr: "" });
});
