"use client";

import { Group, Text } from "@mantine/core";
import { describeTemplateKind, describeTemplateState } from "#components/templates/describe-template.ts";
import classes from "#components/templates/templates.module.css";
import { clusterColumn } from "#components/ui/common-columns.tsx";
import { CutText } from "#components/ui/hostile-text.tsx";
import { IconTemplate } from "#components/ui/icons.tsx";
import type { Column } from "#components/ui/item-table.tsx";
import { ListView } from "#components/ui/list-view.tsx";
import { PlaceName } from "#components/ui/place-name.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import type { ListState } from "#components/ui/use-list-state.ts";
import type { ItemList } from "#lib/client/list-queries.ts";
import { templateHref } from "#lib/client/template-path.ts";
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

const templateColumns: readonly Column<TemplateSummary>[] = [
  {
    key: "name",
    header: "Template",
    width: "25%",
    isName: true,
    sort: "name",
    cell: (template) => <TemplateName template={template} />,
  },
  { ...clusterColumn, width: "9%", leaves: 3, sort: "cluster" },
  { key: "kind", header: "Scope", width: "11%", leaves: 2, cell: ({ kind }) => describeTemplateKind(kind) },
  { key: "metrics", header: "Metrics", width: "23%", cell: (template) => <MetricCell template={template} /> },
  {
    key: "used",
    header: "Used by",
    width: "9%",
    align: "right",
    noWrap: true,
    cell: ({ usedBy }) => (usedBy === 0 ? <span className={classes.dim}>no rollout</span> : describeUse(usedBy)),
  },
  { key: "version", header: "Version", width: "7%", align: "right", leaves: 1, cell: ({ version }) => version },
  {
    key: "writer",
    header: "Written by",
    width: "14%",
    leaves: 2,
    cell: ({ writer }) =>
      writer === null ? <span className={classes.dim}>unknown</span> : <CutText title={writer}>{writer}</CutText>,
  },
  {
    key: "written",
    header: "Written",
    width: "10%",
    align: "right",
    noWrap: true,
    sort: "writtenAt",
    sortsDown: true,
    cell: ({ writtenAt }) => <RelativeTime at={writtenAt} />,
  },
];

function describeUse(usedBy: number): string {
  return usedBy === 1 ? "1 rollout" : `${usedBy} rollouts`;
}

function TemplateName({ template }: { template: TemplateSummary }) {
  const { id, namespace, name } = template;
  const state = describeTemplateState(template);
  return (
    <>
      <PlaceName href={templateHref(id)} namespace={namespace} name={name} />
      {state !== undefined && (
        <Text size="xs" c="dimmed" fw={400}>
          {state}
        </Text>
      )}
    </>
  );
}

function MetricCell({ template }: { template: TemplateSummary }) {
  return (
    <CutText title={template.metrics.map(({ name }) => name).join(", ")}>
      <MetricNames template={template} />
    </CutText>
  );
}

function MetricNames({ template: { metrics } }: { template: TemplateSummary }) {
  if (metrics.length === 0) return <span className={classes.dim}>none of its own</span>;
  const shown = metrics.slice(0, 3).map(({ name }) => name);
  return (
    <span title={metrics.map(({ name }) => name).join(", ")}>
      {shown.join(", ")}
      {metrics.length > shown.length && ` and ${metrics.length - shown.length} more`}
    </span>
  );
}

/** Shows a template as a card, for narrow screens. */
function TemplateCard({ template }: { template: TemplateSummary }) {
  const { cluster, kind, usedBy, version } = template;
  return (
    <>
      <div className={classes.cardName}>
        <TemplateName template={template} />
      </div>
      <Text size="sm" mt={2}>
        <MetricNames template={template} />
      </Text>
      <Group justify="space-between" gap="xs" mt={4}>
        <Text size="sm" c="dimmed">
          {cluster} · {describeTemplateKind(kind)} · version {version} · used by{" "}
          {usedBy === 0 ? "no rollout" : describeUse(usedBy)}
        </Text>
        <Text size="xs" c="dimmed">
          <RelativeTime at={template.writtenAt} />
        </Text>
      </Group>
    </>
  );
}
