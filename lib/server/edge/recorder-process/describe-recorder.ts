import type { Status } from "#lib/contract/system.ts";
import { serializeSource } from "#lib/server/clusters/sources/serialize-source.ts";
import { serializeConfigStatus } from "#lib/server/platform/config/config-status.ts";
import type { ConfigStore } from "#lib/server/platform/config/config-store.ts";
import type { RecorderHealth } from "./recorder-health.ts";

/** Describes the recorder for its `/status`, in the same words as the web process's. */
export function describeRecorder(options: {
  store: Pick<ConfigStore, "current" | "status">;
  health: Pick<RecorderHealth, "notReady" | "sources">;
  grantsEnforced: boolean;
}): Status {
  const { store, health, grantsEnforced } = options;
  const { clusters } = store.current().config;
  const sources = health.sources();
  const ready = health.notReady() === undefined;
  return {
    ready,
    config: serializeConfigStatus(store.status()),
    database: { ok: ready && sources !== undefined, grantsEnforced },
    sources: (sources ?? []).map((source) => serializeSource(source, clusters)),
  };
}
