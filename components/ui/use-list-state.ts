"use client";

import { useDebouncedValue } from "@mantine/hooks";
import { parseAsString, useQueryStates } from "nuqs";
import { useFilters } from "#components/ui/use-filters.ts";
import type { SavedList } from "#lib/contract/saved-view.ts";

/** The state of a list, kept only in the address, with its setters. */
export type ListState = {
  list: SavedList;
  /** Filters as typed; empty if not set. */
  values: Readonly<Record<string, string>>;
  /** The filters and the order sent to the server, a moment after the typing. */
  applied: Readonly<Record<string, string>>;
  isFiltered: boolean;
  clear: () => void;
  /** Takes parameters out of the address, such as those that the server does not know. */
  remove: (names: readonly string[]) => void;
  /** The order in effect, such as `-startedAt`. */
  sort: string;
  setSort: (sort: string) => void;
  /** Keys of the columns that the address names; undefined if it names none. */
  columns: readonly string[] | undefined;
  setColumns: (keys: readonly string[] | null) => void;
  /** Id of the saved view that was opened. */
  viewId: string | null;
  /** Filters, order and columns as a query without the question mark, in a fixed order. */
  query: string;
};

/** The same with the list's own filters by name, for its filter bar. */
export type ListFilters<Name extends string> = ListState & {
  values: Readonly<Record<Name, string>>;
  set: (name: Name) => (value: string | null) => void;
  setMany: (values: Partial<Record<Name, string | null>>) => void;
};

type Options<Name extends string> = {
  list: SavedList;
  filters: readonly Name[];
  /** The order without a choice. */
  usualSort: string;
};

const sortParser = { sort: parseAsString, columns: parseAsString, view: parseAsString };

/** Keeps filters, order, columns and the opened view of a list in the address. */
export function useListState<Name extends string>({ list, filters, usualSort }: Options<Name>): ListFilters<Name> {
  const { values, isFiltered, set, setMany, clear, remove } = useFilters(filters);
  const [shown, setShown] = useQueryStates(sortParser, { history: "replace", clearOnDefault: true });
  const sort = shown.sort ?? usualSort;
  const asked = Object.fromEntries(
    [...Object.entries<string>(values), ["sort", sort] as const].filter(([, value]) => value !== ""),
  );
  const [text] = useDebouncedValue(JSON.stringify(asked), 250);
  return {
    list,
    values,
    applied: JSON.parse(text) as Record<string, string>,
    isFiltered,
    set,
    setMany,
    clear,
    remove: (names) => {
      remove(names);
      if (names.includes("sort")) void setShown({ sort: null });
    },
    sort,
    setSort: (next) => void setShown({ sort: next === usualSort ? null : next }),
    columns: shown.columns === null ? undefined : shown.columns.split(","),
    setColumns: (keys) => void setShown({ columns: keys === null ? null : keys.join(",") }),
    viewId: shown.view,
    query: formatViewQuery({ ...values, sort: shown.sort ?? "", columns: shown.columns ?? "" }),
  };
}

/** Formats parameters as a query in a fixed order, so that queries can be compared; empty parameters are left out. */
export function formatViewQuery(parameters: Readonly<Record<string, string>>): string {
  const given = Object.entries(parameters).filter(([name, value]) => value !== "" && name !== "view");
  return new URLSearchParams(given.toSorted(([one], [other]) => (one < other ? -1 : 1))).toString();
}
