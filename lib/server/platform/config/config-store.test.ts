import { mkdir, mkdtemp, rename, rm, symlink, unlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Registry } from "@prometheus-io/client";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  type ConfigEvent,
  type ConfigStore,
  type ConfigStoreOptions,
  openConfigStore,
} from "#lib/server/platform/config/config-store.ts";
import { createConfigMetrics } from "#lib/server/platform/telemetry/config-metrics.ts";

let folder: string;
let file: string;
let store: ConfigStore | undefined;
let registry: Registry;

const textOf = (clusters: string, more = "") =>
  `publicUrl: https://gatehouse.example.com
demo: { accountsFile: accounts.json }
auth: { roles: [{ role: viewer, groups: [a, b, c] }] }
clusters:
${[...clusters].map((name) => `  - { name: ${name}, inCluster: true }`).join("\n")}
${more}`;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "gatehouse-config-store-"));
  file = join(folder, "gatehouse.yaml");
  await writeFile(file, textOf("abcd"));
  registry = new Registry();
});
afterEach(async () => {
  await store?.close();
  store = undefined;
  await rm(folder, { recursive: true });
});

/** Opens a store that checks only on request, unless `checkEveryMs` says otherwise. */
async function open(options: Partial<ConfigStoreOptions> = {}): Promise<ConfigStore> {
  const metrics = createConfigMetrics(registry);
  const timing = { checkEveryMs: 3_600_000, settleMs: 10, signOffChecks: 3, ...options.timing };
  store = await openConfigStore({ file, now: () => new Date(), metrics, ...options, timing });
  return store;
}

const namesIn = (of: ConfigStore) =>
  of
    .current()
    .config.clusters.map(({ name }) => name)
    .join("");

async function metric(name: string): Promise<number> {
  return (await registry.getSingleMetric(name)?.get())?.values[0]?.value ?? 0;
}

async function until(check: () => boolean): Promise<void> {
  for (let tries = 0; !check(); tries++) {
    if (tries > 500) throw new Error("waited in vain");
    await sleep(10);
  }
}

describe("openConfigStore", () => {
  it("swaps a good file in whole, and hands out what nobody can change", async () => {
    const config = await open();
    const before = config.current();
    await writeFile(file, textOf("abcde"));
    await config.check();
    expect(namesIn(config)).toBe("abcde");
    expect(before.config.clusters).toHaveLength(4);
    expect(() => {
      before.config.clusters.pop();
    }).toThrow(TypeError);
    expect(config.status()).toMatchObject({ state: "ok", trouble: undefined, needsRestart: [] });
  });

  const bad: { name: string; spoil(): Promise<unknown>; fault: string; error: RegExp }[] = [
    { name: "is gone", spoil: () => unlink(file), fault: "missing", error: /:1:1: no such file/ },
    { name: "is empty", spoil: () => writeFile(file, ""), fault: "invalid", error: /:1:1: publicUrl/ },
    {
      name: "has an unknown key",
      spoil: () => writeFile(file, textOf("abcd", "colour: red\n")),
      fault: "invalid",
      error: /:9:1: colour: /,
    },
    {
      name: "is a folder",
      spoil: async () => {
        await unlink(file);
        await mkdir(file);
      },
      fault: "unreadable",
      error: /EISDIR/,
    },
    {
      name: "names a credential that is missing",
      spoil: () => writeFile(file, textOf("abcd", "  - { name: e, server: 'https://e', tokenFile: gone }\n")),
      fault: "invalid",
      error: /:9:37: clusters\.4\.tokenFile: .*gone is missing/,
    },
  ];
  it.each(bad)("keeps the last good config while the file $name", async ({ spoil, fault, error }) => {
    const config = await open();
    const loadedAt = await metric("gatehouse_config_last_success_timestamp_seconds");
    await spoil();
    await config.check();
    await config.check();
    expect(namesIn(config)).toBe("abcd");
    expect(config.status()).toMatchObject({ state: "error", trouble: { fault, error: expect.stringMatching(error) } });
    expect(await metric("gatehouse_config_reload_failures_total")).toBe(1);
    expect(await metric("gatehouse_config_last_success_timestamp_seconds")).toBe(loadedAt);
    await rm(file, { recursive: true, force: true });
    await writeFile(file, textOf("abcd"));
    await config.check();
    expect(config.status().state).toBe("ok");
  });

  it("does not blame the config for a credential that vanishes later", async () => {
    await writeFile(join(folder, "token"), "t");
    await writeFile(file, textOf("abcd", "  - { name: e, server: 'https://e', tokenFile: token }\n"));
    const config = await open();
    await unlink(join(folder, "token"));
    await config.check();
    expect(config.status().state).toBe("ok");
  });

  it("refuses a reload that cannot be made use of", async () => {
    const config = await open({
      adopt: ({ config: { clusters } }) => {
        if (clusters.length > 4) throw new Error("cluster e: no such context");
      },
    });
    await writeFile(file, textOf("abcde"));
    await config.check();
    expect(namesIn(config)).toBe("abcd");
    expect(config.status().trouble?.error).toContain("cluster e: no such context");
  });

  it("says what waits for a restart", async () => {
    const config = await open();
    await writeFile(file, textOf("abcd").replace("gatehouse.example", "other.example"));
    await config.check();
    expect(config.status()).toMatchObject({ state: "ok", needsRestart: ["publicUrl"] });
    expect(config.current().config.publicUrl).toBe("https://gatehouse.example.com");
  });
});

