"use client";

import { Skeleton } from "@mantine/core";
import type { ActTarget } from "#components/actions/act-target.ts";
import classes from "#components/actions/actions.module.css";
import { EvidenceLine } from "#components/ui/evidence-line.tsx";
import { useRollout } from "#lib/client/rollout-queries.ts";
import { useRun } from "#lib/client/run-queries.ts";
import type { MetricEvidence } from "#lib/contract/evidence.ts";
import { isDeliveryKind } from "#lib/domain/delivery/delivery-kind.ts";

const most = 6;

/**
 * Shows the evidence for a decision: for a run its own metrics, for a rollout those of the runs that led to its state.
 * It is the same wherever the decision is made, and updates while the dialog is open.
 */
export function TargetEvidence({
  target,
}: {
  target: Pick<ActTarget, "cluster" | "namespace" | "kind" | "name" | "subject">;
}) {
  const { subject } = target;
  const isRun = subject?.kind === "AnalysisRun";
  const isRollout = subject === undefined && isDeliveryKind(target.kind);
  const run = useRun(subject?.uid ?? "", isRun);
  const rollout = useRollout(target, isRollout);
  if (!isRun && !isRollout) return null;
  const { data, error } = isRun ? run : rollout;
  if (data === undefined) return error === null ? <Skeleton height={56} aria-hidden="true" /> : null;
  return <Evidence lines={data.evidence} />;
}

function Evidence({ lines }: { lines: readonly MetricEvidence[] }) {
  return (
    <section className={classes.evidence} aria-label="Evidence">
      {lines.length === 0
        ? "No analysis has measured this version."
        : lines.slice(0, most).map((line) => <EvidenceLine key={`${line.runUid} ${line.metric}`} evidence={line} />)}
      {lines.length > most && <div>{lines.length - most} more metrics on the run's page.</div>}
    </section>
  );
}
