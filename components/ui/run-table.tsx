"use client";

import { Text } from "@mantine/core";
import { classifyAnalysis, verdictMismatch } from "#components/ui/classify-state.ts";
import {
  CardTop,
  clusterColumn,
  describePresence,
  ownerColumn,
  presenceColumn,
  revisionColumn,
} from "#components/ui/common-columns.tsx";
import { CutText, HostileText } from "#components/ui/hostile-text.tsx";
import { IconChartDots } from "#components/ui/icons.tsx";
import type { Column } from "#components/ui/item-table.tsx";
import { ListView } from "#components/ui/list-view.tsx";
import { PlaceText } from "#components/ui/place-name.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { nameRunPlace, runTypeWords } from "#components/ui/run-type-words.ts";
import { StateBadge } from "#components/ui/state-badge.tsx";
import { RowLink } from "#components/ui/table-parts.tsx";
import type { ListState } from "#components/ui/use-list-state.ts";
import { formatSeconds } from "#lib/client/format-duration.ts";
import type { ItemList } from "#lib/client/list-queries.ts";
import { runHref } from "#lib/client/rollout-path.ts";
import type { AnalysisRunSummary } from "#lib/contract/analysis-run.ts";
import { wordMessage } from "#lib/domain/controller-words.ts";
import { formatCount } from "#lib/util/words.ts";

type RunTableProps = {
  list: ItemList<AnalysisRunSummary>;
  showsRollout: boolean;
  /** A list with an address of its own. */
  state?: ListState;
};

const empty = {
  icon: <IconChartDots size={40} stroke={1.2} />,
  hint: "Gatehouse keeps every analysis run with all its measurements, even after the cluster deletes it.",
};

/** Shows analysis runs, live and past, newest first. */
export function RunTable({ showsRollout, ...rest }: RunTableProps) {
  const columns = showsRollout
    ? [stateColumn, nameColumn, ownerColumn, clusterColumn, ...restColumns]
    : [stateColumn, nameColumn, ...restColumns];
  return (
    <ListView
      {...rest}
      caption="Analysis runs"
      keyOf={({ uid }) => uid}
      columns={columns}
      card={(run) => <RunCard run={run} showsRollout={showsRollout} />}
      empty={empty}
    />
  );
}

const stateColumn: Column<AnalysisRunSummary> = {
  key: "phase",
  header: "Verdict",
  width: "13%",
  sort: "phase",
  cell: (run) => <Verdict run={run} />,
};

/** A verdict that its measurements contradict is named as such, with the recorded one beside it. */
export function Verdict({
  run: { phase, contradiction },
}: {
  run: Pick<AnalysisRunSummary, "phase" | "contradiction">;
}) {
  if (!contradiction)
    return (
      <StateBadge shown={classifyAnalysis(phase)} size="sm" variant={phase === "Successful" ? "plain" : "tinted"} />
    );
  return (
    <>
      <StateBadge shown={verdictMismatch} size="sm" />
      <Text size="xs" c="dimmed" mt={2}>
        recorded as {phase}
      </Text>
    </>
  );
}

const nameColumn: Column<AnalysisRunSummary> = {
  key: "name",
  header: "Analysis run",
  width: "19%",
  isName: true,
  sort: "name",
  cell: ({ uid, name }) => (
    <CutText title={name}>
      <RowLink href={runHref(uid)}>{name}</RowLink>
    </CutText>
  ),
};

const restColumns: readonly Column<AnalysisRunSummary>[] = [
  {
    key: "type",
    header: "Kind",
    width: "10%",
    leaves: 3,
    cell: ({ type, stepIndex }) => nameRunPlace({ type, stepIndex }),
  },
  { key: "message", header: "Reason", width: "18%", leaves: 3, cell: (run) => <RunReason run={run} /> },
  { ...revisionColumn, width: "8%" },
  {
    key: "measurements",
    header: "Measured",
    width: "10%",
    align: "right",
    leaves: 3,
    cell: (run) => <Measurements run={run} />,
  },
  { ...presenceColumn, isExtra: true },
  {
    key: "duration",
    header: "Duration",
    width: "8%",
    align: "right",
    noWrap: true,
    isExtra: true,
    cell: ({ durationSeconds }) => (durationSeconds === null ? "unknown" : formatSeconds(durationSeconds)),
  },
  {
    key: "time",
    header: "Started",
    width: "12%",
    align: "right",
    noWrap: true,
    sort: "startedAt",
    sortsDown: true,
    cell: ({ startedAt }) => (startedAt === null ? "unknown" : <RelativeTime at={startedAt} isDated />),
  },
];

/** Says why it ended as it did; nothing if the controller gives no reason. */
export function RunReason({ run: { message } }: { run: Pick<AnalysisRunSummary, "message"> }) {
  if (message === "") return null;
  const words = wordMessage(message);
  return (
    <CutText title={words} lines={2}>
      <HostileText text={words} />
    </CutText>
  );
}

function Measurements({ run: { measurements, lostMeasurements, measurementsExpired } }: { run: AnalysisRunSummary }) {
  return (
    <>
      {formatCount(measurements)}
      {lostMeasurements > 0 && (
        <Text size="xs" c="dimmed">
          {formatCount(lostMeasurements)} lost
        </Text>
      )}
      {measurementsExpired && (
        <Text size="xs" c="dimmed">
          expired
        </Text>
      )}
    </>
  );
}

function RunCard({ run, showsRollout }: { run: AnalysisRunSummary; showsRollout: boolean }) {
  return (
    <>
      <CardTop at={run.startedAt} isDated>
        <div>
          <Verdict run={run} />
        </div>
      </CardTop>
      <Text component="div" fw={600} mt={4}>
        <CutText title={run.name}>
          <RowLink href={runHref(run.uid)}>{run.name}</RowLink>
        </CutText>
      </Text>
      {showsRollout && run.rollout !== null && (
        <Text component="div" size="sm">
          <PlaceText namespace={run.rollout.namespace} name={run.rollout.name} />
        </Text>
      )}
      <Text component="div" size="sm">
        <RunReason run={run} />
      </Text>
      <Text size="sm" c="dimmed">
        {runTypeWords[run.type]} · {formatCount(run.measurements)} measurements · {describePresence(run.presence)}
      </Text>
    </>
  );
}
