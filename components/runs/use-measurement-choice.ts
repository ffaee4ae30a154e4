import { parseAsStringLiteral, useQueryStates } from "nuqs";
import type { MeasurementChoice } from "#lib/client/run-page-queries.ts";

const parsers = {
  only: parseAsStringLiteral(["unsuccessful"]),
  order: parseAsStringLiteral(["asc", "desc"]),
};

/** Keeps in the URL which measurements the tables of a run show. While it runs, the newest are first. */
export function useMeasurementChoice(isRunning: boolean) {
  const [{ only, order }, set] = useQueryStates(parsers, { history: "replace" });
  const usual = isRunning ? "desc" : "asc";
  const choice: MeasurementChoice = { only, order: order ?? usual };
  return {
    choice,
    setOnly: (isOnly: boolean) => void set({ only: isOnly ? "unsuccessful" : null }),
    setOrder: (next: "asc" | "desc") => void set({ order: next === usual ? null : next }),
  };
}
