import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const script = join(import.meta.dirname, "sbom.mjs");
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "gatehouse-sbom-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the software bill of materials", () => {
  it("names what is shipped, and no tool of development", () => {
    const { status, stdout } = spawnSync(process.execPath, [script], { encoding: "utf8" });
    expect(status).toBe(0);
    const { bomFormat, components } = JSON.parse(stdout) as {
      bomFormat: string;
      components: { name: string; version: string }[];
    };
    expect(bomFormat).toBe("CycloneDX");
    const listed = components.map(({ name, version }) => `${name}@${version}`);
    const { dependencies, devDependencies } = JSON.parse(readFileSync(join(script, "../../package.json"), "utf8"));
    const exact = (packages: Record<string, string>) =>
      Object.entries(packages).map(([name, version]) => `${name}@${version}`);
    expect(exact(dependencies).filter((name) => !listed.includes(name))).toEqual([]);
    // Types and this one are dependencies of what is shipped, too.
    const tools = exact(devDependencies).filter((name) => !/^@types\/|^@prisma\/schema-engine-wasm@/.test(name));
    expect(tools.filter((name) => listed.includes(name))).toEqual([]);
    // Of what those need: not named by package.json.
    expect(components.length).toBeGreaterThan(Object.keys(dependencies).length * 3);
  });

  it("is not written by an npm that cannot make it, though that ends with 0", () => {
    const npm = join(folder, "npm");
    writeFileSync(npm, "#!/bin/sh\necho 'Unknown command: \"sbom\"'\n");
    chmodSync(npm, 0o755);
    const out = join(folder, "sbom.json");
    const env = { ...process.env, PATH: `${folder}${delimiter}${process.env.PATH}` };
    const { status, stderr } = spawnSync(process.execPath, [script, out], { encoding: "utf8", env });
    expect(status).toBe(1);
    expect(stderr).toContain("npm 9.5 or newer");
    expect(existsSync(out)).toBe(false);
  });
});