describe("a reload that removes most of what there was", () => {
  it("is held until it is confirmed, and tells once", async () => {
    const asked: { digest: string; replaces: string }[] = [];
    let isConfirmed = false;
    const config = await open({
      isConfirmed: async (change) => {
        asked.push(change);
        return isConfirmed;
      },
    });
    const events: ConfigEvent[] = [];
    config.subscribe((event) => events.push(event));
    const before = config.status().digest;
    await writeFile(file, textOf("a"));
    for (let turn = 0; turn < 6; turn++) await config.check();
    expect(namesIn(config)).toBe("abcd");
    expect(config.status()).toMatchObject({
      state: "held",
      trouble: { removals: { clusters: ["b", "c", "d"], bindings: [] } },
    });
    expect(await metric("gatehouse_config_reload_held_total")).toBe(1);
    isConfirmed = true;
    await config.check();
    expect(namesIn(config)).toBe("a");
    expect(asked.at(-1)).toEqual({ digest: config.status().digest, replaces: before });
    expect(events.map(({ type }) => type)).toEqual(["loaded", "held", "loaded"]);
  });

  it("is signed off by the file itself once it has stayed for three checks", async () => {
    const config = await open();
    await writeFile(file, textOf("a", "acceptRemovals: true\n"));
    await config.check();
    await config.check();
    expect(namesIn(config)).toBe("abcd");
    await config.check();
    expect(namesIn(config)).toBe("a");
  });

  it("is not signed off sooner by changes in the folder", async () => {
    const config = await open({ timing: { checkEveryMs: 3_600_000, settleMs: 1, signOffChecks: 3 } });
    await writeFile(file, textOf("a", "acceptRemovals: true\n"));
    await until(() => config.status().state === "held");
    for (let turn = 0; turn < 5; turn++) {
      await writeFile(join(folder, "beside"), String(turn));
      await sleep(80);
    }
    expect(namesIn(config)).toBe("abcd");
  });

  it("is not signed off by a key that was there before", async () => {
    await writeFile(file, textOf("abcd", "acceptRemovals: true\n"));
    const config = await open();
    await writeFile(file, textOf("a", "acceptRemovals: true\n"));
    for (let turn = 0; turn < 5; turn++) await config.check();
    expect(config.status().state).toBe("held");
    expect(namesIn(config)).toBe("abcd");
  });

  it("is forgotten when the file comes back", async () => {
    const config = await open();
    await writeFile(file, textOf("a"));
    await config.check();
    await writeFile(file, textOf("abcd"));
    await config.check();
    expect(config.status().state).toBe("ok");
  });
});

describe("the file is followed", () => {
  it("when Kubernetes swaps the ..data link beside it", async () => {
    const place = async (version: string, text: string) => {
      await mkdir(join(folder, version));
      await writeFile(join(folder, version, "gatehouse.yaml"), text);
      await symlink(version, join(folder, "..data_tmp"));
      await rename(join(folder, "..data_tmp"), join(folder, "..data"));
    };
    await unlink(file);
    await place("..2026_01", textOf("abcd"));
    await symlink("..data/gatehouse.yaml", file);
    // No regular check happens within the test: only the watch can notice.
    const config = await open();
    await place("..2026_02", textOf("abc"));
    await until(() => namesIn(config) === "abc");
  });

  it("when the folder itself is swapped, by looking regularly", async () => {
    const link = join(folder, "current");
    for (const version of ["one", "two"]) await mkdir(join(folder, version));
    await writeFile(join(folder, "one", "gatehouse.yaml"), textOf("abcd"));
    await writeFile(join(folder, "two", "gatehouse.yaml"), textOf("abc"));
    await symlink("one", link);
    const config = await open({ file: join(link, "gatehouse.yaml"), timing: { checkEveryMs: 30 } });
    await symlink("two", join(folder, "next"));
    await rename(join(folder, "next"), link);
    await until(() => namesIn(config) === "abc");
  });

  it("and a file in the middle of being written is not judged", async () => {
    const config = await open({ timing: { settleMs: 200 } });
    const text = textOf("abcdef");
    await writeFile(file, text.slice(0, text.indexOf("  - { name: b")));
    const checking = config.check();
    await sleep(20);
    await writeFile(file, text);
    await checking;
    expect(config.status().state).toBe("ok");
    await until(() => namesIn(config) === "abcdef");
    expect(await metric("gatehouse_config_reload_held_total")).toBe(0);
  });
});
