"use client";

import { FilterChoice, FilterText } from "#components/ui/filter-bar.tsx";
import { FilterSpan } from "#components/ui/filter-time.tsx";
import { releaseFigures } from "#lib/domain/insights/figures.ts";

const states = [
  { value: "aborted", label: "aborted" },
  { value: "promoted", label: "promoted" },
  { value: "paused", label: "paused" },
  { value: "progressing", label: "progressing" },
  { value: "superseded", label: "superseded" },
  { value: "unknown", label: "unknown" },
];

const figures = Object.entries(releaseFigures).map(([value, label]) => ({ value, label }));

type Name = "state" | "version" | "person" | "last" | "from" | "to" | "kind" | "figure" | "waitHour" | "timeZone";

type ReleaseFiltersProps = {
  values: Readonly<Record<Name, string>>;
  set: (name: Name) => (value: string | null) => void;
  setMany: (values: Partial<Record<Name, string | null>>) => void;
};

/** Filters releases by outcome, figure, waiting hour, kind, version, person and start. */
export function ReleaseFilters({ values, set, setMany }: ReleaseFiltersProps) {
  return (
    <>
      <FilterChoice label="Outcome" value={values.state} options={states} onChange={set("state")} />
      <FilterChoice label="Counted as" value={values.figure} options={figures} onChange={set("figure")} />
      {values.waitHour !== "" && (
        <FilterText
          label={values.timeZone === "" ? "Waited from hour" : `Waited from hour, ${values.timeZone}`}
          value={values.waitHour}
          onChange={set("waitHour")}
        />
      )}
      {values.kind !== "" && <FilterText label="Kind" value={values.kind} onChange={set("kind")} />}
      <FilterText label="Version" value={values.version} onChange={set("version")} />
      <FilterText label="Person" value={values.person} onChange={set("person")} />
      <FilterSpan label="Began" values={values} onChange={setMany} />
    </>
  );
}
