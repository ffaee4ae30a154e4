import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { list } from "tar";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
// @ts-expect-error -- plain JavaScript without types, as all scripts.
import { bundleExtension, packExtension } from "./argocd-extension.mjs";

it("is not built above its limit", async () => {
  await expect(bundleExtension({ limitBytes: 1000 })).rejects.toThrow("compressed: at most 1000");
});

it("is packed as the extension installer unpacks it", async () => {
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-extension-"));
  const file = join(folder, "extension.tar.gz");
  await packExtension({ code: "((window) => {})(window);", tree: join(folder, "tree"), file, mtimeSeconds: 0 });
  const paths: string[] = [];
  await list({ file, onReadEntry: ({ path }) => paths.push(path) });
  expect(paths.map((path) => join(path))).toContain("resources/extension-gatehouse.js/extension-gatehouse.js");
  rmSync(folder, { recursive: true });
});

describe("the init container of docs/argo-cd.md", () => {
  const page = readFileSync(join(import.meta.dirname, "../docs/argo-cd.md"), "utf8");
  const fence = [...page.matchAll(/```yaml\n([\s\S]*?)```/g)].find(([, text]) => text?.includes("command: [sh, -ec]"));
  const [container] = parse(fence?.[1] ?? "").spec.template.spec.initContainers;

  /** Runs its command with a curl that writes a part of the file and ends with this status. */
  function start(status: number): { status: number | null; stderr: string; files: string[] } {
    const folder = mkdtempSync(join(tmpdir(), "gatehouse-init-"));
    const curl = `#!/bin/sh\nfor last; do :; done\necho part > "$last"\nexit ${status}\n`;
    mkdirSync(join(folder, "bin"));
    writeFileSync(join(folder, "bin/curl"), curl, { mode: 0o755 });
    const script = container.args[0].replaceAll(["", "tmp", "extensions"].join("/"), join(folder, "extensions"));
    const [shell, ...options] = container.command;
    const env = {
      ...process.env,
      PATH: `${join(folder, "bin")}:${process.env.PATH}`,
      URL: "https://gatehouse.example.com",
    };
    const ended = spawnSync(shell, [...options, script], { env, encoding: "utf8" });
    const files = readdirSync(join(folder, "extensions/gatehouse"));
    rmSync(folder, { recursive: true });
    return {
      status: ended.status,
      stderr: ended.stderr,
      files: files.filter((name) => /^extension.*\.js$/.test(name)),
    };
  }

  it("adds the script", () => {
    expect(start(0)).toEqual({
      status: 0,
      stderr: "",
      files: expect.arrayContaining(["extension-0-gatehouse.js", "extension-gatehouse.js"]),
    });
  });

  it.each([7, 22, 28])("lets Argo CD start without it if curl ends with %i", (status) => {
    expect(start(status)).toEqual({
      status: 0,
      stderr: expect.stringContaining("Argo CD starts without its extension"),
      files: ["extension-0-gatehouse.js"],
    });
  });
});
