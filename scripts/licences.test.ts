import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

type Lock = { packages: Record<string, { license?: string; dev?: boolean; devOptional?: boolean }> };

const root = join(import.meta.dirname, "..");
const lock: Lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));

/** Licences that ask for no more than their text beside the program. */
const permissive = new Set([
  "0BSD",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "BlueOak-1.0.0",
  "CC0-1.0",
  "ISC",
  "MIT",
  "MIT-0",
  "Unlicense",
]);

/** Packages under other licences, each looked at. They are used as they were published, never changed. */
const accepted: Record<string, string> = {
  "@fontsource-variable/inter": "OFL-1.1: a font may be shipped with a program",
  "@fontsource-variable/jetbrains-mono": "OFL-1.1: a font may be shipped with a program",
  argparse: "PSF-2.0: permissive",
  "caniuse-lite": "CC-BY-4.0: data that the build reads",
  elkjs: "EPL-2.0: comes with Prisma's command line, which no page loads",
  "seq-queue": "MIT by its LICENSE file; its package.json does not say so",
};

/** The image library of Next, which is optional, and which nothing here uses. */
const isOfSharp = (name: string) => name.startsWith("@img/");

const nameOf = (path: string) => path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);

function isPermissive(expression: string): boolean {
  const parts = expression.replaceAll(/[()]/g, "").split(/ (?:OR|AND|and) /);
  return expression.includes(" OR ")
    ? parts.some((part) => permissive.has(part))
    : parts.every((part) => permissive.has(part));
}

const shipped = Object.entries(lock.packages)
  .filter(([path, { dev, devOptional }]) => path !== "" && !dev && !devOptional)
  .map(([path, { license = "none stated" }]) => ({ name: nameOf(path), license }));

describe("the licences of what is shipped", () => {
  it("are permissive, or were looked at", () => {
    const others = shipped.filter(
      ({ name, license }) => !isPermissive(license) && !Object.hasOwn(accepted, name) && !isOfSharp(name),
    );
    expect(others).toEqual([]);
    expect(shipped.length).toBeGreaterThan(100);
  });

  it("are excepted for no package that needs it no longer", () => {
    const needed = new Set(shipped.filter(({ license }) => !isPermissive(license)).map(({ name }) => name));
    expect(Object.keys(accepted).filter((name) => !needed.has(name))).toEqual([]);
  });

  it("takes one of a choice, and all of a sum", () => {
    expect(isPermissive("(MIT OR GPL-3.0)")).toBe(true);
    expect(isPermissive("Apache-2.0 AND LGPL-3.0-or-later")).toBe(false);
    expect(isPermissive("GPL-3.0")).toBe(false);
  });
});
