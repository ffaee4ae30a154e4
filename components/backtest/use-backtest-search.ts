"use client";

import { useDebouncedValue } from "@mantine/hooks";
import { parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { ruleFields } from "#components/backtest/rule-fields.ts";
import type { BacktestBody } from "#lib/client/backtest-queries.ts";
import type { ProposableField } from "#lib/domain/delivery/backtest.ts";

export const shownRuns = ["all", "changed", "undecided"] as const;
export type ShownRuns = (typeof shownRuns)[number];

const search = {
  rollout: parseAsString,
  template: parseAsString,
  metric: parseAsString,
  from: parseAsString,
  to: parseAsString,
  show: parseAsStringLiteral(shownRuns).withDefault("all"),
  ...(Object.fromEntries(ruleFields.map(({ name }) => [name, parseAsString])) as Record<
    ProposableField,
    typeof parseAsString
  >),
};

/** Keeps the whole back-test in the URL. A rule that is absent stays as recorded; an empty one is removed. */
export function useBacktestSearch() {
  const [values, set] = useQueryStates(search, { history: "replace" });
  const [applied] = useDebouncedValue(JSON.stringify(bodyOf(values) ?? null), 400);
  const body = (JSON.parse(applied) as BacktestBody | null) ?? undefined;
  return { values, set, body, changed: ruleFields.filter(({ name }) => values[name] !== null).length };
}

export type BacktestSearch = ReturnType<typeof useBacktestSearch>;

type Values = Record<"rollout" | "template" | "metric" | "from" | "to" | ProposableField, string | null>;

function bodyOf(values: Values): BacktestBody | undefined {
  const { rollout, template, metric, from, to } = values;
  if (metric === null || (rollout === null && template === null)) return undefined;
  const proposal: Record<string, string | null> = {};
  for (const { name } of ruleFields) {
    const value = values[name];
    if (value !== null) proposal[name] = value.trim() === "" ? null : value.trim();
  }
  return {
    metric,
    filter: {
      ...(rollout === null ? {} : { rollout }),
      ...(template === null ? {} : { template }),
      ...(isDate(from) ? { from: `${from}T00:00:00Z` } : {}),
      ...(isDate(to) ? { to: dayAfter(to) } : {}),
    },
    proposal,
  };
}

function isDate(text: string | null): text is string {
  return text !== null && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));
}

/** The last day is included. */
function dayAfter(date: string): string {
  return new Date(Date.parse(date) + 24 * 3600 * 1000).toISOString();
}
