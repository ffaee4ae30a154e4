import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
// @ts-expect-error -- plain JavaScript without types: it runs before anything is installed.
import { completeLockfile, listUnproven } from "./complete-lockfile.mjs";

type Lock = { packages: Record<string, Record<string, unknown>> };

const lockOf = (packages: Lock["packages"]): Lock => ({ packages: { "": {}, ...packages } });

describe("completeLockfile", () => {
  it("adds what a package names for other platforms, to be skipped on this one", () => {
    const lock = lockOf({
      "node_modules/tool": {
        dev: true,
        optionalDependencies: { "@tool/linux-x64-musl": "1.2.3", "@tool/linux-x64": "1.2.3" },
      },
      "node_modules/@tool/linux-x64": { version: "1.2.3" },
    });
    expect(completeLockfile(lock)).toEqual(["@tool/linux-x64-musl"]);
    expect(lock.packages["node_modules/@tool/linux-x64-musl"]).toEqual({
      version: "1.2.3",
      libc: ["musl"],
      cpu: ["x64"],
      dev: true,
      optional: true,
      os: ["linux"],
    });
  });

  it("finds a package that lies nested, and leaves alone what is no platform", () => {
    const lock = lockOf({
      "node_modules/a/node_modules/tool": { optionalDependencies: { "t-darwin-arm64": "1.0.0", fsevents: "~2.3.2" } },
      "node_modules/a/node_modules/t-darwin-arm64": { version: "1.0.0" },
    });
    expect(completeLockfile(lock)).toEqual([]);
  });

  it("has nothing to add to our own lockfile, or npm ci would refuse it", () => {
    const file = new URL("../package-lock.json", import.meta.url);
    expect(completeLockfile(JSON.parse(readFileSync(file, "utf8")) as Lock)).toEqual([]);
  });
});

describe("listUnproven", () => {
  it("finds an entry that npm would install whatever it contains", () => {
    const integrity = `sha512-${"A".repeat(86)}==`;
    const lock = lockOf({
      "node_modules/whole": { version: "1.0.0", integrity },
      "node_modules/linked": { link: true },
      "node_modules/a/node_modules/bundled": { version: "1.0.0", inBundle: true },
      "node_modules/a/node_modules/@s/bare": { version: "1.0.0" },
      "node_modules/weak": { version: "1.0.0", integrity: "sha1-AAAAAAAAAAAAAAAAAAAAAAAAAAA=" },
    });
    expect(listUnproven(lock).map(({ name }: { name: string }) => name)).toEqual(["@s/bare", "weak"]);
  });

  it("finds nothing in our own lockfile: node scripts/complete-lockfile.mjs", () => {
    const file = new URL("../package-lock.json", import.meta.url);
    expect(listUnproven(JSON.parse(readFileSync(file, "utf8")) as Lock)).toEqual([]);
  });
});
