import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { nodeForTypeScript } from "#lib/server/platform/embedded-postgres/start-embedded-postgres.ts";
// @ts-expect-error -- plain JavaScript without types, as all scripts.
import { bundleForProduction } from "../scripts/bundle.mjs";
// @ts-expect-error -- plain JavaScript without types, as all scripts.
import { describePlugin, writePlugin } from "../scripts/krew.mjs";

// The plugin of kubectl, installed as krew and kubectl do it, without either.

const root = join(import.meta.dirname, "..");
const download = "https://github.com/example/gatehouse/releases/download/v9.9.9";
let folder: string;
let manifest: ReturnType<typeof describePlugin>;
let archive: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "gatehouse-plugin-"));
  const tree = join(folder, "tree");
  mkdirSync(tree);
  // Of a production tree, what the plugin takes: the pages need a build.
  await bundleForProduction({ out: join(tree, "bin"), left: ["commands/demo.ts", "commands/up.ts"] });
  spawnSync("chmod", ["755", join(tree, "bin/cli.mjs")]);
  writeFileSync(join(tree, "package.json"), JSON.stringify({ version: "9.9.9", type: "module" }));
  for (const path of ["LICENSE", "NOTICE", "node_modules/yaml"])
    cpSync(join(root, path), join(tree, path), { recursive: true });
  writeFileSync(join(tree, "gatehouse-package.json"), JSON.stringify({ packages: [{ path: "node_modules/yaml" }] }));
  const files = await writePlugin({ tree, out: folder, version: "9.9.9", mtimeSeconds: 1_700_000_000, download });
  expect(files).toEqual(["kubectl-gatehouse-9.9.9.tar.gz", "gatehouse-9.9.9.krew.yaml"]);
  archive = join(folder, files[0]);
  manifest = parse(readFileSync(join(folder, files[1]), "utf8"));
}, 300_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the manifest", () => {
  it("passes the rules of krew (internal/index/validation), and names the archive by its sum", () => {
    expect(manifest).toMatchObject({
      apiVersion: "krew.googlecontainertools.github.com/v1alpha2",
      kind: "Plugin",
      metadata: { name: "gatehouse" },
      spec: {
        version: "v9.9.9",
        homepage: "https://github.com/example/gatehouse",
        shortDescription: expect.stringMatching(/^[^\r\n]+$/),
        platforms: [
          {
            selector: { matchExpressions: [{ key: "os", operator: "In", values: ["darwin", "linux"] }] },
            uri: `${download}/kubectl-gatehouse-9.9.9.tar.gz`,
            sha256: createHash("sha256").update(readFileSync(archive)).digest("hex"),
            files: [{ from: "kubectl-gatehouse-9.9.9/*", to: "." }],
          },
        ],
      },
    });
  });

  it("has no homepage if the files are published elsewhere", () => {
    const { spec } = describePlugin({ version: "1.0.0", sha256: "a", uri: "https://files.example.com/x.tar.gz" });
    expect(spec).not.toHaveProperty("homepage");
  });
});

describe("the archive", () => {
  it("has only files and folders, as krew demands, with the licences of what is in it", () => {
    const { stdout } = spawnSync("tar", ["-tvzf", archive], { encoding: "utf8" });
    const lines = stdout.trim().split("\n");
    expect(lines.filter((line) => !/^[d-]/.test(line) || line.includes(".."))).toEqual([]);
    const paths = lines.map((line) => line.split(" kubectl-gatehouse-9.9.9/").at(-1));
    expect(paths).toEqual(expect.arrayContaining(["LICENSE", "NOTICE", "licences/yaml/LICENSE"]));
    expect(paths.filter((path) => path?.startsWith("node_modules") || path?.endsWith(".map"))).toEqual([]);
  });

  it("starts as kubectl-gatehouse from the PATH, and calls itself kubectl gatehouse", () => {
    const [{ files, bin }] = manifest.spec.platforms;
    const installed = join(folder, "store/gatehouse/v9.9.9");
    mkdirSync(installed, { recursive: true });
    expect(spawnSync("tar", ["-xzf", archive, "-C", folder]).status).toBe(0);
    // The target of each match of `from` is its name below `to`.
    cpSync(join(folder, dirname(files[0].from)), join(installed, files[0].to), { recursive: true });
    const path = join(folder, "path");
    mkdirSync(path);
    symlinkSync(nodeForTypeScript(), join(path, "node"));
    symlinkSync(join(installed, bin), join(path, "kubectl-gatehouse"));
    const run = (...args: string[]) =>
      spawnSync("kubectl-gatehouse", args, {
        ...{ cwd: "/", encoding: "utf8", timeout: 120_000 },
        env: { NODE_ENV: "production", PATH: `${path}:/usr/bin:/bin`, HOME: folder },
      });
    expect(run("--help")).toMatchObject({
      ...{ status: 0, stderr: "" },
      stdout: expect.stringMatching(/^usage: kubectl gatehouse COMMAND \[flags\]; kubectl gatehouse COMMAND --help/),
    });
    expect(run("why", "--help").stdout).toContain("\n  kubectl gatehouse why NAME");
    expect(run("--version").stdout).toBe("9.9.9\n");
    expect(run("inbox")).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("not signed in: run kubectl gatehouse login URL"),
    });
  });
});
