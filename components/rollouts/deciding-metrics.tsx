import { Text } from "@mantine/core";
import classes from "#components/rollouts/rollouts.module.css";
import { EvidenceLine } from "#components/ui/evidence-line.tsx";
import { StateIcon } from "#components/ui/state-icon.tsx";
import type { RolloutDetail } from "#lib/contract/rollout.ts";

/** Shows the metrics behind a wait next to its buttons: a line for each that does not pass, the others by name. */
export function DecidingMetrics({ rollout: { attention, evidence } }: { rollout: RolloutDetail }) {
  if (attention === null || evidence.length === 0) return null;
  const passing = evidence.filter(({ phase }) => phase === "Successful");
  return (
    <section className={classes.panel} aria-label="Deciding metrics">
      {evidence
        .filter(({ phase }) => phase !== "Successful")
        .map((line) => (
          <EvidenceLine key={`${line.runUid} ${line.metric}`} evidence={line} isShort />
        ))}
      {passing.length > 0 && (
        <Text size="sm" c="dimmed" className={classes.passing}>
          <StateIcon state="successful" size={14} /> Passing: {passing.map(({ metric }) => metric).join(", ")}
        </Text>
      )}
    </section>
  );
}
