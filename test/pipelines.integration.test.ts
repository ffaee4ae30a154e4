import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { action, type Finished, runAction, runTemplate, template } from "#test/pipeline-runners.ts";
import { connectRecorded, inconclusiveRollout, type Recorded } from "#test/recorded.ts";
import { serveRoutes } from "#test/route-server.ts";
import { startTestWeb, type TestWeb } from "#test/web-runtime.ts";

// The GitHub Action and the GitLab template of deploy/ci, run as their runners do, against the API.

const hostile = "::warning::x ##[warning]y <b>z</b> $(touch hacked)";

let web: TestWeb;
let recorded: Recorded;
let server: Awaited<ReturnType<typeof serveRoutes>>;
/** Programs of the runner: `gatehouse` is this commit's, `curl` gives what is in `archive`. */
let folder: string;
let path: string;
let archive: { file: string; sha256: string; url: string };

beforeAll(async () => {
  const freeze = { name: "always", start: "0 0 * * *", timeZone: "UTC", duration: "24h", rollouts: ["frozen"] };
  web = await startTestWeb({ config: { policies: { freezes: [freeze] } } });
  recorded = await connectRecorded(web.database.recorderUrl);
  await recorded.addSource({});
  server = await serveRoutes();
  await recorded.addRollout({ namespace: "shop", name: "waiting", phase: "Paused", message: hostile });
  await addRollout({ name: "promoted", phase: "Healthy", stableRS: "new" });
  await addRollout({ name: "frozen", phase: "Healthy", stableRS: "new" });
  await addRollout({ name: "aborted", phase: "Degraded", stableRS: "old", abort: true });
  folder = mkdtempSync(join(tmpdir(), "gatehouse-pipeline-"));
  const bin = join(folder, "bin");
  mkdirSync(bin);
  symlinkSync(process.execPath, join(bin, "node"));
  program(
    "gatehouse",
    `NODE_COMPILE_CACHE="${join(folder, "compiled")}" exec node "${join(import.meta.dirname, "../bin/cli.ts")}" "$@"`,
  );
  archive = makeArchive();
  program("curl", `case "$*" in *"--url ${archive.url}") ;; *) exit 22 ;; esac\ncp "${archive.file}" "\${10}"`);
  path = `${bin}:${process.env.PATH}`;

  function program(name: string, text: string): void {
    writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(bin, name), 0o755);
  }
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  server?.close();
  await recorded?.close();
  await web?.close();
});
beforeEach(async () => {
  await recorded.client.query("UPDATE source SET watch_contact_at = now(), read_contact_at = now()");
});

/** Adds a rollout whose release is over. */
async function addRollout(fields: { name: string; phase: string; stableRS: string; abort?: boolean }): Promise<void> {
  const { name, phase, stableRS, abort } = fields;
  const object = inconclusiveRollout({ namespace: "shop", name, uid: name });
  const { controllerPause: _, pauseConditions: __, canary: ___, ...status } = object.status;
  const changed = { ...status, phase, stableRS, currentStepIndex: 4, ...(abort === true ? { abort } : {}) };
  await recorded.addRollout({ namespace: "shop", name, phase, object: { ...object, status: changed } });
}

/** Packs a release whose program prints its arguments. */
function makeArchive(): typeof archive {
  const name = "gatehouse-9.9.9";
  mkdirSync(join(folder, name, "bin"), { recursive: true });
  writeFileSync(join(folder, name, "package.json"), "{}");
  writeFileSync(
    join(folder, name, "bin/cli.mjs"),
    "console.log('archived', ...process.argv.slice(2)); process.exit(4);",
  );
  const file = join(folder, `${name}.tar.gz`);
  expect(spawnSync("tar", ["-czf", file, name], { cwd: folder }).status).toBe(0);
  const sha256 = createHash("sha256").update(readFileSync(file)).digest("hex");
  return { file, sha256, url: `https://releases.example.com/${name}.tar.gz` };
}

