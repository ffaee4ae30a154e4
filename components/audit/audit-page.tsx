"use client";

import { AuditCheck } from "#components/audit/audit-check.tsx";
import { AuditItems } from "#components/ui/audit-items.tsx";
import { FilterBar, FilterChoice, FilterText } from "#components/ui/filter-bar.tsx";
import { PageTitle } from "#components/ui/page-title.tsx";
import { useFilters } from "#components/ui/use-filters.ts";
import { useAudit } from "#lib/client/audit-queries.ts";
import type { ActionName } from "#lib/contract/rollout.ts";

const actionWords: Partial<Record<ActionName, string>> = {
  continue: "continue",
  "accept-step": "accept and continue",
  "measure-again": "measure again",
  "continue-waive": "continue and waive",
  abort: "abort",
  retry: "retry",
};
const actions = Object.entries(actionWords).map(([value, label]) => ({ value, label }));
const outcomes = [
  { value: "intent", label: "asked" },
  { value: "applied", label: "applied" },
  { value: "refused", label: "refused" },
  { value: "partial", label: "half done" },
  { value: "unknown", label: "unknown" },
];
const sources = [
  { value: "gatehouse", label: "Gatehouse" },
  { value: "cluster", label: "outside of Gatehouse" },
  { value: "system", label: "system" },
];

export function AuditPage() {
  const { values, applied, isFiltered, set, clear } = useFilters([
    "actor",
    "action",
    "outcome",
    "source",
    "cluster",
    "namespace",
    "name",
  ]);
  const list = useAudit(applied);
  return (
    <>
      <PageTitle aside={<AuditCheck />}>Audit</PageTitle>
      <FilterBar isFiltered={isFiltered} onClear={clear}>
        <FilterText label="Person" value={values.actor} onChange={set("actor")} isSearch />
        <FilterChoice label="Action" value={values.action} options={actions} onChange={set("action")} />
        <FilterChoice label="Outcome" value={values.outcome} options={outcomes} onChange={set("outcome")} />
        <FilterChoice label="Source" value={values.source} options={sources} onChange={set("source")} />
        <FilterText label="Cluster" value={values.cluster} onChange={set("cluster")} />
        <FilterText label="Namespace" value={values.namespace} onChange={set("namespace")} />
        <FilterText label="Rollout" value={values.name} onChange={set("name")} />
      </FilterBar>
      <AuditItems key={JSON.stringify(applied)} list={list} isFiltered={isFiltered} />
    </>
  );
}
