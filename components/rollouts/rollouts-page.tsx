"use client";

import { Skeleton } from "@mantine/core";
import dynamic from "next/dynamic";
import { useState } from "react";
import classes from "#components/rollouts/rollouts.module.css";
import {
  ClusterChoice,
  FilterBar,
  FilterChoice,
  FilterText,
  SetChoice,
  TeamChoice,
} from "#components/ui/filter-bar.tsx";
import { ListViews } from "#components/ui/list-views.tsx";
import { PageTitle } from "#components/ui/page-title.tsx";
import { type ListFilters, useListState } from "#components/ui/use-list-state.ts";
import { useRolloutCounts, useRollouts } from "#lib/client/rollout-queries.ts";
import type { RolloutSummary } from "#lib/contract/rollout.ts";
import { type RolloutNeed, rolloutNeeds } from "#lib/domain/waiting/rank-wait.ts";

// The rows come later than the page in any case: their requests do not wait for each other.
const RolloutTable = dynamic(
  () => import("#components/rollouts/rollout-table.tsx").then((module) => module.RolloutTable),
  {
    ssr: false,
    loading: () => <Skeleton height={320} />,
  },
);

const filterNames = [
  ...(["q", "need", "cluster", "namespace", "team", "set"] as const),
  ...(["phase", "attention", "version", "kind", "label"] as const),
] as const;
const phases = ["Healthy", "Progressing", "Paused", "Degraded", "Unknown"].map((phase) => ({
  value: phase,
  label: phase,
}));
const attentions = [
  { value: "any", label: "anything" },
  { value: "person", label: "a person" },
  { value: "inconclusive", label: "a person, Inconclusive" },
  { value: "pause", label: "a person, pause" },
  { value: "blueGreenPromotion", label: "a person, promotion" },
  { value: "gate", label: "a person, gate" },
  { value: "degraded", label: "a fix, degraded" },
  { value: "finding", label: "a fix or a review, finding" },
];
const needWords: Record<RolloutNeed, string> = {
  decide: "Decide",
  fix: "Fix",
  look: "Review",
  underway: "In progress",
  other: "Other",
  healthy: "Healthy",
};
const kinds = [
  { value: "Rollout", label: "Argo Rollout" },
  { value: "Canary", label: "Flagger Canary" },
];

export function RolloutsPage() {
  const state = useListState({ list: "rollouts", filters: filterNames, usualSort: "need" });
  const list = useRollouts(state.applied);
  return (
    <>
      <PageTitle>Rollouts</PageTitle>
      <ListViews state={state} />
      <NeedChoice state={state} />
      <RolloutFilters state={state} rollouts={list.items ?? []} />
      <RolloutTable list={list} state={state} />
    </>
  );
}

/** Chooses rollouts by what they need, with the number of each under the other filters. */
function NeedChoice({ state }: { state: ListFilters<(typeof filterNames)[number]> }) {
  const { need: _, sort: __, ...filters } = state.applied;
  const counts = useRolloutCounts(filters).data?.needs;
  const total = counts && Object.values(counts).reduce((sum, count) => sum + count, 0);
  const chosen = state.values.need;
  const shown = rolloutNeeds.filter((need) => need !== "other" || chosen === need || (counts?.other ?? 0) > 0);
  return (
    <fieldset className={classes.needs} aria-label="Need">
      <NeedButton word="All" count={total} isOn={chosen === ""} onChoose={() => state.set("need")(null)} />
      {shown.map((need) => (
        <NeedButton
          key={need}
          word={needWords[need]}
          count={counts?.[need]}
          isOn={chosen === need}
          onChoose={() => state.set("need")(need)}
        />
      ))}
    </fieldset>
  );
}

type NeedButtonProps = { word: string; count: number | undefined; isOn: boolean; onChoose: () => void };

function NeedButton({ word, count, isOn, onChoose }: NeedButtonProps) {
  return (
    <button type="button" aria-pressed={isOn} onClick={onChoose}>
      {word} <span>{count?.toLocaleString("en-US") ?? ""}</span>
    </button>
  );
}

type RolloutFiltersProps = {
  state: ListFilters<(typeof filterNames)[number]>;
  rollouts: readonly Pick<RolloutSummary, "labels">[];
};

function RolloutFilters({ state, rollouts }: RolloutFiltersProps) {
  const { values, set, clear, isFiltered } = state;
  // Without recorded labels, there is none to filter by. Once offered, the filter stays.
  const [hasLabels, setHasLabels] = useState(values.label !== "");
  if (!hasLabels && rollouts.some(({ labels }) => Object.keys(labels).length > 0)) setHasLabels(true);
  const more = (
    <>
      <FilterChoice label="Phase" value={values.phase} options={phases} onChange={set("phase")} />
      <FilterChoice label="Waits for" value={values.attention} options={attentions} onChange={set("attention")} />
      <FilterText label="Version" value={values.version} onChange={set("version")} />
      <FilterChoice label="Kind" value={values.kind} options={kinds} onChange={set("kind")} />
      {(hasLabels || values.label !== "") && (
        <FilterText label="Label" placeholder="Label: a=b" value={values.label} onChange={set("label")} />
      )}
    </>
  );
  const moreValues = [values.phase, values.attention, values.version, values.kind, values.label];
  return (
    <FilterBar isFiltered={isFiltered} onClear={clear} more={{ filters: more, values: moreValues }}>
      <FilterText label="Search" placeholder="Name or namespace" isSearch value={values.q} onChange={set("q")} />
      <ClusterChoice value={values.cluster} onChange={set("cluster")} />
      <FilterText label="Namespace" value={values.namespace} onChange={set("namespace")} />
      <TeamChoice value={values.team} onChange={set("team")} />
      <SetChoice value={values.set} onChange={set("set")} />
    </FilterBar>
  );
}
