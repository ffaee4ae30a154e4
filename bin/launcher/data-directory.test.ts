import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openDataDirectory, writeFileAtomically } from "./data-directory.ts";
import { readStartTime } from "./process-identity.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "gatehouse-data-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("openDataDirectory", () => {
  it("creates what is missing, closed to others, and leaves no lock behind", async () => {
    const data = await openDataDirectory(join(folder, "a/b"));
    expect(statSync(data.path).mode & 0o777).toBe(0o700);
    expect(data.wasAbandoned).toBe(false);
    data.release();
    const again = await openDataDirectory(join(folder, "a/b"));
    expect(again.wasAbandoned).toBe(false);
    again.release();
  });

  it("refuses a second launcher, naming the first", async () => {
    const data = await openDataDirectory(folder);
    await expect(openDataDirectory(folder)).rejects.toThrow(`in use by another gatehouse (process ${process.pid})`);
    data.release();
  });

  it("takes over from a launcher that was killed, also when its pid has a new owner", async () => {
    writeFileSync(join(folder, "launcher.lock"), JSON.stringify({ pid: process.pid, startTime: "1" }));
    const data = await openDataDirectory(folder);
    expect(data.wasAbandoned).toBe(true);
    data.release();
  });

  it("takes a half-written lock for an abandoned one", async () => {
    writeFileSync(join(folder, "launcher.lock"), '{"pid":');
    const data = await openDataDirectory(folder);
    expect(data.wasAbandoned).toBe(true);
    data.release();
  });

  it("ends a process that an earlier launcher left behind, and no other", async () => {
    const spawnSleep = () => spawn("sleep", ["60"], { detached: true, stdio: "ignore" });
    const [left, reused] = [spawnSleep(), spawnSleep()];
    const identity = { pid: left.pid, startTime: readStartTime(left.pid ?? 0) };
    const other = { pid: reused.pid, startTime: "1" };
    writeFileSync(join(folder, "processes.json"), JSON.stringify({ web: identity, recorder: other }));
    const exited = new Promise((resolve) => left.once("exit", (_, signal) => resolve(signal)));
    const data = await openDataDirectory(folder);
    expect(await exited).toBe("SIGTERM");
    expect(readStartTime(reused.pid ?? 0)).toBeDefined();
    reused.kill("SIGKILL");
    data.release();
  });

  it("says in one line that a path is no folder", async () => {
    writeFileSync(join(folder, "file"), "");
    await expect(openDataDirectory(join(folder, "file"))).rejects.toThrow(
      /data directory .*file is not writable.*--data-dir$/,
    );
  });
});

describe("writeFileAtomically", () => {
  it("replaces a file that others could read by one that they cannot", () => {
    const file = join(folder, "secret");
    writeFileSync(file, "old", { mode: 0o644 });
    writeFileAtomically(file, "new");
    expect(readFileSync(file, "utf8")).toBe("new");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(existsSync(`${file}.${process.pid}`)).toBe(false);
  });
});
