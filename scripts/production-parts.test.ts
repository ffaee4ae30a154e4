import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
// @ts-expect-error -- plain JavaScript without types, as all scripts that run before anything is installed.
import { closePackages, packageOf } from "./production-parts.mjs";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "gatehouse-parts-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

describe("closePackages", () => {
  const install = (...folders: string[]) =>
    write(Object.fromEntries(folders.map((path) => [`${path}/package.json`, "{}"])));
  const lock = (packages: Record<string, object>) => write({ "package-lock.json": JSON.stringify({ packages }) });

  it("takes the nearest version of each dependency, and optional ones only if they are there", () => {
    lock({
      "node_modules/a": { dependencies: { b: "1", c: "1" }, optionalDependencies: { o: "1" } },
      "node_modules/a/node_modules/b": { dependencies: { c: "1" } },
      "node_modules/b": {},
      "node_modules/c": {},
      "node_modules/o": {},
      "node_modules/unused": {},
    });
    install("node_modules/a", "node_modules/a/node_modules/b", "node_modules/b", "node_modules/c");
    expect(closePackages({ root, names: ["a"] })).toEqual([
      "node_modules/a",
      "node_modules/a/node_modules/b",
      "node_modules/c",
    ]);
  });

  it("refuses to leave out what is needed and not installed", () => {
    lock({ "node_modules/a": { dependencies: { b: "1" } }, "node_modules/b": {} });
    install("node_modules/a");
    expect(() => closePackages({ root, names: ["a"] })).toThrow("the package b is not installed: run npm ci");
    expect(closePackages({ root, names: ["a"], skip: (name: string) => name === "b" })).toEqual(["node_modules/a"]);
  });
});

it("names the package of an import", () => {
  expect(packageOf("@a/b/c.js")).toBe("@a/b");
  expect(packageOf("a/b.js")).toBe("a");
});
