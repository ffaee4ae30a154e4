import { Anchor, Text } from "@mantine/core";
import Link from "next/link";
import classes from "#components/inbox/inbox.module.css";
import { EvidenceLine } from "#components/ui/evidence-line.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { runHref } from "#lib/client/rollout-path.ts";
import type { InboxItem } from "#lib/contract/inbox.ts";

const mostMetrics = 3;

/** Shows the metrics of the run that decided, worst first, and that a newer run measures again. */
export function RowEvidence({ item: { evidence, measuringAgain } }: { item: InboxItem }) {
  const more = evidence.length - mostMetrics;
  return (
    <>
      {evidence.slice(0, mostMetrics).map((line) => (
        <EvidenceLine key={`${line.runUid} ${line.metric}`} evidence={line} isShort />
      ))}
      {more > 0 && (
        <Text size="xs" c="dimmed">
          {more} more {more === 1 ? "metric" : "metrics"} in the evidence.
        </Text>
      )}
      {measuringAgain !== null && (
        <Text size="xs" c="dimmed" className={classes.links}>
          <span>
            The run that decided.{" "}
            <Anchor component={Link} href={runHref(measuringAgain.runUid)} inherit>
              Measuring again
            </Anchor>{" "}
            since <RelativeTime at={measuringAgain.since} />.
          </span>
        </Text>
      )}
    </>
  );
}
