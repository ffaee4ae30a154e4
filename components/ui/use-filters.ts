"use client";

import { useDebouncedValue } from "@mantine/hooks";
import { parseAsString, useQueryStates } from "nuqs";

/** Keeps filters in the URL. `applied` follows typing with a debounce; requests to the server use it. */
export function useFilters<Name extends string>(names: readonly Name[]) {
  const [raw, setRaw] = useQueryStates(
    Object.fromEntries(names.map((name) => [name, parseAsString])) as Record<Name, typeof parseAsString>,
    { history: "replace", clearOnDefault: true },
  );
  const values = Object.fromEntries(names.map((name) => [name, raw[name] ?? ""])) as Record<Name, string>;
  const [applied] = useDebouncedValue(JSON.stringify(values), 250);
  const setMany = (next: Partial<Record<Name, string | null>>) => void setRaw(next as Parameters<typeof setRaw>[0]);
  return {
    values,
    applied: JSON.parse(applied) as Record<Name, string>,
    isFiltered: names.some((name) => values[name] !== ""),
    set: (name: Name) => (value: string | null) => setMany({ [name]: value } as Partial<Record<Name, string | null>>),
    setMany,
    clear: () => void setRaw(null),
    /** Takes parameters out of the address, such as those that the server does not know. */
    remove: (gone: readonly string[]) =>
      setMany(
        Object.fromEntries(names.filter((name) => gone.includes(name)).map((name) => [name, null])) as Partial<
          Record<Name, null>
        >,
      ),
  };
}
