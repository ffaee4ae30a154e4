import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "@playwright/test";
import { readDemo } from "#test/demo.ts";
import type { Role } from "./pages.ts";
import { test } from "./pages.ts";
import {
  createInconclusiveRollout,
  createPausedRollout,
  createRollout,
  ownNamespace,
  releaseVersion,
  waitForStatus,
} from "./sandbox.ts";

type Ended = { status: number; stdout: string; stderr: string };

const entryPoint = join(import.meta.dirname, "../bin/gatehouse.mjs");

function run(args: string[], env: Record<string, string>, input = ""): Promise<Ended> {
  return new Promise((resolve) => {
    const options = { env: { ...process.env, ...env }, timeout: 240_000 };
    const child = execFile(process.execPath, [entryPoint, ...args], options, (error, stdout, stderr) =>
      resolve({ status: Number(error?.code ?? 0), stdout, stderr }),
    );
    child.stdin?.end(input);
  });
}

function gatehouse(role: Role, ...args: string[]): Promise<Ended> {
  const { url, tokens } = readDemo();
  return run(args, { GATEHOUSE_URL: url, GATEHOUSE_TOKEN: tokens[role] });
}

test("a terminal says what waits and why, accepts it with a reason, and names the entry", async () => {
  const name = "cli-accept";
  await createInconclusiveRollout(name);
  const inbox = async () => (await gatehouse("operator", "inbox", "--attention", "inconclusive")).stdout;
  await expect.poll(inbox).toMatch(new RegExp(`^${ownNamespace}/${name} +inconclusive .* 50 %`, "m"));

  const why = await gatehouse("operator", "why", name);
  expect(why.stdout).toMatch(/Waits for a person for \d+ (s|min): inconclusive\./);
  expect(why.stdout).toMatch(/^success-rate +Inconclusive +[▁▂▃▄▅▆▇█]{3} /m);
  expect(why.stdout).toMatch(new RegExp(`^gatehouse accept-step ${ownNamespace}/${name} +\\S`, "m"));

  expect(await gatehouse("operator", "accept", name, "--yes")).toMatchObject({
    status: 2,
    stderr: "gatehouse: accept-step needs --reason TEXT\n",
  });
  expect(await gatehouse("operator", "accept", name, "--reason", "measured by hand")).toMatchObject({
    status: 2,
    stderr: "gatehouse: --yes is missing: there is no terminal to ask for confirmation\n",
  });
  const accepted = await gatehouse("operator", "accept", name, "--yes", "--reason", "measured by hand");
  expect(accepted).toMatchObject({ status: 0, stderr: "" });
  expect(accepted.stdout).toMatch(new RegExp(`^accept-step ${ownNamespace}/${name}: effective, audit entry \\d+`));

  const [, entry] = /audit entry (\d+)/.exec(accepted.stdout) ?? [];
  const audit = await gatehouse(
    "operator",
    "audit",
    "list",
    "--namespace",
    ownNamespace,
    "--name",
    name,
    "--output",
    "json",
  );
  const entries: { seq: number; reason?: string; sentence: string }[] = JSON.parse(audit.stdout);
  expect(entries.find(({ seq }) => seq === Number(entry))).toMatchObject({ reason: "measured by hand" });
});

test("a pipeline waits for a release, and its exit status says how it ended", async () => {
  const name = "cli-wait";
  await createPausedRollout(name);
  const wait = (...rest: string[]) => gatehouse("viewer", "wait", `${ownNamespace}/${name}`, ...rest);
  await expect
    .poll(async () => (await gatehouse("viewer", "rollouts", "list", "--query", name)).stdout)
    .toMatch(/cli-wait +Rollout +Paused +1\/4 +50 % +v1 → v2/);
  expect(await wait("--for", "person")).toMatchObject({ status: 0 });
  const late = await wait("--for", "promoted", "--timeout", "2s");
  expect(late).toMatchObject({ status: 4 });
  expect(late.stdout).toContain("not promoted within the time; paused: v1 → v2");

  const missed = wait("--for", "promoted", "--timeout", "200s");
  const refused = await gatehouse("viewer", "abort", name, "--yes");
  expect(refused).toMatchObject({ status: 1, stdout: "" });
  expect(refused.stderr).toMatch(/^gatehouse: abort is not allowed now: /);
  expect(await gatehouse("operator", "abort", name, "--yes")).toMatchObject({ status: 0 });
  const ended = await missed;
  expect(ended).toMatchObject({ status: 3 });
  expect(ended.stdout).toContain(`${ownNamespace}/${name}: aborted: `);
  expect(await wait("--for", "aborted")).toMatchObject({ status: 0 });
  const history = await gatehouse("viewer", "history", name);
  expect(history.stdout).toMatch(/^2 +v2 +aborted .* operator: abort/m);
});

test("signing in stores the token for this user alone, and a wrong one is not stored", async () => {
  const { url, tokens } = readDemo();
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-cli-"));
  const env = { XDG_CONFIG_HOME: folder, GATEHOUSE_URL: "", GATEHOUSE_TOKEN: "" };
  const file = join(folder, "gatehouse/login.json");
  expect(await run(["inbox"], env)).toMatchObject({
    status: 1,
    stderr: "gatehouse: not signed in: run gatehouse login URL, or set GATEHOUSE_URL and GATEHOUSE_TOKEN\n",
  });
  const wrong = await run(["login", "--url", url], env, "ght_wrong\n");
  expect(wrong).toMatchObject({ status: 1, stderr: `gatehouse: ${url} does not know this token, or it has expired\n` });
  expect(() => statSync(file)).toThrow("ENOENT");

  const signedIn = await run(["login", "--url", `${url}/`], env, `${tokens.viewer}\n`);
  expect(signedIn).toMatchObject({
    status: 0,
    stdout: `signed in to ${url} as viewer, role viewer; stored in ${file}\n`,
  });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ url, token: tokens.viewer });
  const listed = await run(["rollouts", "list", "--namespace", "payments", "--output", "yaml"], env);
  expect(listed.stdout).toMatch(/^- id: demo\/payments\//m);
  expect(await run(["logout"], env)).toMatchObject({ status: 0 });
  expect(() => statSync(file)).toThrow("ENOENT");
});

test("a terminal lists the rollouts of a version, and acts on them only with --yes", async () => {
  const [one, other] = ["cli-many-one", "cli-many-two"];
  await Promise.all(
    [one, other].map(async (name) => {
      await createRollout(name, [{ setWeight: 50 }, { pause: {} }]);
      await releaseVersion(name, "v8.8.8");
      await waitForStatus(name, ({ message }) => message === "CanaryPauseStep");
    }),
  );
  const abort = (...flags: string[]) => gatehouse("operator", "abort", "--version", "v8.8.8", ...flags);
  await expect.poll(async () => (await abort()).stdout).toContain("nothing was done; --yes acts on 2 of 2");
  expect(await abort("--cluster", "nowhere-*")).toMatchObject({
    status: 1,
    stderr: "gatehouse: no rollout runs or receives version v8.8.8 there\n",
  });
  const done = await abort("--yes");
  expect(done).toMatchObject({ status: 0, stderr: "" });
  expect(done.stdout).toMatch(/^aborted 2 of 2 of "v8\.8\.8", audit entry \d+$/m);
  expect(await abort("--yes")).toMatchObject({ status: 1 });
});
