import { parseAsIsoDateTime, useQueryStates } from "nuqs";
import type { AskedZoom } from "#components/charts/run-charts.tsx";

const parsers = { from: parseAsIsoDateTime, to: parseAsIsoDateTime };

/** Keeps in the URL which part of the time the charts of a run show, so that a link shows the same. */
export function useChartZoom(): AskedZoom {
  const [{ from, to }, set] = useQueryStates(parsers, { history: "replace", throttleMs: 300 });
  return {
    from: from?.getTime(),
    to: to?.getTime(),
    onZoom: (zoom) =>
      void set(
        zoom === undefined
          ? { from: null, to: null }
          : { from: new Date(Math.floor(zoom[0])), to: new Date(Math.ceil(zoom[1])) },
      ),
  };
}
