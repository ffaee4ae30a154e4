import type { ActionAccepted } from "#lib/contract/action.ts";
import { isServiceError } from "#lib/server/platform/actor/service-error.ts";
import type { WebMetrics } from "#lib/server/platform/telemetry/web-metrics.ts";

/** Counts an action by how it ended: its state if the cluster answered, `stale` or `refused` if it was refused. */
export async function countAction({
  metrics,
  action,
  outcome,
}: {
  metrics: Pick<WebMetrics, "actions" | "actionsRefused">;
  action: string;
  outcome: Promise<ActionAccepted>;
}): Promise<ActionAccepted> {
  try {
    const accepted = await outcome;
    metrics.actions.inc({ kind: action, outcome: accepted.state });
    return accepted;
  } catch (error) {
    const code = isServiceError(error) ? error.code : "internal";
    metrics.actions.inc({ kind: action, outcome: code === "stale_view" ? "stale" : "refused" });
    metrics.actionsRefused.inc({ reason: code });
    throw error;
  }
}
