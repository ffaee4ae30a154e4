"use client";

import { FilterChoice, FilterText } from "#components/ui/filter-bar.tsx";
import { FilterTime } from "#components/ui/filter-time.tsx";
import { runFigures } from "#lib/domain/insights/figures.ts";

const figures = Object.entries(runFigures).map(([value, label]) => ({ value, label }));

type Name = "kind" | "template" | "metric" | "figure" | "from" | "to";

type CountedFiltersProps = {
  values: Readonly<Record<Name, string>>;
  set: (name: Name) => (value: string | null) => void;
};

/** The filters by what a run measured, when, and by which figure of the insights it is counted. */
export function CountedFilters({ values, set }: CountedFiltersProps) {
  return (
    <>
      {values.kind !== "" && <FilterText label="Kind" value={values.kind} onChange={set("kind")} />}
      <FilterText label="Metric" value={values.metric} onChange={set("metric")} />
      {values.template !== "" && <FilterText label="Template" value={values.template} onChange={set("template")} />}
      <FilterChoice label="Counted as" value={values.figure} options={figures} onChange={set("figure")} />
      <FilterTime label="From" value={values.from} onChange={set("from")} />
      <FilterTime label="To" value={values.to} onChange={set("to")} />
    </>
  );
}
