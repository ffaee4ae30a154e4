import type { ConfigStatus as WireStatus } from "#lib/contract/system.ts";
import type { ConfigStatus } from "#lib/server/platform/config/config-store.ts";

export function serializeConfigStatus({ state, digest, loadedAt, trouble, needsRestart }: ConfigStatus): WireStatus {
  return {
    state,
    digest,
    loadedAt: loadedAt.toISOString(),
    ...(needsRestart.length === 0 ? {} : { needsRestart: [...needsRestart] }),
    ...(trouble === undefined ? {} : { since: trouble.since.toISOString(), error: trouble.error }),
    ...(trouble?.state === "error" ? { fault: trouble.fault } : {}),
    ...(trouble?.state === "held"
      ? {
          held: {
            digest: trouble.digest ?? "",
            clusters: trouble.removals.clusters,
            bindings: trouble.removals.bindings,
          },
        }
      : {}),
  };
}

/** Removes the names, for readers who may not read everything: they learn only that the file is in trouble. */
export function withoutNames(status: WireStatus): WireStatus {
  const { error: _error, held: _held, ...rest } = status;
  return rest;
}
