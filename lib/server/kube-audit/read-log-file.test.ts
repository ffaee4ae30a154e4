import {
  appendFileSync,
  copyFileSync,
  mkdtempSync,
  renameSync,
  rmSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type FilePlace, readNextLines } from "./read-log-file.ts";

let folder: string;
let path: string;
let place: FilePlace | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "gatehouse-audit-"));
  path = join(folder, "audit.log");
  place = undefined;
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Reads everything that is new, and remembers the place as a restarted process would. A gap is read as a line. */
async function readAll(partBytes?: number): Promise<string[]> {
  const lines: string[] = [];
  for (;;) {
    const part = await readNextLines({ path, place, ...(partBytes !== undefined && { partBytes }) });
    if (part === undefined) return lines;
    lines.push(...(part.hasGap ? ["(gap)"] : []), ...part.lines);
    place = structuredClone(part.place);
    if (!part.hasMore) return lines;
  }
}

/** Dates a rotated file, since files of one test are made within one tick of the clock. */
function dated(file: string, secondsAgo: number): void {
  const at = Date.now() / 1000 - secondsAgo;
  utimesSync(join(folder, file), at, at);
}

it("reads what was appended, each line once", async () => {
  writeFileSync(path, "a\nb\n");
  expect(await readAll()).toEqual(["a", "b"]);
  expect(await readAll()).toEqual([]);
  appendFileSync(path, "c\n");
  expect(await readAll()).toEqual(["c"]);
});

it("waits for the end of a line", async () => {
  writeFileSync(path, "a\nhal");
  expect(await readAll()).toEqual(["a"]);
  appendFileSync(path, "f\n");
  expect(await readAll()).toEqual(["half"]);
});

it("reads a long log in parts", async () => {
  writeFileSync(path, "one\ntwo\nthree\n");
  expect(await readAll(6)).toEqual(["one", "two", "three"]);
});

it("goes on after a line that is longer than a part", async () => {
  writeFileSync(path, `${"x".repeat(25)}\nb\n`);
  expect((await readAll(10)).at(-1)).toBe("b");
});

it.each(["audit-2026-11-23T06-00-00.000.log", "audit.log.1", "audit.log-20261123"])(
  "reads the rest of a log that was renamed to %s, then the new one",
  async (renamed) => {
    writeFileSync(path, "a\n");
    expect(await readAll()).toEqual(["a"]);
    appendFileSync(path, "b\n");
    renameSync(path, join(folder, renamed));
    writeFileSync(path, "c\n");
    expect(await readAll()).toEqual(["b", "c"]);
    expect(await readAll()).toEqual([]);
  },
);

it("reads logs that were made and renamed while nobody read", async () => {
  writeFileSync(path, "a\n");
  await readAll();
  renameSync(path, join(folder, "audit.log.2"));
  writeFileSync(join(folder, "audit.log.1"), "b\n");
  writeFileSync(path, "c\n");
  dated("audit.log.2", 20);
  dated("audit.log.1", 10);
  expect(await readAll()).toEqual(["b", "c"]);
});

it("begins again after a log was truncated, also if it has grown as long since", async () => {
  writeFileSync(path, "a\nb\n");
  await readAll();
  truncateSync(path);
  appendFileSync(path, "c\n");
  expect(await readAll()).toEqual(["(gap)", "c"]);
  truncateSync(path);
  appendFileSync(path, "d\ne\n");
  expect(await readAll()).toEqual(["(gap)", "d", "e"]);
  expect(await readAll()).toEqual([]);
});

/** What logrotate does with `copytruncate`. */
function copyAndTruncate(copy: string): void {
  copyFileSync(path, join(folder, copy));
  truncateSync(path);
}

it.each(["audit.log.1", "audit.log-20261123"])(
  "reads the rest of a log that was truncated from its copy %s, then the new lines",
  async (copy) => {
    writeFileSync(join(folder, "audit.log.2"), "before\n");
    dated("audit.log.2", 100);
    writeFileSync(path, "a\nb\n");
    expect(await readAll()).toEqual(["before", "a", "b"]);
    appendFileSync(path, "c\nd\n");
    copyAndTruncate(copy);
    appendFileSync(path, "e\n");
    expect(await readAll(3)).toEqual(["c", "d", "e"]);
    expect(await readAll()).toEqual([]);
    appendFileSync(path, "f\n");
    expect(await readAll()).toEqual(["f"]);
  },
);

it("finds no gap if all of a truncated log was read, whatever becomes of its copy", async () => {
  writeFileSync(path, "a\n");
  await readAll();
  copyAndTruncate("audit.log.1");
  expect(await readAll()).toEqual([]);
  unlinkSync(join(folder, "audit.log.1"));
  expect(await readAll()).toEqual([]);
  appendFileSync(path, "b\n");
  expect(await readAll()).toEqual(["b"]);
});

it("finds no gap if it has read more than the copy has: it was copied before", async () => {
  writeFileSync(path, `${"a".repeat(300)}\n`);
  await readAll();
  copyFileSync(path, join(folder, "audit.log.1"));
  dated("audit.log.1", 10);
  appendFileSync(path, "b\n");
  expect(await readAll()).toEqual(["b"]);
  truncateSync(path);
  appendFileSync(path, "c\n");
  expect(await readAll()).toEqual(["c"]);
});

it("tells a gap once, with the first lines that follow, if a rotated log is no copy or is compressed", async () => {
  writeFileSync(path, "a\n");
  await readAll();
  appendFileSync(path, "lost\n");
  copyAndTruncate("audit.log.1.gz");
  writeFileSync(join(folder, "audit.log.2"), "x\nlost\n");
  dated("audit.log.2", 100);
  expect(await readAll()).toEqual([]);
  appendFileSync(path, "b\n");
  expect(await readAll()).toEqual(["(gap)", "b"]);
  appendFileSync(path, "c\n");
  expect(await readAll()).toEqual(["c"]);
});

it("reads what was written since, if the log that it was reading is gone", async () => {
  writeFileSync(path, "a\n");
  await readAll();
  unlinkSync(path);
  writeFileSync(join(folder, "audit.log.9"), "long ago\n");
  dated("audit.log.9", 3600);
  writeFileSync(path, "b\n");
  // The file system may give the new log the inode of the old one.
  place = { ...(place as FilePlace), inode: "0" };
  expect(await readAll()).toEqual(["b"]);
});

it("begins with the oldest of the rotated logs", async () => {
  writeFileSync(join(folder, "audit.log.1"), "b\n");
  writeFileSync(join(folder, "audit.log.2"), "a\n");
  dated("audit.log.1", 10);
  dated("audit.log.2", 20);
  writeFileSync(join(folder, "other.log"), "x\n");
  writeFileSync(join(folder, "audit.log.3.gz"), "x\n");
  writeFileSync(path, "c\n");
  expect(await readAll()).toEqual(["a", "b", "c"]);
});

it("says so if there is no log", async () => {
  await expect(readNextLines({ path, place })).rejects.toThrow("ENOENT");
});
