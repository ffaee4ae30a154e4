"use client";

import { IconGitBranch } from "@tabler/icons-react";
import { RolloutCard } from "#components/rollouts/rollout-card.tsx";
import { rolloutColumns } from "#components/rollouts/rollout-columns.tsx";
import { ListView } from "#components/ui/list-view.tsx";
import type { ListState } from "#components/ui/use-list-state.ts";
import type { ItemList } from "#lib/client/list-queries.ts";
import type { RolloutSummary } from "#lib/contract/rollout.ts";

const empty = {
  icon: <IconGitBranch size={40} stroke={1.2} />,
  hint: "Every Argo Rollout in the configured clusters appears here once its source is live. The lamp at the top shows the state of the sources.",
};

/** Shows the rollouts of all clusters. */
export function RolloutTable({ list, state }: { list: ItemList<RolloutSummary>; state: ListState }) {
  return (
    <ListView
      caption="Rollouts"
      list={list}
      state={state}
      keyOf={({ id }) => id}
      columns={rolloutColumns}
      card={(rollout) => <RolloutCard rollout={rollout} />}
      empty={empty}
    />
  );
}
