"use client";

import { Button } from "@mantine/core";
import { IconTemplate } from "@tabler/icons-react";
import { TemplateCard, templateColumns } from "#components/templates/template-columns.tsx";
import { FilterBar, FilterChoice, FilterText } from "#components/ui/filter-bar.tsx";
import { ItemTableSkeleton } from "#components/ui/item-table.tsx";
import { PageTitle } from "#components/ui/page-title.tsx";
import { NothingHere, QueryView } from "#components/ui/query-view.tsx";
import { SteadyTable } from "#components/ui/steady-table.tsx";
import { useFilters } from "#components/ui/use-filters.ts";
import { useClusters } from "#lib/client/system-queries.ts";
import { useTemplates } from "#lib/client/template-queries.ts";

const kinds = [
  { value: "AnalysisTemplate", label: "namespace" },
  { value: "ClusterAnalysisTemplate", label: "whole cluster" },
];

export function TemplatesPage() {
  const { values, applied, isFiltered, set, clear } = useFilters(["q", "cluster", "namespace", "kind"]);
  const clusters = useClusters().data?.items ?? [];
  const list = useTemplates(applied);
  return (
    <>
      <PageTitle>Templates</PageTitle>
      <FilterBar isFiltered={isFiltered} onClear={clear}>
        <FilterText label="Search" placeholder="Name or namespace" isSearch value={values.q} onChange={set("q")} />
        <FilterChoice
          label="Cluster"
          value={values.cluster}
          options={clusters.map(({ name }) => ({ value: name, label: name }))}
          onChange={set("cluster")}
        />
        <FilterText label="Namespace" value={values.namespace} onChange={set("namespace")} />
        <FilterChoice label="Scope" value={values.kind} options={kinds} onChange={set("kind")} />
      </FilterBar>
      <QueryView
        what="The templates"
        data={list.items}
        error={list.error}
        retry={list.retry}
        skeleton={<ItemTableSkeleton columns={templateColumns} />}
      >
        {(items) =>
          items.length === 0 ? (
            <NoTemplates isFiltered={isFiltered} onClear={clear} />
          ) : (
            <SteadyTable
              key={JSON.stringify(applied)}
              caption="Templates"
              items={items}
              list={list}
              keyOf={({ uid }) => uid}
              columns={templateColumns}
              card={(template) => <TemplateCard template={template} />}
            />
          )
        }
      </QueryView>
    </>
  );
}

function NoTemplates({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  return isFiltered ? (
    <NothingHere
      icon={<IconTemplate size={40} stroke={1.2} />}
      title="No template matches"
      hint="The filters leave nothing over."
      action={<Button onClick={onClear}>Clear filters</Button>}
    />
  ) : (
    <NothingHere
      icon={<IconTemplate size={40} stroke={1.2} />}
      title="No templates yet"
      hint="Every AnalysisTemplate and ClusterAnalysisTemplate of the configured clusters appears here, with every spec that it was seen with."
    />
  );
}
