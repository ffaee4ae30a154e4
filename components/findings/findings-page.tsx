"use client";

import { Text } from "@mantine/core";
import classes from "#components/findings/findings.module.css";
import { CardTop } from "#components/ui/common-columns.tsx";
import { ClusterChoice, FilterBar, FilterChoice, FilterText } from "#components/ui/filter-bar.tsx";
import { classifyFinding, classifySeverity, nameTarget } from "#components/ui/finding-severity.tsx";
import { CutText, HostileText } from "#components/ui/hostile-text.tsx";
import { IconEyeCheck } from "#components/ui/icons.tsx";
import type { Column } from "#components/ui/item-table.tsx";
import { ListView } from "#components/ui/list-view.tsx";
import { PageTitle } from "#components/ui/page-title.tsx";
import { PlaceText } from "#components/ui/place-name.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { StateBadge } from "#components/ui/state-badge.tsx";
import { RowLink } from "#components/ui/table-parts.tsx";
import { useFilters } from "#components/ui/use-filters.ts";
import { findingHref, useFindingCounts, useFindings } from "#lib/client/finding-queries.ts";
import type { Finding, FindingCounts } from "#lib/contract/finding.ts";
import { formatList } from "#lib/util/words.ts";

const filterNames = ["q", "cluster", "namespace", "severity", "state", "rule", "name", "kind"] as const;

const severities = (["critical", "warning", "info"] as const).map((value) => ({ value, label: value }));
const states = [
  { value: "active", label: "open or acknowledged" },
  { value: "acknowledged", label: "acknowledged" },
  { value: "closed", label: "closed" },
  { value: "all", label: "all" },
];

const empty = {
  icon: <IconEyeCheck size={40} stroke={1.2} />,
  hint: "Gatehouse checks every change of rollouts, sources and controllers against its rules. Findings appear here with their evidence and close on their own.",
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
      {!filters.isFiltered && <OpenCounts />}
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

/** Says how many findings are open, and which of them the number in the menu counts. */
function OpenCounts() {
  const open = useFindingCounts().data?.open;
  const words = open === undefined ? "" : describeOpen(open);
  return words === "" ? null : (
    <Text size="xs" c="dimmed" mb="xs">
      {words}
    </Text>
  );
}

/** Describes the open findings: "1 critical and 3 info open. The menu counts critical and warning only." */
export function describeOpen(open: FindingCounts["open"]): string {
  const counts = severities.flatMap(({ value }) => (open[value] > 0 ? [`${open[value]} ${value}`] : []));
  if (counts.length === 0) return "";
  return `${formatList(counts)} open.${open.info > 0 ? " The menu counts critical and warning only." : ""}`;
}

function FindingFilters({ filters }: { filters: ReturnType<typeof useFilters<(typeof filterNames)[number]>> }) {
  const { values, set, clear, isFiltered } = filters;
  const more = (
    <>
      <ClusterChoice value={values.cluster} onChange={set("cluster")} />
      <FilterText label="Namespace" value={values.namespace} onChange={set("namespace")} />
    </>
  );
  return (
    <FilterBar
      isFiltered={isFiltered}
      onClear={clear}
      more={{ filters: more, values: [values.cluster, values.namespace] }}
    >
      <FilterText label="Search" placeholder="Words or rollout" isSearch value={values.q} onChange={set("q")} />
      <FilterChoice label="Severity" value={values.severity} options={severities} onChange={set("severity")} />
      <FilterChoice label="Show" value={values.state} options={states} unset="open" onChange={set("state")} />
    </FilterBar>
  );
}

const findingColumns: readonly Column<Finding>[] = [
  {
    key: "severity",
    header: "Severity",
    width: "13%",
    cell: (finding) => <Severity finding={finding} />,
  },
  {
    key: "title",
    header: "Finding",
    width: "46%",
    isName: true,
    cell: ({ id, title, ruleName, state, advice }) => (
      <>
        <span className={classes.sentence}>
          <RowLink href={findingHref(id)}>
            <HostileText text={title} />
          </RowLink>
        </span>
        <Text size="xs" c="dimmed" fw={400} component="div">
          {state === "open" ? <CutText title={advice} lines={2}>{`${ruleName} · ${advice}`}</CutText> : ruleName}
        </Text>
      </>
    ),
  },
  { key: "target", header: "About", width: "19%", cell: (finding) => <About finding={finding} /> },
  {
    key: "cluster",
    header: "Cluster",
    width: "9%",
    leaves: 3,
    cell: ({ target }) => <CutText title={target.cluster}>{target.cluster}</CutText>,
  },
  {
    key: "time",
    header: "Since",
    width: "13%",
    align: "right",
    noWrap: true,
    cell: ({ since }) => <RelativeTime at={since} />,
  },
];

/** Names the finding's target, in one line. */
function About({ finding }: { finding: Finding }) {
  const { about, target } = finding;
  if (about === "rollout") return <PlaceText namespace={target.namespace} name={target.name} />;
  // The cluster has a column of its own.
  const name = about === "cluster" ? nameTarget(finding) : nameTarget(finding).replace(`, ${target.cluster}`, "");
  return <CutText title={name}>{name}</CutText>;
}

/** Shows the severity of an open finding; otherwise its state, with the former severity below. */
function Severity({ finding }: { finding: Finding }) {
  const shown = classifyFinding(finding);
  return (
    <>
      <StateBadge shown={shown} size="sm" />
      {finding.state !== "open" && (
        <Text size="xs" c="dimmed" mt={2}>
          was {classifySeverity(finding.severity).word.toLowerCase()}
        </Text>
      )}
    </>
  );
}

/** Shows a finding as a card, for narrow screens. */
function FindingCard({ finding }: { finding: Finding }) {
  return (
    <>
      <CardTop at={finding.since}>
        <StateBadge shown={classifyFinding(finding)} size="sm" />
      </CardTop>
      <Text mt={4} className={classes.sentence}>
        <RowLink href={findingHref(finding.id)}>
          <HostileText text={finding.title} />
        </RowLink>
      </Text>
      <Text component="div" size="sm">
        <About finding={finding} />
      </Text>
      <Text size="sm" c="dimmed">
        {finding.target.cluster} · {finding.ruleName}
      </Text>
    </>
  );
}
