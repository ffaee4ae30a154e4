"use client";

import { useState } from "react";
import { ClusterChoice, FilterBar, FilterChoice, FilterText } from "#components/ui/filter-bar.tsx";
import { FilterTime } from "#components/ui/filter-time.tsx";

const presets = [
  { value: "7", label: "last 7 days" },
  { value: "90", label: "last 90 days" },
  { value: "own", label: "own" },
];

export type InsightFilterName =
  | "days"
  | "from"
  | "to"
  | "cluster"
  | "namespace"
  | "kind"
  | "rollout"
  | "template"
  | "metric";

export type InsightFiltersProps = {
  filters: {
    values: Readonly<Record<InsightFilterName, string>>;
    applied: Readonly<Record<InsightFilterName, string>>;
    isFiltered: boolean;
    set: (name: InsightFilterName) => (value: string | null) => void;
    remove: (gone: readonly string[]) => void;
    clear: () => void;
  };
};

/**
 * Filters for the period and the scope of the figures. A template or a metric is set by links and can be removed here.
 */
export function InsightFilters({ filters: { values, isFiltered, set, clear } }: InsightFiltersProps) {
  const hasTimes = values.from !== "" || values.to !== "";
  const [isOwn, setOwn] = useState(hasTimes);
  const choose = (value: string | null): void => {
    setOwn(value === "own");
    set("days")(value === "own" ? null : value);
    if (value !== "own") {
      set("from")(null);
      set("to")(null);
    }
  };
  return (
    <FilterBar
      isFiltered={isFiltered}
      onClear={() => {
        setOwn(false);
        clear();
      }}
    >
      <FilterChoice
        label="Period"
        value={isOwn || hasTimes ? "own" : values.days}
        options={presets}
        unset="last 30 days"
        onChange={choose}
      />
      {(isOwn || hasTimes) && (
        <>
          <FilterTime label="From" value={values.from} onChange={set("from")} />
          <FilterTime label="To" value={values.to} onChange={set("to")} />
        </>
      )}
      <ClusterChoice value={values.cluster} onChange={set("cluster")} />
      <FilterText label="Namespace" value={values.namespace} onChange={set("namespace")} />
      <FilterText label="Rollout" isSearch value={values.rollout} onChange={set("rollout")} />
      {values.kind !== "" && <FilterText label="Kind" value={values.kind} onChange={set("kind")} />}
      {values.template !== "" && <FilterText label="Template" value={values.template} onChange={set("template")} />}
      {values.metric !== "" && <FilterText label="Metric" value={values.metric} onChange={set("metric")} />}
    </FilterBar>
  );
}
