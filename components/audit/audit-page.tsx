"use client";

import { AuditCheck } from "#components/audit/audit-check.tsx";
import { actionOptions, outcomeOptions, sourceOptions } from "#components/audit/audit-filters.ts";
import { FilterTime } from "#components/audit/filter-time.tsx";
import { LinkState } from "#components/audit/link-state.tsx";
import { AuditItems } from "#components/ui/audit-items.tsx";
import { FilterBar, FilterChoice, FilterText } from "#components/ui/filter-bar.tsx";
import { PageTitle } from "#components/ui/page-title.tsx";
import { useFilters } from "#components/ui/use-filters.ts";
import { useAudit } from "#lib/client/audit-queries.ts";

export function AuditPage() {
  const { values, applied, isFiltered, set, clear } = useFilters([
    "actor",
    "action",
    "outcome",
    "source",
    "cluster",
    "namespace",
    "name",
    "from",
    "to",
  ]);
  const list = useAudit(applied);
  return (
    <>
      <PageTitle aside={<AuditCheck />}>Audit</PageTitle>
      <FilterBar isFiltered={isFiltered} onClear={clear}>
        <FilterText label="Person" value={values.actor} onChange={set("actor")} isSearch />
        <FilterChoice label="Action" value={values.action} options={actionOptions} onChange={set("action")} />
        <FilterChoice label="Outcome" value={values.outcome} options={outcomeOptions} onChange={set("outcome")} />
        <FilterChoice label="Source" value={values.source} options={sourceOptions} onChange={set("source")} />
        <FilterText label="Cluster" value={values.cluster} onChange={set("cluster")} />
        <FilterText label="Namespace" value={values.namespace} onChange={set("namespace")} />
        <FilterText label="Rollout" value={values.name} onChange={set("name")} />
        <FilterTime label="From" value={values.from} onChange={set("from")} />
        <FilterTime label="To" value={values.to} onChange={set("to")} />
      </FilterBar>
      {list.items !== undefined && <LinkState items={list.items} />}
      <AuditItems key={JSON.stringify(applied)} list={list} isFiltered={isFiltered} />
    </>
  );
}
