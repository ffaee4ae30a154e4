import type { HeldRollout } from "#lib/server/oversight/find-wanted-holds.ts";
import type { Runtime } from "#lib/server/process/runtime-types.ts";
import { readRolloutSource } from "#lib/server/sources/source-freshness.ts";

/** Returns whether the watch that tells of the rollout is live, and does not hold the rollout as gone. */
export async function isSourceLive(
  runtime: Pick<Runtime, "pool">,
  { cluster, namespace, kind, uid }: Pick<HeldRollout, "cluster" | "namespace" | "kind" | "uid">,
): Promise<boolean> {
  const source = await readRolloutSource(runtime, { cluster, namespace, kind, uid });
  return source?.state === "live" && !source.is_held;
}
