"use client";

import { Anchor, Skeleton } from "@mantine/core";
import dynamic from "next/dynamic";
import Link from "next/link";
import { ClusterChoice, FilterBar, FilterChoice, FilterText } from "#components/ui/filter-bar.tsx";
import { ListViews } from "#components/ui/list-views.tsx";
import { PageTitle } from "#components/ui/page-title.tsx";
import { useListState } from "#components/ui/use-list-state.ts";
import { useTemplates } from "#lib/client/template-queries.ts";

// The rows come later than the page in any case: their requests do not wait for each other.
const TemplateTable = dynamic(
  () => import("#components/templates/template-table.tsx").then((module) => module.TemplateTable),
  {
    ssr: false,
    loading: () => <Skeleton height={320} />,
  },
);

const filterNames = ["q", "cluster", "namespace", "kind", "usedBy"] as const;
const kinds = [
  { value: "AnalysisTemplate", label: "namespace" },
  { value: "ClusterAnalysisTemplate", label: "whole cluster" },
  { value: "MetricTemplate", label: "Flagger metric" },
];

export function TemplatesPage() {
  const state = useListState({ list: "templates", filters: filterNames, usualSort: "name" });
  const { values, isFiltered, set, clear } = state;
  const list = useTemplates(state.applied);
  const more = (
    <>
      <FilterText label="Namespace" value={values.namespace} onChange={set("namespace")} />
      <FilterText label="Used by" placeholder="Used by rollout" value={values.usedBy} onChange={set("usedBy")} />
    </>
  );
  return (
    <>
      <PageTitle
        aside={
          <Anchor component={Link} href="/template-lab" size="sm">
            Template lab
          </Anchor>
        }
      >
        Templates
      </PageTitle>
      <ListViews state={state} />
      <FilterBar
        isFiltered={isFiltered}
        onClear={clear}
        more={{ filters: more, values: [values.namespace, values.usedBy] }}
      >
        <FilterText label="Search" placeholder="Name or namespace" isSearch value={values.q} onChange={set("q")} />
        <ClusterChoice value={values.cluster} onChange={set("cluster")} />
        <FilterChoice label="Scope" value={values.kind} options={kinds} onChange={set("kind")} />
      </FilterBar>
      <TemplateTable list={list} state={state} />
    </>
  );
}
