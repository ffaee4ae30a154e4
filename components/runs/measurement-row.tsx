import { Anchor, Table, Text } from "@mantine/core";
import Link from "next/link";
import { useChartCursor, useIsPointedAt } from "#components/charts/chart-cursor.ts";
import classes from "#components/runs/measurements.module.css";
import { digitsOf, padPlaces, shortWhyOf } from "#components/runs/prepare-measurement-rows.ts";
import { classifyAnalysis } from "#components/ui/classify-state.ts";
import { formatExact, formatOffset } from "#components/ui/format-time.ts";
import { HostileText } from "#components/ui/hostile-text.tsx";
import { jobOf } from "#components/ui/logs-of-measurement.ts";
import { NotedTexts } from "#components/ui/noted-texts.tsx";
import { RecordedValue } from "#components/ui/recorded-value.tsx";
import { StateBadge } from "#components/ui/state-badge.tsx";
import { jobLogsHref, logsHref } from "#lib/client/rollout-path.ts";
import type { AnalysisRunDetail, Measurement } from "#lib/contract/analysis-run.ts";
import { shownUnit } from "#lib/domain/units/show-value.ts";

type MeasurementRowProps = {
  ref: React.Ref<HTMLTableRowElement> | undefined;
  index: number;
  measurement: Measurement;
  unit: string | null;
  /** The number of places after the point that values of the column have at most. */
  places: number;
  runStartedAt: string | null;
  rollout: AnalysisRunDetail["rollout"];
  /** A round that was derived from messages has the time of its end only. */
  isTimeKnown: boolean;
};

/** Shows a measurement. It is marked while a chart points at its time, and points there itself. */
export function MeasurementRow(props: MeasurementRowProps) {
  const { ref, index, measurement, unit, places, runStartedAt, rollout, isTimeKnown } = props;
  const { metric, seq, phase, message, startedAt, finishedAt, metadata = {} } = measurement;
  const job = rollout === null ? undefined : jobOf(measurement, rollout);
  const cursor = useChartCursor();
  const isPointedAt = useIsPointedAt(metric, seq);
  return (
    <Table.Tr
      role="row"
      ref={ref}
      data-index={index}
      data-pointed={isPointedAt || undefined}
      aria-rowindex={index + 2}
      onPointerEnter={() => cursor.set({ metric, seq, atMs: Date.parse(finishedAt ?? startedAt) })}
      onPointerLeave={cursor.clear}
    >
      <Table.Th scope="row" role="rowheader" ta="right">
        {seq}
      </Table.Th>
      <Table.Td role="cell" ta="right" className={classes.time} title={describeTimes(measurement, isTimeKnown)}>
        {runStartedAt === null
          ? formatExact(finishedAt ?? startedAt)
          : formatOffset(Date.parse(finishedAt ?? startedAt), Date.parse(runStartedAt))}
      </Table.Td>
      <Table.Td role="cell" ta="right" className={classes.value}>
        <Value measurement={measurement} unit={unit} places={places} />
      </Table.Td>
      <Table.Td role="cell" className={classes.phase}>
        <StateBadge shown={classifyAnalysis(phase)} size="sm" variant="plain" />
      </Table.Td>
      <Table.Td role="cell" className={classes.why}>
        <HostileText text={[shortWhyOf(measurement), message].filter((part) => part !== "").join(" ")} />
        {rollout !== null && phase !== "Successful" && phase !== "Running" && (
          <>
            {" "}
            <Anchor
              component={Link}
              href={logsHref(rollout, { at: finishedAt ?? startedAt })}
              inherit
              className="screen-only"
              aria-label={`Logs around measurement ${seq} of ${metric}`}
            >
              Logs
            </Anchor>
          </>
        )}
        {rollout !== null && job !== undefined && (
          <>
            {" "}
            <Anchor
              component={Link}
              href={jobLogsHref(rollout, job)}
              inherit
              className="screen-only"
              aria-label={`Log of the Job of measurement ${seq} of ${metric}`}
            >
              Job log
            </Anchor>
          </>
        )}
        <NotedTexts texts={metadata} label={`Noted at measurement ${seq} of ${metric}`} />
      </Table.Td>
    </Table.Tr>
  );
}

function Value({ measurement, unit, places }: Pick<MeasurementRowProps, "measurement" | "unit" | "places">) {
  const { value, parsed, finishedAt } = measurement;
  if (value === null) return <Text c="dimmed">{finishedAt === null ? "not yet" : "none"}</Text>;
  if (value === "") return <Text c="dimmed">empty</Text>;
  // A fraction is shown once, as everywhere: in percent.
  const isConverted = parsed.number !== undefined && shownUnit(unit) !== unit;
  const digits = digitsOf(measurement, unit);
  return (
    <>
      <span className={parsed.number === undefined || value.length > 24 ? undefined : classes.number}>
        {isConverted ? <span title={`recorded as ${value}`}>{digits}</span> : <RecordedValue value={value} />}
        {digits !== undefined && (
          <>
            <span className={classes.unit}>{`\u2009${shownUnit(unit)}`}</span>
            <span aria-hidden="true">{padPlaces(digits, places)}</span>
          </>
        )}
      </span>
      {/^\s*\[\s*\]\s*$/.test(value) && <span className={classes.unit}> empty</span>}
      {parsed.kind === "unparsable" && <Text c="dimmed">not a readable value</Text>}
    </>
  );
}

function describeTimes({ startedAt, finishedAt }: Measurement, isTimeKnown: boolean): string {
  const end = finishedAt === null ? "not finished yet" : `finished ${formatExact(finishedAt)}`;
  return isTimeKnown ? `started ${formatExact(startedAt)}, ${end}` : end;
}
