import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeTemporaryFolder } from "../commands/web.ts";
import { writeBuild } from "./write-build.ts";

let directory: string;
let from: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "gatehouse-build-"));
  from = join(directory, "app");
  for (const folder of [
    ".next/server",
    ".next/static",
    ".next/cache",
    ".next/node_modules",
    "node_modules/pg",
    "public",
  ])
    mkdirSync(join(from, folder), { recursive: true });
  writeFileSync(join(from, ".next/static/a.js"), 'p("/_next/");e.slice(0)');
  writeFileSync(join(from, ".next/server/b.js"), "same");
  writeFileSync(join(from, ".next/server/b.js.map"), "{}");
  writeFileSync(join(from, ".next/cache/c"), "cached");
  writeFileSync(join(from, "node_modules/pg/index.js"), "pg");
  symlinkSync("../../node_modules/pg", join(from, ".next/node_modules/pg-1"));
  writeFileSync(
    join(from, ".next/base-path.json"),
    '{"unread":["cache"],"files":{"static/a.js":{"paths":[3],"lengths":[21]}}}',
  );
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

describe("writeBuild", () => {
  it("writes a copy with the base path, and links to the rest", () => {
    const folder = join(directory, "web");
    chmodSync(join(from, ".next/static/a.js"), 0o444);
    chmodSync(join(from, ".next/static"), 0o555);
    writeBuild({ basePath: "/gatehouse", folder, from });
    // A second start replaces the files of the first.
    writeBuild({ basePath: "/tools", folder, from });
    expect(readFileSync(join(folder, ".next/static/a.js"), "utf8")).toBe('p("/tools/_next/");e.slice(6)');
    expect(readFileSync(join(folder, ".next/server/b.js"), "utf8")).toBe("same");
    expect(readdirSync(join(folder, ".next/server"))).toEqual(["b.js"]);
    expect(readdirSync(join(folder, ".next"))).not.toContain("cache");
    expect(realpathSync(join(folder, ".next/node_modules/pg-1"))).toBe(realpathSync(join(from, "node_modules/pg")));
    expect(realpathSync(join(folder, "public"))).toBe(realpathSync(join(from, "public")));
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(readFileSync(join(from, ".next/static/a.js"), "utf8")).toBe('p("/_next/");e.slice(0)');
    chmodSync(join(from, ".next/static"), 0o755);
  });

  it("says what to do if it cannot write, or has nothing to write", () => {
    const folder = join(directory, "missing/web");
    expect(() => writeBuild({ basePath: "/gatehouse", folder, from })).toThrow(/path \/gatehouse.*ENOENT.*TMPDIR/);
    rmSync(join(from, ".next/base-path.json"));
    expect(() => writeBuild({ basePath: "/gatehouse", folder, from })).toThrow(/not made by scripts\/build\.mjs/);
  });
});

describe("makeTemporaryFolder", () => {
  it("removes what earlier processes left behind, and nothing else", () => {
    const first = makeTemporaryFolder(directory);
    writeFileSync(join(first, "a"), "");
    const prefix = first.slice(directory.length + 1).replace(/\d+-\w+$/, "");
    const kept = [`${prefix}1-abcdef`, "gatehouse-web-other-host-2147483647-abcdef", `${prefix}x`];
    for (const name of [...kept, `${prefix}2147483646-abcdef`]) mkdirSync(join(directory, name));
    // As after a restart of a container: the same process id, another process.
    const second = makeTemporaryFolder(directory);
    expect(readdirSync(directory).sort()).toEqual([...kept, "app", second.slice(directory.length + 1)].sort());
    expect(statSync(second).mode & 0o777).toBe(0o700);
  });

  it("says what to do if the folder is not there", () => {
    expect(() => makeTemporaryFolder(join(directory, "missing"))).toThrow(/ENOENT.*TMPDIR/);
  });
});
