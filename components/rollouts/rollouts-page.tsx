"use client";

import { Skeleton } from "@mantine/core";
import dynamic from "next/dynamic";
import { ClusterChoice } from "#components/ui/common-filters.tsx";
import { FilterBar, FilterChoice, FilterText } from "#components/ui/filter-bar.tsx";
import { ListViews } from "#components/ui/list-views.tsx";
import { PageTitle } from "#components/ui/page-title.tsx";
import { type ListFilters, useListState } from "#components/ui/use-list-state.ts";
import { useRollouts } from "#lib/client/rollout-queries.ts";

// The rows come later than the page in any case: their requests do not wait for each other.
const RolloutTable = dynamic(
  () => import("#components/rollouts/rollout-table.tsx").then((module) => module.RolloutTable),
  {
    ssr: false,
    loading: () => <Skeleton height={320} />,
  },
);

const filterNames = ["q", "cluster", "namespace", "phase", "attention", "version", "kind"] as const;
const phases = ["Healthy", "Progressing", "Paused", "Degraded", "Unknown"].map((phase) => ({
  value: phase,
  label: phase,
}));
const attentions = [
  { value: "any", label: "anything" },
  { value: "person", label: "a person" },
  { value: "inconclusive", label: "a person, Inconclusive" },
  { value: "pause", label: "a person, pause" },
  { value: "blueGreenPromotion", label: "a person, promotion" },
  { value: "gate", label: "a person, gate" },
  { value: "degraded", label: "a fix, degraded" },
  { value: "finding", label: "a look, finding" },
];
const kinds = [
  { value: "Rollout", label: "Argo Rollout" },
  { value: "Canary", label: "Flagger Canary" },
];

export function RolloutsPage() {
  const state = useListState({ list: "rollouts", filters: filterNames, usualSort: "name" });
  const list = useRollouts(state.applied);
  return (
    <>
      <PageTitle>Rollouts</PageTitle>
      <ListViews state={state} />
      <RolloutFilters state={state} />
      <RolloutTable list={list} state={state} />
    </>
  );
}

function RolloutFilters({ state }: { state: ListFilters<(typeof filterNames)[number]> }) {
  const { values, set, clear, isFiltered } = state;
  return (
    <FilterBar isFiltered={isFiltered} onClear={clear}>
      <FilterText label="Search" placeholder="Name or namespace" isSearch value={values.q} onChange={set("q")} />
      <ClusterChoice value={values.cluster} onChange={set("cluster")} />
      <FilterText label="Namespace" value={values.namespace} onChange={set("namespace")} />
      <FilterChoice label="Phase" value={values.phase} options={phases} onChange={set("phase")} />
      <FilterChoice label="Waits for" value={values.attention} options={attentions} onChange={set("attention")} />
      <FilterText label="Version" value={values.version} onChange={set("version")} />
      <FilterChoice label="Kind" value={values.kind} options={kinds} onChange={set("kind")} />
    </FilterBar>
  );
}