type Inputs = Record<string, string>;
const runners: { name: string; outcome: string; run(inputs: Inputs, token?: string): Promise<Finished> }[] = [
  {
    name: "the GitHub Action",
    outcome: "outcome",
    run: async (inputs, token = web.tokens.viewer) => {
      const finished = await runAction({ inputs: { url: server.url, token, ...inputs }, path });
      expect(finished.commands.filter((command) => command !== "::error::rollout must be a name")).toEqual([]);
      return finished;
    },
  },
  {
    name: "the GitLab template",
    outcome: "GATEHOUSE_OUTCOME",
    run: (inputs, token = web.tokens.viewer) =>
      runTemplate({ inputs: { url: server.url, ...inputs }, variables: { GATEHOUSE_TOKEN: token, TAG: "2" }, path }),
  },
];

type Case = { inputs: Inputs; status: number; outcome: string; says: string };
const cases: Case[] = [
  { inputs: { command: "wait", rollout: "promoted" }, status: 0, outcome: "reached", says: "promoted: " },
  { inputs: { command: "wait", rollout: "aborted" }, status: 3, outcome: "missed", says: "aborted: " },
  {
    inputs: { command: "wait", rollout: "shop/waiting", for: "paused", version: ":2" },
    ...{ status: 0, outcome: "reached", says: "paused: " },
  },
  {
    inputs: { command: "wait", rollout: "shop/waiting", timeout: "1s" },
    ...{ status: 4, outcome: "timeout", says: "not promoted within the time" },
  },
  { inputs: { command: "gate", rollout: "shop/promoted" }, status: 0, outcome: "open", says: "open: promoted" },
  {
    inputs: { command: "gate", rollout: "demo/shop/Rollout/waiting" },
    ...{ status: 3, outcome: "closed", says: "a release is under way: paused" },
  },
  {
    inputs: { command: "gate", rollout: "waiting", timeout: "1s" },
    ...{ status: 4, outcome: "timeout", says: "not open within the time; closed: " },
  },
  { inputs: { command: "gate", rollout: "frozen" }, status: 3, outcome: "closed", says: 'closed: Frozen by "always"' },
  { inputs: { command: "gate", rollout: "none" }, status: 1, outcome: "error", says: "there is no rollout none" },
];

describe.each(runners)("$name", ({ outcome: named, run }) => {
  it.each(cases)("ends with $status ($outcome) for $inputs", async ({ inputs, status, outcome, says }) => {
    const finished = await run(inputs);
    expect(finished, finished.log).toMatchObject({ status, outputs: { [named]: outcome } });
    expect(finished.log).toContain(says);
    const [title, , text] = finished.summary.split("\n");
    expect(title).toContain("### Gatehouse: ");
    expect(title).toContain(inputs.command);
    expect(text?.replaceAll("\\", "")).toContain(says);
    expect(finished.summary).not.toContain("<b>");
    expect(`${finished.log}${finished.summary}`).not.toContain(web.tokens.viewer);
  });

  it("runs nothing that an input contains", async () => {
    const marker = join(folder, "hacked");
    const attack = `x"; touch ${marker}; $(touch ${marker}) \`touch ${marker}\` '`;
    const attacks: Inputs[] = [
      { command: "wait", rollout: attack, version: attack },
      { command: "gate", rollout: "promoted", timeout: attack },
    ];
    for (const inputs of attacks) {
      const finished = await run(inputs);
      expect(finished.status).toBeGreaterThan(0);
      expect(spawnSync("ls", [marker]).status).toBeGreaterThan(0);
    }
  });

  it.each(["--summary=hacked", "--help", "-h", ""])("refuses %j in place of a rollout", async (rollout) => {
    const finished = await run({ command: "gate", rollout });
    expect(finished).toMatchObject({ status: 2, summary: "" });
    expect(finished.log).toContain("rollout must be a name");
  });

  it("fails with a wrong token, without printing it", async () => {
    const token = `ght_${"x".repeat(43)}`;
    const finished = await run({ command: "gate", rollout: "promoted" }, token);
    expect(finished).toMatchObject({ status: 1, outputs: { [named]: "error" } });
    expect(`${finished.log}${finished.summary}`).not.toContain(token);
  });

  it("runs the program of a release whose sum is right, and nothing otherwise", async () => {
    const inputs = { command: "gate", rollout: "promoted", archive: archive.url };
    const finished = await run({ ...inputs, sha256: archive.sha256 });
    expect(finished.log).toContain("archived gate promoted --summary=");
    expect(finished).toMatchObject({ status: 4, outputs: { [named]: "timeout" } });
    for (const sha256 of ["", "0".repeat(64)]) {
      const refused = await run({ ...inputs, sha256 });
      expect(refused.status).toBeGreaterThan(0);
      expect(refused.log).not.toContain("archived");
      expect(refused.outputs[named] ?? "").toBe("");
    }
    expect(
      (await run({ ...inputs, archive: "https://elsewhere.example.com/x.tar.gz", sha256: archive.sha256 })).status,
    ).toBe(22);
  });
});

