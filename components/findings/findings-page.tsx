"use client";

import { IconEyeCheck } from "@tabler/icons-react";
import { FindingCard, findingColumns } from "#components/findings/finding-columns.tsx";
import { ClusterChoice } from "#components/ui/common-filters.tsx";
import { FilterBar, FilterChoice, FilterText } from "#components/ui/filter-bar.tsx";
import { ListView } from "#components/ui/list-view.tsx";
import { PageTitle } from "#components/ui/page-title.tsx";
import { useFilters } from "#components/ui/use-filters.ts";
import { useFindings } from "#lib/client/finding-queries.ts";

const filterNames = ["q", "cluster", "namespace", "severity", "state", "rule", "name", "kind"] as const;

const severities = ["critical", "warning", "info"].map((value) => ({ value, label: value }));
const states = [
  { value: "active", label: "open or acknowledged" },
  { value: "acknowledged", label: "acknowledged" },
  { value: "closed", label: "closed" },
  { value: "all", label: "all" },
];

const empty = {
  icon: <IconEyeCheck size={40} stroke={1.2} />,
  hint: "Gatehouse looks at every change of every rollout, source and controller with its rules. Findings appear here with their evidence, and close by themselves when they are over.",
};

export function FindingsPage() {
  const filters = useFilters(filterNames);
  const { state, ...applied } = filters.applied;
  // By default, the page shows the open findings.
  const list = useFindings({ ...applied, ...(state === "all" ? {} : { state: state === "" ? "open" : state }) });
  return (
    <>
      <PageTitle>Findings</PageTitle>
      <FindingFilters filters={filters} />
      <ListView
        caption="Findings"
        list={list}
        filters={filters}
        filterKey={JSON.stringify(filters.applied)}
        keyOf={({ id }) => id}
        columns={findingColumns}
        card={(finding) => <FindingCard finding={finding} />}
        empty={empty}
        isFiltered={filters.isFiltered}
        onClear={filters.clear}
      />
    </>
  );
}

function FindingFilters({ filters }: { filters: ReturnType<typeof useFilters<(typeof filterNames)[number]>> }) {
  const { values, set, clear, isFiltered } = filters;
  return (
    <FilterBar isFiltered={isFiltered} onClear={clear}>
      <FilterText label="Search" placeholder="Words or rollout" isSearch value={values.q} onChange={set("q")} />
      <ClusterChoice value={values.cluster} onChange={set("cluster")} />
      <FilterText label="Namespace" value={values.namespace} onChange={set("namespace")} />
      <FilterChoice label="Severity" value={values.severity} options={severities} onChange={set("severity")} />
      <FilterChoice label="Show" value={values.state} options={states} unset="open" onChange={set("state")} />
    </FilterBar>
  );
}
