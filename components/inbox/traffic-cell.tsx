import classes from "#components/inbox/inbox.module.css";
import type { RolloutSummary } from "#lib/contract/rollout.ts";

/** Shows how much traffic the new version gets: what the order of the inbox goes by. */
export function TrafficCell({ rollout: { weight } }: { rollout: Pick<RolloutSummary, "weight"> }) {
  const actual = weight?.actual ?? null;
  return (
    <span className={classes.traffic} data-live={(actual !== null && actual > 0) || undefined}>
      <span className={classes.value}>{actual === null ? "unknown" : `${actual}\u2009%`}</span>
      <span className={classes.label}>live traffic</span>
    </span>
  );
}
