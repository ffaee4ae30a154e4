"use client";

import { Skeleton } from "@mantine/core";
import dynamic from "next/dynamic";
import { ClusterChoice } from "#components/ui/common-filters.tsx";
import { FilterBar, FilterText } from "#components/ui/filter-bar.tsx";
import { PageTitle } from "#components/ui/page-title.tsx";
import { useFilters } from "#components/ui/use-filters.ts";
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

export function ReleasesPage() {
  const { values, applied, isFiltered, set, clear } = useFilters([
    "cluster",
    "namespace",
    "name",
    "state",
    "version",
    "person",
    "from",
    "to",
    "kind",
    "figure",
    "waitHour",
    "timeZone",
  ]);
  const list = useReleases(applied);
  return (
    <>
      <PageTitle>Releases</PageTitle>
      <FilterBar isFiltered={isFiltered} onClear={clear}>
        <ClusterChoice value={values.cluster} onChange={set("cluster")} />
        <FilterText label="Namespace" value={values.namespace} onChange={set("namespace")} />
        <FilterText label="Rollout" isSearch value={values.name} onChange={set("name")} />
        <ReleaseFilters values={values} set={set} />
      </FilterBar>
      <ReleaseTable
        list={list}
        showsRollout
        filterKey={JSON.stringify(applied)}
        isFiltered={isFiltered}
        onClear={clear}
      />
    </>
  );
}
