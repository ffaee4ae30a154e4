import { parseAsBoolean, parseAsIsoDateTime, parseAsString, useQueryStates } from "nuqs";

const parsers = {
  left: parseAsString,
  right: parseAsString,
  /** The Job of an analysis run whose pods can be chosen too. */
  job: parseAsString,
  container: parseAsString,
  previous: parseAsBoolean.withDefault(false),
  follow: parseAsBoolean.withDefault(true),
  times: parseAsBoolean.withDefault(true),
  /** By default on a narrow screen only. */
  wrap: parseAsBoolean,
  find: parseAsString.withDefault(""),
  only: parseAsBoolean.withDefault(false),
  /** The moment that the lines are about, instead of the newest. */
  at: parseAsIsoDateTime,
};

/** Keeps in the URL which lines are shown and how. */
export function useLogView() {
  const [view, set] = useQueryStates(parsers, { history: "replace" });
  return { view, set };
}

export type LogView = ReturnType<typeof useLogView>["view"];
export type SetLogView = ReturnType<typeof useLogView>["set"];
