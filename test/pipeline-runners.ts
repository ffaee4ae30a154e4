import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse, parseAllDocuments } from "yaml";

// What the runners of GitHub and GitLab do with the files of deploy/ci, as far as these use it.

const folder = join(import.meta.dirname, "../deploy/ci");

export type Finished = {
  status: number;
  log: string;
  /** What the pipeline gets: the action's outputs, or the variables of the job's dotenv report. */
  outputs: Record<string, string>;
  summary: string;
};

type Step = { id?: string; if?: string; shell: string; env: Record<string, string>; run: string };
type Action = {
  inputs: Record<string, { required?: boolean; default?: string }>;
  outputs: Record<string, { value: string }>;
  runs: { using: string; steps: Step[] };
};

export const action: Action = parse(readFileSync(join(folder, "action.yml"), "utf8"));

/** Runs the action as GitHub's runner does. `commands`: those that the runner takes from the log. */
export async function runAction({
  inputs,
  path,
}: {
  inputs: Record<string, string>;
  path: string;
}): Promise<Finished & { commands: string[] }> {
  const work = mkdtempSync(join(tmpdir(), "gatehouse-action-"));
  try {
    const summaryFile = join(work, "summary.md");
    const files = {
      GITHUB_STEP_SUMMARY: summaryFile,
      GITHUB_OUTPUT: join(work, "output"),
      RUNNER_TEMP: join(work, "temp"),
    };
    mkdirSync(files.RUNNER_TEMP);
    const steps: Record<string, Record<string, string>> = {};
    const values = (expression: string): string => {
      const [context = "", name = "", , output = ""] = expression.trim().split(".");
      if (context === "inputs") return inputs[name] ?? action.inputs[name]?.default ?? "";
      if (context === "steps") return steps[name]?.[output] ?? "";
      throw new Error(`the runner of the test does not know ${expression}`);
    };
    const fill = (text: string) => text.replaceAll(/\$\{\{(.*?)\}\}/g, (_, expression: string) => values(expression));
    let status = 0;
    let log = "";
    for (const { id = "", if: condition, env, run, shell } of action.runs.steps) {
      const [, left = "", right] = /^(\S+) != '(.*)'$/.exec(condition ?? "") ?? [];
      if (status !== 0 || (condition !== undefined && values(left) === right)) continue;
      if (shell !== "bash") throw new Error(`the runner of the test has no ${shell}`);
      writeFileSync(files.GITHUB_OUTPUT, "");
      writeFileSync(join(work, "step.sh"), fill(run));
      const filled = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, fill(value)]));
      const ended = await start({
        command: ["bash", "--noprofile", "--norc", "-eo", "pipefail", join(work, "step.sh")],
        ...{ cwd: work, env: { ...files, ...filled, PATH: path } },
      });
      ({ status } = ended);
      log += ended.log;
      steps[id] = parseVariables(readFileSync(files.GITHUB_OUTPUT, "utf8"));
    }
    const outputs = Object.entries(action.outputs).map(([name, { value }]) => [name, fill(value)]);
    return {
      ...{ status, log, outputs: Object.fromEntries(outputs), commands: listCommands(log) },
      summary: readIfThere(summaryFile),
    };
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Lists what GitHub's runner takes for a command: of the newer form at the start of a line, of the older one anywhere. */
function listCommands(log: string): string[] {
  const commands: string[] = [];
  let stopped: string | undefined;
  for (const line of log.split("\n")) {
    const [, name = ""] = /^\s*::([^:\s]+)(?: [^:]*)?::/.exec(line) ?? /##\[([^\]\s]+)/.exec(line) ?? [];
    if (stopped !== undefined) {
      if (name === stopped) stopped = undefined;
    } else if (name === "stop-commands") stopped = line.trim().slice("::stop-commands::".length);
    else if (name !== "") commands.push(line);
  }
  return commands;
}

type Input = { options?: string[]; default?: string };
type Job = {
  stage: string;
  image: string;
  variables: Record<string, string>;
  script: string[];
  artifacts: { when: string; expose_as: string; paths: string[]; reports: { dotenv: string } };
};

const [header, body] = parseAllDocuments(readFileSync(join(folder, "gitlab.yml"), "utf8"));
export const template: { inputs: Record<string, Input>; jobs: Record<string, Job> } = {
  inputs: header?.toJS().spec.inputs,
  jobs: body?.toJS(),
};

/**
 * Includes the template and runs its job as GitLab does: inputs are checked and put into the YAML's values, variables are
 * expanded once. `variables`: those of the project and the pipeline.
 */
export async function runTemplate({
  inputs,
  variables,
  path,
}: {
  inputs: Record<string, string>;
  variables: Record<string, string>;
  path: string;
}): Promise<Finished & { job: Job; name: string }> {
  const unknown = Object.keys(inputs).find((name) => !(name in template.inputs));
  if (unknown !== undefined) throw new Error(`unknown input ${unknown}`);
  const given = Object.entries(template.inputs).map(([name, { options, default: fallback }]) => {
    const value = inputs[name] ?? fallback;
    if (value === undefined) throw new Error(`input ${name} is required`);
    if (options !== undefined && !options.includes(value)) throw new Error(`input ${name} is not one of ${options}`);
    return [name, value] as const;
  });
  const values = new Map<string, string>(given);
  const [[name, job] = []] = Object.entries(interpolate(template.jobs, values) as Record<string, Job>);
  if (name === undefined || job === undefined) throw new Error("the template has no job");
  const work = mkdtempSync(join(tmpdir(), "gatehouse-job-"));
  try {
    const expand = (text: string) =>
      text.replaceAll(/\$(?:\{(\w+)\}|(\w+))/g, (_, one, other) => variables[one ?? other] ?? "");
    const own = Object.fromEntries(Object.entries(job.variables).map(([key, value]) => [key, expand(value)]));
    writeFileSync(join(work, "script.sh"), `set -eo pipefail\n${job.script.join("\n")}`);
    const ended = await start({
      command: ["bash", join(work, "script.sh")],
      ...{ cwd: work, env: { ...own, ...variables, PATH: path } },
    });
    const outputs = parseVariables(readIfThere(join(work, job.artifacts.reports.dotenv)));
    const [summary = ""] = job.artifacts.paths.map((file) => readIfThere(join(work, file)));
    return { ...ended, outputs, summary, job, name };
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function interpolate(value: unknown, inputs: ReadonlyMap<string, string>): unknown {
  if (typeof value === "string")
    return value.replaceAll(/\$\[\[ inputs\.(\w+) \]\]/g, (_, name: string) => inputs.get(name) ?? "");
  if (Array.isArray(value)) return value.map((item) => interpolate(item, inputs));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [interpolate(key, inputs), interpolate(item, inputs)]),
  );
}

function parseVariables(text: string): Record<string, string> {
  const lines = text.split("\n").filter((line) => line !== "");
  return Object.fromEntries(lines.map((line) => line.split(/=(.*)/s)));
}

function readIfThere(file: string): string {
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}

function start({
  command: [program = "", ...args],
  cwd,
  env,
}: {
  command: string[];
  cwd: string;
  env: Record<string, string>;
}): Promise<{ status: number; log: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env: { NODE_ENV: "test", ...env }, stdio: ["ignore", "pipe", "pipe"] });
    let log = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk) => {
        log += String(chunk);
      });
    child.on("error", reject);
    child.on("close", (code) => resolve({ status: code ?? -1, log }));
  });
}
