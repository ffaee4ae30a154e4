import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { programEnvironment } from "#test/program-environment.ts";
import { createRecorderWorld, type RecorderWorld } from "#test/recorder-world.ts";

let world: RecorderWorld;
let folder: string;
beforeAll(async () => {
  world = await createRecorderWorld();
  folder = mkdtempSync(join(tmpdir(), "gatehouse-fc-01-"));
  writeFileSync(join(folder, "token"), world.sandbox.token);
});
afterAll(async () => {
  await world.close();
  rmSync(folder, { recursive: true });
});

const cli = join(import.meta.dirname, "../../bin/cli.ts");
/** Runs the command and then prints how much CPU time it took. */
const measured = '"$@"; code=$?; times >&3; exit $code';

type Outcome = { status: number | null; stdout: string; stderr: string; cpuSeconds: number };

/** Runs a command. The 5 s of the rule are measured as CPU time, because other load is not the command's fault. */
function run(command: string, env: Record<string, string>): Outcome {
  const { status, output } = spawnSync("sh", ["-c", measured, "sh", process.execPath, cli, command], {
    cwd: folder,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe", "pipe"],
    timeout: 120_000,
    env: { ...programEnvironment, DATABASE_URL: world.database.ownerUrl, ...env },
  });
  const [, stdout = "", stderr = "", times = ""] = output.map((text) => text ?? "");
  // The second line is for the children, user and system: `0m1.234s 0m0.123s`.
  const parts = [...(times.split("\n")[1] ?? "").matchAll(/(\d+)m([\d.]+)s/g)];
  const cpuSeconds = parts.reduce((sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds), 0);
  return { status, stdout, stderr, cpuSeconds: parts.length === 2 ? cpuSeconds : Number.NaN };
}

const good = `publicUrl: http://127.0.0.1:1
auth:
  oidc: { issuer: "http://127.0.0.1:1", clientId: gatehouse, clientSecret: env:FC01_SECRET }
clusters:
  - { name: prod, server: "https://127.0.0.1:1", tokenFile: token }
`;

const processes = ["web", "recorder", "up"];
/** The recorder does not need the sign-in secret and does not look for it. */
const signInProcesses = ["web", "up"];

type Case = { name: string; text: string; env?: Record<string, string>; says: string; commands?: string[] };

const cases: Case[] = [
  { name: "syntax", text: `${good}recorder: [\n`, says: ":7:1: " },
  { name: "an unknown key", text: `${good}retenton: {}\n`, says: ":6:1: retenton: unknown key: remove or rename it" },
  {
    name: "a bad URL",
    text: good.replace("https://127.0.0.1:1", "127.0.0.1"),
    says: ":5:19: clusters.0.server: Invalid URL",
  },
  {
    name: "a retention that is no time",
    text: `${good}retention: { measurements: 13 months }\n`,
    says: ":6:14: retention.measurements: ",
  },
  {
    name: "a missing secret file",
    commands: signInProcesses,
    text: good.replace("clientSecret: env:FC01_SECRET", "clientSecret: file:gone"),
    says: ":3:62: auth.oidc.clientSecret: client secret not found in file",
  },
  {
    name: "a missing environment variable",
    commands: signInProcesses,
    text: good,
    env: { FC01_SECRET: "" },
    says: ":3:62: auth.oidc.clientSecret: client secret not found in environment variable FC01_SECRET",
  },
  {
    name: "a credential of a cluster that is missing",
    text: good.replace("tokenFile: token", "tokenFile: gone"),
    says: ":5:50: clusters.0.tokenFile: ",
  },
];

describe("FC-01 config invalid at start: each process exits within 5 s, with file, line, column, key and reason", () => {
  it.each(cases.flatMap((each) => (each.commands ?? processes).map((command) => ({ ...each, command }))))(
    "$command: $name",
    async ({ command, text, env, says }) => {
      const file = join(folder, "gatehouse.yaml");
      writeFileSync(file, text);
      const before = await world.query("SELECT relname FROM pg_class WHERE relkind = 'r' ORDER BY 1");
      const secret = "x".repeat(32);
      const settings = { GATEHOUSE_CONFIG: file, GATEHOUSE_SECRET: secret, FC01_SECRET: "s", ...env };
      const { status, stdout, stderr, cpuSeconds } = run(command, settings);
      expect(stderr).toContain(`${file}${says}`);
      expect(stderr.trimEnd().split("\n")).toHaveLength(1);
      expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
      expect(cpuSeconds).toBeLessThan(5);
      expect(await world.query("SELECT relname FROM pg_class WHERE relkind = 'r' ORDER BY 1")).toEqual(before);
      for (const table of ["source", "rollout", "audit_entry", "config_event"])
        expect(await world.query(`SELECT FROM ${table}`)).toEqual([]);
    },
  );

  it("never starts with defaults where no file is named", () => {
    const { status, stderr } = run("recorder", {});
    expect(stderr).toBe("gatehouse: GATEHOUSE_CONFIG is not set: it names the config file\n");
    expect(status).toBe(1);
  });
});
