import { AbortList } from "#components/audit/abort-list.tsx";
import { AuditCheck } from "#components/audit/audit-check.tsx";
import { AuditPresets } from "#components/audit/audit-presets.tsx";
import { FilterBar, FilterText } from "#components/ui/filter-bar.tsx";
import { FilterSpan } from "#components/ui/filter-time.tsx";
import { PageTitle } from "#components/ui/page-title.tsx";
import { useFilters } from "#components/ui/use-filters.ts";

const filterNames = ["actor", "cluster", "namespace", "name", "last", "from", "to"] as const;

/** Shows every aborted release, whoever aborted it. */
export function AbortsView() {
  const filters = useFilters(filterNames);
  const { values, applied, isFiltered, set, setMany, clear } = filters;
  const { actor: person, ...rest } = applied;
  return (
    <>
      <PageTitle aside={<AuditCheck />}>Who aborted what</PageTitle>
      <AuditPresets values={{ ...values, report: "aborts" }} />
      <FilterBar isFiltered={isFiltered} onClear={clear}>
        <FilterText label="Person" value={values.actor} onChange={set("actor")} />
        <FilterText label="Cluster" value={values.cluster} onChange={set("cluster")} />
        <FilterText label="Namespace" value={values.namespace} onChange={set("namespace")} />
        <FilterText label="Rollout" value={values.name} onChange={set("name")} />
        <FilterSpan label="Time" values={values} onChange={setMany} />
      </FilterBar>
      <AbortList
        key={JSON.stringify(applied)}
        filters={{ ...rest, person }}
        address={filters}
        isFiltered={isFiltered}
        printed={{ ...applied, report: "aborts" }}
      />
    </>
  );
}
