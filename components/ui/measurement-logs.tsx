"use client";

import { Anchor, Text } from "@mantine/core";
import Link from "next/link";
import { formatOffset } from "#components/ui/format-time.ts";
import { hasLogs, jobOf, timeOfLogs } from "#components/ui/logs-of-measurement.ts";
import { jobLogsHref, logsHref } from "#lib/client/rollout-path.ts";
import type { Measurement } from "#lib/contract/analysis-run.ts";
import type { ObjectRef } from "#lib/domain/delivery/object-ref.ts";

const shown = 6;

type MeasurementLogsProps = {
  rollout: ObjectRef;
  metric: string;
  measurements: readonly Measurement[];
  runStartedAt: string | null;
};

/**
 * Links each measurement that did not succeed to the lines that the pods wrote around it, or to the log of the Job that
 * took it; the latest if they are many.
 */
export function MeasurementLogs({ rollout, metric, measurements, runStartedAt }: MeasurementLogsProps) {
  const bad = measurements.filter((each) => each.metric === metric && hasLogs(each));
  if (bad.length === 0) return null;
  const startMs = runStartedAt === null ? undefined : Date.parse(runStartedAt);
  return (
    <Text size="xs" c="dimmed" mt={4} className="screen-only">
      Logs around{bad.length > shown ? ` the last ${shown} of ${bad.length}` : ""}:{" "}
      {bad.slice(-shown).map((measurement, index) => {
        const { seq, phase } = measurement;
        const at = timeOfLogs(measurement);
        const job = jobOf(measurement, rollout);
        const href = job === undefined ? logsHref(rollout, { at }) : jobLogsHref(rollout, job);
        const offset = startMs === undefined ? "" : ` at ${formatOffset(Date.parse(at), startMs)}`;
        return (
          <span key={seq}>
            {index > 0 && " · "}
            <Anchor component={Link} href={href} inherit>
              #{seq}
              {offset}
              <span className="visually-hidden">{`, ${job === undefined ? "logs around" : "log of the Job of"} measurement ${seq} of ${metric}, ${phase}`}</span>
            </Anchor>
          </span>
        );
      })}
    </Text>
  );
}
