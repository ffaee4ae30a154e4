"use client";

import { AuditCheck } from "#components/audit/audit-check.tsx";
import { actionOptions, outcomeOptions, sourceOptions } from "#components/audit/audit-filters.ts";
import { AuditPresets } from "#components/audit/audit-presets.tsx";
import { LinkState } from "#components/audit/link-state.tsx";
import { AuditItems } from "#components/ui/audit-items.tsx";
import { FilterBar, FilterChoice, FilterText } from "#components/ui/filter-bar.tsx";
import { FilterTime } from "#components/ui/filter-time.tsx";
import { PageTitle } from "#components/ui/page-title.tsx";
import { useFilters } from "#components/ui/use-filters.ts";
import { useAudit } from "#lib/client/audit-queries.ts";

export function AuditPage() {
  const { values, applied, isFiltered, set, clear } = useFilters([
    "q",
    "rows",
    "actor",
    "action",
    "outcome",
    "source",
    "cluster",
    "namespace",
    "name",
    "policy",
    "from",
    "to",
  ]);
  // One row for each act, unless the entries themselves are asked for.
  const { rows, ...filters } = applied;
  const list = useAudit({ ...filters, rows: rows === "entries" ? "entries" : "acts" });
  return (
    <>
      <PageTitle aside={<AuditCheck />}>Audit</PageTitle>
      <AuditPresets values={values} />
      <FilterBar isFiltered={isFiltered} onClear={clear}>
        <FilterText label="Search" value={values.q} onChange={set("q")} isSearch />
        <FilterText label="Person" value={values.actor} onChange={set("actor")} />
        <FilterChoice label="Action" value={values.action} options={actionOptions} onChange={set("action")} />
        <FilterChoice label="Outcome" value={values.outcome} options={outcomeOptions} onChange={set("outcome")} />
        <FilterChoice label="Source" value={values.source} options={sourceOptions} onChange={set("source")} />
        <FilterText label="Cluster" value={values.cluster} onChange={set("cluster")} />
        <FilterText label="Namespace" value={values.namespace} onChange={set("namespace")} />
        <FilterText label="Rollout" value={values.name} onChange={set("name")} />
        <FilterText label="Policy" value={values.policy} onChange={set("policy")} />
        <FilterTime label="From" value={values.from} onChange={set("from")} />
        <FilterTime label="To" value={values.to} onChange={set("to")} />
        <FilterChoice
          label="Rows"
          value={values.rows}
          unset="one per act"
          options={[{ value: "entries", label: "every entry" }]}
          onChange={set("rows")}
        />
      </FilterBar>
      {list.items !== undefined && <LinkState items={list.items} />}
      <AuditItems key={JSON.stringify(applied)} list={list} isFiltered={isFiltered} />
    </>
  );
}