it("take no text of a cluster for a command to GitHub's runner, or for markup", async () => {
  const inputs = { command: "wait", rollout: "waiting", for: "paused", url: server.url, token: web.tokens.viewer };
  const { log, commands, summary } = await runAction({ inputs, path });
  expect(log).toContain(`. ${hostile}\n`);
  expect(commands).toEqual([]);
  expect(summary).toContain("\\<b\\>z\\<\\/b\\>");
});

it("give inputs to scripts by variables alone", () => {
  const scripts = [
    ...action.runs.steps.map(({ run }) => run),
    ...Object.values(template.jobs).flatMap(({ script }) => script),
  ];
  expect(scripts).toHaveLength(3);
  for (const script of scripts) expect(script).not.toMatch(/\$\{\{|\$\[\[/);
});

it("are refused by GitLab with a command or a goal that there is not", async () => {
  const run = (inputs: Inputs) => runTemplate({ inputs, variables: {}, path });
  await expect(run({ command: "abort", rollout: "x", url: "y" })).rejects.toThrow("input command is not one of");
  await expect(run({ command: "wait", rollout: "x", url: "y", for: "z" })).rejects.toThrow("input for is not one of");
  await expect(run({ command: "wait", url: "y" })).rejects.toThrow("input rollout is required");
  const finished = await runAction({ inputs: { command: "abort", rollout: "promoted" }, path });
  expect(finished).toMatchObject({ status: 2, commands: ["::error::command must be wait or gate"] });
});

it("ask where the inputs say, whatever a variable of the project says", async () => {
  const inputs = { command: "gate", rollout: "promoted", url: server.url };
  const variables = {
    GATEHOUSE_TOKEN: web.tokens.viewer,
    GATEHOUSE_URL: "http://127.0.0.1:1",
    GATEHOUSE_ROLLOUT: "none",
  };
  expect(await runTemplate({ inputs, variables, path })).toMatchObject({ status: 0 });
  const overridden = { ...variables, GATEHOUSE_INPUT_COMMAND: "abort" };
  expect(await runTemplate({ inputs, variables: overridden, path })).toMatchObject({ status: 2 });
});

it("name the job as the pipeline does, and expand its variables", async () => {
  const inputs = { command: "wait", rollout: "shop/waiting", url: server.url, for: "paused", version: ":$TAG" };
  const variables = { GATEHOUSE_TOKEN: web.tokens.viewer, TAG: "2" };
  const { name, job, status } = await runTemplate({
    inputs: { ...inputs, job: "wait for it", stage: "verify" },
    variables,
    path,
  });
  expect({ name, stage: job.stage, status }).toEqual({ name: "wait for it", stage: "verify", status: 0 });
});
