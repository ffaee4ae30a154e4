import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { rollout, temporaryFolder, testStore, WRITER } from "./testing/objects.ts";

describe("a store with a data directory", () => {
  let folder: ReturnType<typeof temporaryFolder>;
  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(() => folder.remove());

  const open = (maxLogBytes?: number) =>
    testStore({ dataDir: folder.path, ...(maxLogBytes === undefined ? {} : { maxLogBytes }) });
  const newestLog = (): string => {
    const logs = readdirSync(folder.path).filter((name) => name.startsWith("objects.log."));
    const newest = logs.sort((a, b) => Number(a.split(".")[2]) - Number(b.split(".")[2])).at(-1);
    return join(folder.path, newest ?? "");
  };

  it("is the same cluster after an end without notice", () => {
    const store = open();
    const kept = store.create("rollouts", rollout("kept"), WRITER);
    store.create("rollouts", rollout("gone"), WRITER);
    store.delete("rollouts", "wire", "gone");
    const identity = store.get("namespaces", undefined, "kube-system")?.metadata.uid;
    const again = open();
    expect(again.list("rollouts")).toEqual([kept]);
    expect(again.get("namespaces", undefined, "kube-system")?.metadata.uid).toBe(identity);
    expect(again.resourceVersion()).toBe(store.resourceVersion());
    expect(again.floor()).toBe(store.resourceVersion());
  });

  it("ignores a torn last line and writes on safely behind it", () => {
    const kept = open().create("rollouts", rollout("kept"), WRITER);
    appendFileSync(newestLog(), '{"op":"put","rv":999,"resource":"rollo');
    const second = open();
    expect(second.list("rollouts")).toEqual([kept]);
    second.create("rollouts", rollout("later"), WRITER);
    expect(
      open()
        .list("rollouts")
        .map((object) => object.metadata.name),
    ).toEqual(["kept", "later"]);
  });

  it("stops at an unreadable line in the middle and names it", () => {
    open().create("rollouts", rollout("kept"), WRITER);
    const log = newestLog();
    writeFileSync(log, `garbage\n${readFileSync(log, "utf8")}`);
    expect(() => open()).toThrow(`${log}:1: unreadable line`);
  });

  it("compacts into a snapshot, deletes the logs it holds, and keeps the version counter", async () => {
    const store = open(20_000);
    for (let i = 0; i < 60; i += 1) {
      store.create("rollouts", rollout(`r${i}`), WRITER);
      if (i % 2 === 0) store.delete("rollouts", "wire", `r${i}`);
    }
    await store.close();
    expect(existsSync(join(folder.path, "objects.snapshot.jsonl"))).toBe(true);
    expect(readdirSync(folder.path).filter((name) => name.startsWith("objects.log."))).not.toContain(
      "objects.log.1.jsonl",
    );
    const again = open();
    expect(again.list("rollouts")).toHaveLength(30);
    expect(again.resourceVersion()).toBe(store.resourceVersion());
  });

  it("reads the older snapshot and all logs where a compaction was cut off", async () => {
    const store = open(20_000);
    for (let i = 0; i < 60; i += 1) store.create("rollouts", rollout(`r${i}`), WRITER);
    await store.close();
    writeFileSync(join(folder.path, "objects.snapshot.jsonl.tmp"), '{"version":1,"rv":');
    expect(open().list("rollouts")).toHaveLength(60);
  });
});
