"use client";

import { FilterChoice } from "#components/ui/filter-bar.tsx";
import { useClusters } from "#lib/client/system-queries.ts";

type ClusterChoiceProps = { value: string; onChange: (value: string | null) => void };

export function ClusterChoice({ value, onChange }: ClusterChoiceProps) {
  const clusters = useClusters().data?.items ?? [];
  const options = clusters.map(({ name }) => ({ value: name, label: name }));
  return <FilterChoice label="Cluster" value={value} options={options} onChange={onChange} />;
}
