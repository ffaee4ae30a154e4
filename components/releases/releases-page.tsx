"use client";

import { Skeleton } from "@mantine/core";
import dynamic from "next/dynamic";
import { ClusterChoice, FilterBar, FilterText } from "#components/ui/filter-bar.tsx";
import { ListViews } from "#components/ui/list-views.tsx";
import { PageTitle } from "#components/ui/page-title.tsx";
import { useListState } from "#components/ui/use-list-state.ts";
import { useReleases } from "#lib/client/rollout-queries.ts";

// The rows come later than the page in any case: their requests do not wait for each other.
const ReleaseTable = dynamic(() => import("#components/ui/release-table.tsx").then((module) => module.ReleaseTable), {
  ssr: false,
  loading: () => <Skeleton height={320} />,
});

const ReleaseFilters = dynamic(
  () => import("#components/releases/release-filters.tsx").then((module) => module.ReleaseFilters),
  { ssr: false },
);

const filterNames = [
  ...(["cluster", "namespace", "kind", "name", "state", "version", "person", "last", "from", "to"] as const),
  ...(["figure", "waitHour", "timeZone"] as const),
] as const;

export function ReleasesPage() {
  const state = useListState({ list: "releases", filters: filterNames, usualSort: "-startedAt" });
  const { values, isFiltered, set, clear } = state;
  const list = useReleases(state.applied);
  const more = <ReleaseFilters values={values} set={set} setMany={state.setMany} />;
  const { name, cluster, namespace, ...others } = values;
  return (
    <>
      <PageTitle>Releases</PageTitle>
      <ListViews state={state} />
      <FilterBar isFiltered={isFiltered} onClear={clear} more={{ filters: more, values: Object.values(others) }}>
        <FilterText label="Rollout" isSearch value={values.name} onChange={set("name")} />
        <ClusterChoice value={values.cluster} onChange={set("cluster")} />
        <FilterText label="Namespace" value={values.namespace} onChange={set("namespace")} />
      </FilterBar>
      <ReleaseTable list={list} showsRollout state={state} />
    </>
  );
}
