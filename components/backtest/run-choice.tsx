"use client";

import { NativeSelect, Select, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import classes from "#components/backtest/backtest.module.css";
import type { BacktestSearch } from "#components/backtest/use-backtest-search.ts";
import { useRollouts } from "#lib/client/rollout-queries.ts";
import { useTemplates } from "#lib/client/template-queries.ts";

type RunChoiceProps = {
  search: BacktestSearch;
  /** Names of the metrics that can be chosen; undefined while they load. */
  metrics: readonly string[] | undefined;
};

/** Chooses the runs to replay: of a template or a rollout, one metric, a period. */
export function RunChoice({ search: { values, set }, metrics }: RunChoiceProps) {
  const { metric, from, to } = values;
  const known = metrics ?? [];
  const options = metric === null || known.includes(metric) ? known : [...known, metric];
  return (
    <search className={classes.choice}>
      <SourceChoice values={values} set={set} />
      <NativeSelect
        label="Metric"
        size="xs"
        value={metric ?? ""}
        data={[{ value: "", label: "Choose a metric" }, ...options]}
        onChange={(event) => void set({ metric: event.currentTarget.value || null })}
      />
      <div className={classes.period}>
        <TextInput
          type="date"
          label="From (UTC)"
          size="xs"
          value={from ?? ""}
          onChange={(event) => void set({ from: event.currentTarget.value || null })}
        />
        <TextInput
          type="date"
          label="To (UTC)"
          size="xs"
          value={to ?? ""}
          onChange={(event) => void set({ to: event.currentTarget.value || null })}
        />
      </div>
    </search>
  );
}

function SourceChoice({ values, set }: Pick<BacktestSearch, "values" | "set">) {
  const [typed, setTyped] = useState("");
  const [q] = useDebouncedValue(typed.trim(), 200);
  const templates = useTemplates({ q });
  const rollouts = useRollouts({ q });
  const chosen = keyOf(values);
  const groups = [
    {
      group: "Templates",
      items: (templates.items ?? [])
        .filter(({ kind }) => kind !== "MetricTemplate")
        .map(({ id }) => optionOf(`template ${id}`)),
    },
    { group: "Rollouts", items: (rollouts.items ?? []).map(({ id }) => optionOf(`rollout ${id}`)) },
  ];
  const isListed = groups.some(({ items }) => items.some(({ value }) => value === chosen));
  const data = chosen === null || isListed ? groups : [{ group: "Chosen", items: [optionOf(chosen)] }, ...groups];
  return (
    <Select
      label="Runs of"
      size="xs"
      searchable
      placeholder="A template or a rollout"
      value={chosen}
      data={data}
      onSearchChange={setTyped}
      // The server searches.
      filter={({ options }) => options}
      nothingFoundMessage="Nothing found"
      limit={60}
      onChange={(value) => {
        const [kind, id] = value?.split(" ") ?? [];
        void set({
          template: kind === "template" ? (id ?? null) : null,
          rollout: kind === "rollout" ? (id ?? null) : null,
          metric: null,
        });
      }}
    />
  );
}

function keyOf({ template, rollout }: BacktestSearch["values"]): string | null {
  if (template !== null) return `template ${template}`;
  return rollout === null ? null : `rollout ${rollout}`;
}

function optionOf(value: string): { value: string; label: string } {
  const [cluster = "", namespace = "", , name = ""] = value.slice(value.indexOf(" ") + 1).split("/");
  return { value, label: `${namespace === "-" ? "" : `${namespace}/`}${name} (${cluster})` };
}
