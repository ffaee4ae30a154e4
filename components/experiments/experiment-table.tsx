"use client";

import { Text } from "@mantine/core";
import { classifyAnalysis } from "#components/ui/classify-state.ts";
import {
  CardTop,
  clusterColumn,
  describePresence,
  Owner,
  ownerColumn,
  presenceColumn,
  revisionColumn,
} from "#components/ui/common-columns.tsx";
import { CutText } from "#components/ui/hostile-text.tsx";
import { IconFlask } from "#components/ui/icons.tsx";
import type { Column } from "#components/ui/item-table.tsx";
import { ListView } from "#components/ui/list-view.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { StateBadge } from "#components/ui/state-badge.tsx";
import { RowLink } from "#components/ui/table-parts.tsx";
import type { ListState } from "#components/ui/use-list-state.ts";
import type { ItemList } from "#lib/client/list-queries.ts";
import { experimentHref } from "#lib/client/rollout-path.ts";
import type { ExperimentSummary } from "#lib/contract/experiment.ts";

const empty = {
  icon: <IconFlask size={40} stroke={1.2} />,
  hint: "Gatehouse keeps every Experiment and its analysis runs, even after the cluster deletes them. A rollout starts one at an experiment step.",
};

/** Shows the Experiments of all clusters, live and past. */
export function ExperimentTable({ list, state }: { list: ItemList<ExperimentSummary>; state: ListState }) {
  return (
    <ListView
      caption="Experiments"
      list={list}
      state={state}
      keyOf={({ uid }) => uid}
      columns={experimentColumns}
      card={(experiment) => <ExperimentCard experiment={experiment} />}
      empty={empty}
    />
  );
}

const experimentColumns: readonly Column<ExperimentSummary>[] = [
  {
    key: "phase",
    header: "Verdict",
    width: "15%",
    sort: "phase",
    cell: ({ phase }) => (
      <StateBadge shown={classifyAnalysis(phase)} size="sm" variant={phase === "Successful" ? "plain" : "tinted"} />
    ),
  },
  {
    key: "name",
    header: "Experiment",
    width: "25%",
    isName: true,
    sort: "name",
    cell: ({ uid, name }) => (
      <CutText title={name}>
        <RowLink href={experimentHref(uid)}>{name}</RowLink>
      </CutText>
    ),
  },
  { ...ownerColumn, width: "21%" },
  clusterColumn,
  { ...revisionColumn, width: "9%" },
  { key: "runs", header: "Analysis runs", width: "12%", align: "right", leaves: 3, cell: ({ runs }) => runs.total },
  presenceColumn,
  {
    key: "time",
    header: "Created",
    width: "12%",
    align: "right",
    noWrap: true,
    sort: "createdAt",
    sortsDown: true,
    cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
  },
];

/** Shows an Experiment as a card, for narrow screens. */
function ExperimentCard({ experiment }: { experiment: ExperimentSummary }) {
  const { uid, name, phase, createdAt, runs, presence } = experiment;
  return (
    <>
      <CardTop at={createdAt}>
        <StateBadge shown={classifyAnalysis(phase)} size="sm" />
      </CardTop>
      <Text component="div" fw={600} mt={4}>
        <CutText title={name}>
          <RowLink href={experimentHref(uid)}>{name}</RowLink>
        </CutText>
      </Text>
      <Text component="div" size="sm">
        <Owner item={experiment} />
      </Text>
      <Text size="sm" c="dimmed">
        {runs.total === 1 ? "1 run" : `${runs.total} runs`} · {describePresence(presence)}
      </Text>
    </>
  );
}
