import { spawnSync } from "node:child_process";
import {
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
// @ts-expect-error -- plain JavaScript without types, as all scripts.
import { describeProvenance, findObstacles, nameImage, readNotes } from "./release-parts.mjs";
// @ts-expect-error -- plain JavaScript without types, as all scripts.
import { writeTarball } from "./tarball.mjs";

const ready = {
  version: "0.2.0",
  packageVersion: "0.2.0",
  changelog: "# Changelog\n\n## 0.2.0 - today\n",
  changes: "",
};
type Case = { name: string; state: Partial<typeof ready>; says: string[] };
const cases: Case[] = [
  { name: "a commit that is ready", state: {}, says: [] },
  {
    name: "changes in the tree",
    state: { changes: "?? new.ts\n M old.ts" },
    says: ["commit or remove them (?? new.ts)"],
  },
  { name: "another version", state: { packageVersion: "0.1.0" }, says: ["package.json says 0.1.0, not 0.2.0"] },
  {
    name: "nothing in the changelog",
    state: { changelog: "## 0.2.01\n## Unreleased" },
    says: ['no section "## 0.2.0"'],
  },
  { name: "no version", state: { version: "next" }, says: ["next is not a version"] },
];

describe("findObstacles", () => {
  it.each(cases)("$name", ({ state, says }) => {
    expect(findObstacles({ ...ready, ...state })).toEqual(says.map((text) => expect.stringContaining(text)));
  });
});

describe("describeProvenance", () => {
  it("names the files, the commit, the lock file and the builder where SLSA puts them", () => {
    const statement = describeProvenance({
      subjects: [
        { name: "gatehouse-0.2.0.tar.gz", digest: "aa" },
        { name: "extension.tar.gz", digest: "bb" },
      ],
      commit: "cc",
      repository: "https://example.org/gatehouse.git",
      lockfileDigest: "dd",
      builder: "urn:test",
      finishedOn: "2026-01-01T00:00:00Z",
    });
    const source = { uri: "git+https://example.org/gatehouse.git", digest: { gitCommit: "cc" } };
    expect(statement).toMatchObject({
      _type: "https://in-toto.io/Statement/v1",
      predicateType: "https://slsa.dev/provenance/v1",
      subject: [
        { name: "gatehouse-0.2.0.tar.gz", digest: { sha256: "aa" } },
        { name: "extension.tar.gz", digest: { sha256: "bb" } },
      ],
      predicate: {
        buildDefinition: {
          externalParameters: { source },
          resolvedDependencies: [source, { uri: "package-lock.json", digest: { sha256: "dd" } }],
        },
        runDetails: { builder: { id: "urn:test" } },
      },
    });
  });
});

describe("readNotes", () => {
  const changelog =
    "# Changelog\n\n## Unreleased\n- new\n\n## 0.2.0 - today\n\n### Added\n- a\n\n## 0.1.0\n- first\n## 0.0.1\n";
  it.each([
    ["0.2.0", "### Added\n- a"],
    ["0.1.0", "- first"],
    ["0.0.1", undefined],
    ["0.2", undefined],
    ["", undefined],
  ])("of %s", (version, notes) => {
    expect(readNotes(changelog, version)).toBe(notes);
  });
});

describe("nameImage", () => {
  const image = `ghcr.io/somebody/gatehouse@sha256:${"a".repeat(64)}`;
  it("names the image by its digest, and leaves all other values as they are", () => {
    const values = readFileSync(join(import.meta.dirname, "../deploy/chart/values.yaml"), "utf8");
    const named = parse(nameImage(values, image));
    const own = parse(values);
    expect(named).toEqual({
      ...own,
      image: { ...own.image, repository: "ghcr.io/somebody/gatehouse", digest: `sha256:${"a".repeat(64)}` },
    });
  });

  it.each(["", "gatehouse:0.1.0", "gatehouse@sha256:abc"])("refuses %j", (text) => {
    expect(() => nameImage("image:\n  repository: gatehouse\n", text)).toThrow(/is not REPOSITORY@sha256/);
  });

  it("refuses values that have no such image", () => {
    expect(() => nameImage("image:\n  repository: other\n", image)).toThrow(/no image to replace/);
  });
});

describe("writeTarball", () => {
  let folder: string;
  const long = `${"d".repeat(90)}/${"f".repeat(90)}-ü.txt`;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "gatehouse-tarball-"));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function plant(name: string, mode: number, seconds: number): string {
    const tree = join(folder, name);
    mkdirSync(join(tree, "b", "empty"), { recursive: true });
    mkdirSync(join(tree, "d".repeat(90)), { recursive: true });
    writeFileSync(join(tree, "b.txt"), "b");
    writeFileSync(join(tree, long), "long");
    writeFileSync(join(tree, "run"), "#!/bin/sh\n");
    chmodSync(join(tree, "run"), 0o700);
    chmodSync(join(tree, "b.txt"), mode);
    utimesSync(join(tree, "b.txt"), seconds, seconds);
    symlinkSync("../b.txt", join(tree, "b", "link"));
    symlinkSync("b", join(tree, "folder-link"));
    writeFileSync(join(tree, "@x.tgz"), "not an archive to take in");
    return tree;
  }

  it("gives the same bytes for the same files, whatever their times, modes and owners, and tar reads them", async () => {
    const files = ["one", "two"].map((name) => join(folder, `${name}.tar.gz`));
    const trees = [plant("one-tree", 0o600, 1000), plant("two-tree", 0o664, 2000)];
    linkSync(join(trees[0] ?? "", "b.txt"), join(trees[0] ?? "", "same"));
    writeFileSync(join(trees[1] ?? "", "same"), "b");
    for (const [at, tree] of trees.entries())
      await writeTarball({ tree, file: files[at], prefix: "gatehouse-0.2.0", mtimeSeconds: 1_700_000_000 });
    expect(readFileSync(files[0] ?? "").equals(readFileSync(files[1] ?? ""))).toBe(true);

    const unpacked = join(folder, "unpacked");
    mkdirSync(unpacked);
    const { status, stderr } = spawnSync("tar", ["-xzf", files[0] ?? "", "-C", unpacked], { encoding: "utf8" });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    const compared = spawnSync("diff", ["-r", "--no-dereference", join(unpacked, "gatehouse-0.2.0"), trees[0] ?? ""], {
      encoding: "utf8",
    });
    expect(compared.stdout).toBe("");
    const listed = spawnSync("tar", ["-tvzf", files[0] ?? "", "--utc", "--numeric-owner"], { encoding: "utf8" }).stdout;
    expect(listed).toMatch(/^-rwxr-xr-x 0\/0 +10 2023-11-14 22:13 gatehouse-0.2.0\/run$/m);
    expect(listed).toMatch(/^-rw-r--r-- 0\/0 +1 2023-11-14 22:13 gatehouse-0.2.0\/b.txt$/m);
    expect(listed).toMatch(/^l\S+ 0\/0 +0 2023-11-14 22:13 gatehouse-0.2.0\/folder-link -> b$/m);
    expect(listed).not.toContain("folder-link/");
  });
});
