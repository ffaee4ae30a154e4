import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";

// What of the workflows can be checked without GitHub.

const root = join(import.meta.dirname, "..");
const folder = join(root, ".github/workflows");
type Step = {
  name?: string;
  uses?: string;
  run?: string;
  with?: Record<string, unknown>;
  env?: Record<string, string>;
};
type Job = {
  container?: string;
  needs?: string | string[];
  permissions?: Record<string, string>;
  "timeout-minutes"?: number;
  steps: Step[];
};
type Workflow = { on: Record<string, unknown>; permissions: Record<string, string>; jobs: Record<string, Job> };

const read = (file: string): Workflow => parse(readFileSync(join(folder, file), "utf8"));
const files = readdirSync(folder);
const stepsOf = ({ jobs }: Workflow) => Object.values(jobs).flatMap(({ steps }) => steps);
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

describe.each(files)("the workflow %s", (file) => {
  const workflow = read(file);

  it("limits its token, and every job its time", () => {
    expect(workflow.permissions).toBeDefined();
    expect(Object.values(workflow.permissions).every((right) => right === "read")).toBe(true);
    for (const [name, job] of Object.entries(workflow.jobs)) expect(job["timeout-minutes"], name).toBeGreaterThan(0);
  });

  it("runs files and npm scripts that exist", () => {
    const texts = stepsOf(workflow).flatMap(({ run }) => run ?? []);
    const paths = texts.flatMap((text) => [
      ...text.matchAll(/(?:^|\s)(\.ci\/\S+|(?:scripts|bin|test)\/\S+\.m?[jt]s)/gm),
    ]);
    const scripts = texts.flatMap((text) => [...text.matchAll(/npm (?:run )?(test(?::\w+)?|verify|build)\b/g)]);
    expect(paths.length + scripts.length).toBeGreaterThan(0);
    for (const [, path = ""] of paths) expect(existsSync(join(root, path)), path).toBe(true);
    for (const [, name = ""] of scripts) expect(manifest.scripts, name).toHaveProperty([name]);
    for (const [, path = ""] of paths.filter(([, path]) => path?.startsWith(".ci/")))
      expect(statSync(join(root, path)).mode & 0o111, path).not.toBe(0);
  });

  it("takes only GitHub's own actions, at a version", () => {
    for (const { uses } of stepsOf(workflow))
      if (uses !== undefined) expect(uses).toMatch(/^actions\/[\w-]+@(v\d+|[0-9a-f]{40})$/);
  });

  it("runs in images that are named by their digest", () => {
    for (const [name, { container }] of Object.entries(workflow.jobs))
      if (container !== undefined) expect(container, name).toMatch(/@sha256:[0-9a-f]{64}$/);
  });

  it("puts nothing that others can choose into the text of a script", () => {
    for (const { run = "" } of stepsOf(workflow)) expect(run).not.toContain("${{");
  });
});

describe("advisories", () => {
  it.each(["advisories.yaml", "release.yaml"])("are asked for at npm and at OSV, and fail %s", (file) => {
    const steps = read(file).jobs.advisories?.steps ?? [];
    const text = steps.map(({ run = "" }) => run).join("\n");
    expect(text).toMatch(/^npm audit --package-lock-only --audit-level=high$/m);
    expect(text).toMatch(/^node scripts\/ask-advisories\.mjs$/m);
    expect(JSON.stringify(steps)).not.toContain("continue-on-error");
  });

  it("are asked for at every change, and every day without one", () => {
    expect(Object.keys(read("advisories.yaml").on).toSorted()).toEqual(["pull_request", "push", "schedule"]);
  });
});

describe("the workflow of a release", () => {
  const { on, jobs } = read("release.yaml");
  const needs = (name: string): string[] => [jobs[name]?.needs ?? []].flat().flatMap((each) => [each, ...needs(each)]);
  const textOf = (name: string) => jobs[name]?.steps.map(({ run = "" }) => run).join("\n") ?? "";

  it("starts with a tag of a version, and with nothing else", () => {
    expect(on).toEqual({ push: { tags: [expect.stringMatching(/^v/), expect.stringMatching(/^v/)] } });
  });

  it("gives each job only the rights it needs: one may push images, another may publish", () => {
    expect(Object.fromEntries(Object.entries(jobs).map(([name, { permissions }]) => [name, permissions]))).toEqual({
      test: { contents: "read" },
      advisories: { contents: "read" },
      tarball: { contents: "read" },
      image: { contents: "read", packages: "write" },
      publish: { contents: "write" },
    });
  });

  it("publishes nothing before everything was tested, and the page last", () => {
    for (const name of ["tarball", "image", "publish"])
      expect(needs(name), name).toEqual(expect.arrayContaining(["test", "advisories"]));
    expect(needs("image")).toContain("tarball");
    expect(needs("publish")).toEqual(expect.arrayContaining(["tarball", "image"]));
    expect(textOf("test")).toContain(".ci/run");
    expect(textOf("publish")).toMatch(/sha256sum --check --strict SHA256SUMS\n.*gh release create/s);
  });

  it("publishes the plugin of kubectl with the address that its manifest has", () => {
    const address = "$GITHUB_SERVER_URL/$GITHUB_REPOSITORY/releases/download/$TAG";
    expect(textOf("tarball")).toContain(`--download "${address}"`);
    const [upload] = jobs.tarball?.steps.flatMap(({ with: given }) => given?.path ?? []) ?? [];
    expect(upload).toContain("/*.krew.yaml");
    expect(textOf("publish")).toContain("./*.krew.yaml");
  });

  it("gives a secret only to the step that needs it, and never as an argument", () => {
    const steps = Object.values(jobs).flatMap(({ steps: all }) => all);
    const holders = steps.filter(({ env = {} }) => Object.values(env).some((value) => value.includes("secrets.")));
    expect(holders.map(({ name }) => name)).toEqual([
      "Build and push the image, and the chart that names it by digest",
      "Compare the sums, and publish",
    ]);
    for (const { run = "" } of holders) expect(run).not.toMatch(/(-p|--password)[ =]/);
    for (const { uses, with: given } of steps)
      if (uses?.startsWith("actions/checkout") === true) expect(given).toMatchObject({ "persist-credentials": false });
  });
});
