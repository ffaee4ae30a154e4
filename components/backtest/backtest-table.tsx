import { Group, Text } from "@mantine/core";
import classes from "#components/backtest/backtest.module.css";
import {
  classifyVerdict,
  describeDifference,
  explainVerdict,
  isChanged,
} from "#components/backtest/describe-backtest.ts";
import { HostileText } from "#components/ui/hostile-text.tsx";
import { type Column, ItemTable } from "#components/ui/item-table.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { StateBadge } from "#components/ui/state-badge.tsx";
import { RowLink } from "#components/ui/table-parts.tsx";
import { runHref } from "#lib/client/rollout-path.ts";
import type { BacktestRun } from "#lib/contract/backtest.ts";

const columns: readonly Column<BacktestRun>[] = [
  { key: "run", header: "Run", width: "22%", isName: true, cell: (run) => <RunName run={run} /> },
  {
    key: "recorded",
    header: "Recorded",
    width: "16%",
    cell: ({ recorded }) => <StateBadge shown={classifyVerdict(recorded.run)} size="sm" variant="plain" />,
  },
  { key: "proposed", header: "Proposed", width: "16%", cell: (run) => <Proposed run={run} /> },
  { key: "why", header: "Why", width: "23%", cell: (run) => <Why run={run} /> },
  { key: "difference", header: "First difference", width: "23%", cell: (run) => <Difference run={run} /> },
];

export function BacktestTable({ runs }: { runs: readonly BacktestRun[] }) {
  return (
    <ItemTable
      caption="Replayed runs"
      columns={columns}
      rows={runs.map((item) => ({ key: item.uid, item, isGone: false }))}
      card={(run) => <RunCard run={run} />}
    />
  );
}

function RunName({ run: { uid, name, namespace, revision, createdAt } }: { run: BacktestRun }) {
  return (
    <>
      <RowLink href={runHref(uid)}>{name}</RowLink>
      <Text size="xs" c="dimmed" fw={400}>
        {namespace}
        {revision !== null && ` · revision ${revision}`} · <RelativeTime at={createdAt} />
      </Text>
    </>
  );
}

function Proposed({ run }: { run: BacktestRun }) {
  const variant = isChanged(run) ? "tinted" : "plain";
  return <StateBadge shown={classifyVerdict(run.proposed.run.phase)} size="sm" variant={variant} />;
}

function Why({ run }: { run: BacktestRun }) {
  const { replayed, recorded } = run;
  const isUnexplained = replayed.run.phase !== "undecided" && replayed.run.phase !== recorded.run;
  return (
    <Text size="sm" component="div">
      <HostileText text={explainVerdict(run)} />
      {isUnexplained && (
        <Text size="xs" c="dimmed">
          The recorded rules give {replayed.run.phase}.
        </Text>
      )}
    </Text>
  );
}

function Difference({ run: { firstDifference: difference } }: { run: BacktestRun }) {
  if (difference === null) return <span className={classes.dim}>none</span>;
  return (
    <Text size="sm" component="div">
      no. {difference.seq}
      {difference.value !== null && (
        <>
          {" "}
          <code className={classes.value}>
            <HostileText text={difference.value} />
          </code>
        </>
      )}
      <Text size="xs" c="dimmed">
        {describeDifference(difference)}
      </Text>
    </Text>
  );
}

function RunCard({ run }: { run: BacktestRun }) {
  return (
    <>
      <RunName run={run} />
      <Group gap="xs" my={4}>
        <StateBadge shown={classifyVerdict(run.recorded.run)} size="sm" variant="plain" />
        <span aria-hidden="true">→</span>
        <span className="visually-hidden">under the proposal</span>
        <Proposed run={run} />
      </Group>
      <Why run={run} />
      {run.firstDifference !== null && <Difference run={run} />}
    </>
  );
}
