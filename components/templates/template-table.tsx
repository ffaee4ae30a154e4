"use client";

import { IconTemplate } from "@tabler/icons-react";
import { TemplateCard, templateColumns } from "#components/templates/template-columns.tsx";
import { ListView } from "#components/ui/list-view.tsx";
import type { ListState } from "#components/ui/use-list-state.ts";
import type { ItemList } from "#lib/client/list-queries.ts";
import type { TemplateSummary } from "#lib/contract/template.ts";

const empty = {
  icon: <IconTemplate size={40} stroke={1.2} />,
  hint: "Every AnalysisTemplate, ClusterAnalysisTemplate and MetricTemplate in the configured clusters appears here, with every recorded version of its spec.",
};

/** Shows the analysis templates of all clusters. */
export function TemplateTable({ list, state }: { list: ItemList<TemplateSummary>; state: ListState }) {
  return (
    <ListView
      caption="Templates"
      list={list}
      state={state}
      keyOf={({ uid }) => uid}
      columns={templateColumns}
      card={(template) => <TemplateCard template={template} />}
      empty={empty}
    />
  );
}
