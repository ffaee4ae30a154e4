"use client";

import { AbortList } from "#components/audit/abort-list.tsx";
import { AuditCheck } from "#components/audit/audit-check.tsx";
import { actionOptions, outcomeOptions, sourceOptions } from "#components/audit/audit-filters.ts";
import { AuditPresets } from "#components/audit/audit-presets.tsx";
import { LinkState } from "#components/audit/link-state.tsx";
import { PrintHead } from "#components/audit/print-head.tsx";
import { AuditItems } from "#components/ui/audit-items.tsx";
import { FilterBar, FilterChoice, FilterText } from "#components/ui/filter-bar.tsx";
import { FilterTime } from "#components/ui/filter-time.tsx";
import { PageTitle } from "#components/ui/page-title.tsx";
import { useFilters } from "#components/ui/use-filters.ts";
import { useAudit } from "#lib/client/audit-queries.ts";

const names = [
  "view",
  "q",
  "rows",
  "actor",
  "action",
  "outcome",
  "source",
  "cluster",
  "namespace",
  "name",
  "from",
  "to",
] as const;

/** Shows the audit log, or who aborted what; both with their filters in the URL. */
export function AuditPage() {
  const { values, applied, isFiltered, set, clear } = useFilters(names);
  if (values.view === "aborts") return <AbortsView {...{ values, applied, isFiltered, set, clear }} />;
  return <EntriesView {...{ values, applied, isFiltered, set, clear }} />;
}

type Name = (typeof names)[number];
type ViewProps = ReturnType<typeof useFilters<Name>>;

function EntriesView({ values, applied, isFiltered, set, clear }: ViewProps) {
  // One row for each act, unless the entries themselves are asked for.
  const { rows, view: _, ...filters } = applied;
  const list = useAudit({ ...filters, rows: rows === "entries" ? "entries" : "acts" });
  return (
    <>
      <PageTitle aside={<AuditCheck />}>Audit</PageTitle>
      <PrintHead filters={applied} shown={list.items?.length} hasMore={list.hasMore} />
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

function AbortsView({ values, applied, set, clear }: ViewProps) {
  const { cluster, namespace, name, from, to, actor: person } = applied;
  const filters = { cluster, namespace, name, from, to, person };
  const isFiltered = Object.values(filters).some((value) => value !== "");
  return (
    <>
      <PageTitle aside={<AuditCheck />}>Who aborted what</PageTitle>
      <AuditPresets values={values} />
      <FilterBar isFiltered={isFiltered} onClear={clear}>
        <FilterText label="Person" value={values.actor} onChange={set("actor")} />
        <FilterText label="Cluster" value={values.cluster} onChange={set("cluster")} />
        <FilterText label="Namespace" value={values.namespace} onChange={set("namespace")} />
        <FilterText label="Rollout" value={values.name} onChange={set("name")} />
        <FilterTime label="From" value={values.from} onChange={set("from")} />
        <FilterTime label="To" value={values.to} onChange={set("to")} />
      </FilterBar>
      <AbortList key={JSON.stringify(filters)} filters={filters} isFiltered={isFiltered} printed={applied} />
    </>
  );
}
