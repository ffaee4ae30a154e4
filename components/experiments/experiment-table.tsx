"use client";

import { IconFlask } from "@tabler/icons-react";
import { ExperimentCard, experimentColumns } from "#components/experiments/experiment-columns.tsx";
import { ListView } from "#components/ui/list-view.tsx";
import type { ListState } from "#components/ui/use-list-state.ts";
import type { ItemList } from "#lib/client/list-queries.ts";
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
