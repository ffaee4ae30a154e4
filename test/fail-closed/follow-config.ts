import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { auditConfigEvents } from "#lib/server/audit/audit-config-events.ts";
import { isChangeConfirmed } from "#lib/server/platform/config/config-events.ts";
import { type ConfigStore, openConfigStore } from "#lib/server/platform/config/config-store.ts";
import type { FailClosedWorld } from "./world.ts";

type Json = Record<string, unknown>;

export type FollowedConfig = {
  store: ConfigStore;
  file: string;
  /** Replaces the file, and has it checked. */
  put(content: Json | string): Promise<void>;
  /** Removes the file, and has that checked. */
  remove(): Promise<void>;
  close(): Promise<void>;
};

/**
 * Makes the world's web process follow a real config file, and any recorder started later. The file is checked when the
 * test asks for it.
 */
export async function followConfig(world: FailClosedWorld, content: Json): Promise<FollowedConfig> {
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-fc-config-"));
  const file = join(folder, "gatehouse.yaml");
  // JSON is YAML too.
  const write = (next: Json | string): void =>
    writeFileSync(file, typeof next === "string" ? next : JSON.stringify(next, null, 2));
  write(content);
  const { runtime } = world.web;
  const store = await openConfigStore({
    file,
    now: () => new Date(),
    metrics: runtime.metrics.config,
    isConfirmed: (change) => isChangeConfirmed(runtime.pool, change),
    timing: { checkEveryMs: 3_600_000, settleMs: 5, signOffChecks: 3 },
  });
  const stopAuditing = auditConfigEvents({ store, pool: runtime.pool, log: runtime.log, retryMs: 50 });
  Object.assign(runtime, { config: store.current, configStatus: store.status, checkConfig: store.check });
  return {
    store,
    file,
    async put(next) {
      write(next);
      await store.check();
    },
    async remove() {
      rmSync(file);
      await store.check();
    },
    async close() {
      await store.close();
      await stopAuditing();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Returns the config of the world's one cluster, including the demo. */
export function configOf(world: FailClosedWorld, more: Json = {}): Json {
  return {
    publicUrl: "http://127.0.0.1:7460",
    demo: { accountsFile: "unused" },
    clusters: [{ ...world.config, access: "act" }],
    probes: { public: true },
    ...more,
  };
}
