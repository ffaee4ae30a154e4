"use client";

import { FilterChoice, FilterText } from "#components/ui/filter-bar.tsx";
import { runFigures } from "#lib/domain/insights/figures.ts";

const figures = Object.entries(runFigures).map(([value, label]) => ({ value, label }));

type Name = "kind" | "ofTemplate" | "figure";

type CountedFiltersProps = {
  values: Readonly<Record<Name, string>>;
  set: (name: Name) => (value: string | null) => void;
};

/** The filters by the figure of the insights that counts a run. Two are set by links only, and can be removed. */
export function CountedFilters({ values, set }: CountedFiltersProps) {
  return (
    <>
      {values.kind !== "" && <FilterText label="Kind" value={values.kind} onChange={set("kind")} />}
      {values.ofTemplate !== "" && (
        <FilterText label="Metrics of" value={values.ofTemplate} onChange={set("ofTemplate")} />
      )}
      <FilterChoice label="Counted as" value={values.figure} options={figures} onChange={set("figure")} />
    </>
  );
}
