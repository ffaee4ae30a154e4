import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";

const read = (path: string) => readFileSync(join(import.meta.dirname, "..", path), "utf8");
const Versions = z.record(z.string(), z.string());
const Package = z.object({ dependencies: Versions.optional(), devDependencies: Versions.optional() });

describe("what we build from", () => {
  it.each(["package.json", "packages/client/package.json"])("has exact versions in %s", (path) => {
    const { dependencies = {}, devDependencies = {} } = Package.parse(JSON.parse(read(path)));
    const loose = Object.entries({ ...dependencies, ...devDependencies }).filter(
      ([, version]) => !/^(npm:(@[\w.-]+\/)?[\w.-]+@)?\d+\.\d+\.\d+(-[\w.-]+)?$/.test(version),
    );
    expect(loose).toEqual([]);
  });

  it("runs no script of a package while it is installed, also for the image", () => {
    expect(read(".npmrc").split("\n")).toContain("ignore-scripts=true");
    expect(read("Dockerfile")).toMatch(/^COPY .*\.npmrc .*\nRUN npm ci$/m);
    expect(read(".dockerignore").split("\n")).toContain("!.npmrc");
  });

  it("takes a new version once it is a week old", () => {
    expect(JSON.parse(read("renovate.json"))).toMatchObject({
      minimumReleaseAge: "7 days",
      internalChecksFilter: "strict",
    });
  });
});
