import type { SeriesDetail } from "#components/charts/use-series-in-view.ts";
import type { LeftOut } from "#lib/contract/analysis-run.ts";
import { formatCount } from "#lib/util/words.ts";

type Drawn = {
  /** Undefined if nothing is left out. */
  leftOut: Pick<LeftOut, "count" | "unsuccessful"> | undefined;
  /** Measurements that are drawn. */
  drawn: number;
  /** Undefined if zooming loads nothing. */
  detail: SeriesDetail | undefined;
};

/**
 * Describes what a chart leaves out. `warning` is about unsuccessful measurements: readers must never overlook that
 * these are not drawn.
 */
export function describeLeftOut({ leftOut, drawn, detail }: Drawn): { note: string; warning?: string } | undefined {
  if (leftOut === undefined) return detail === "part" ? { note: "All measurements in view are drawn." } : undefined;
  const { count, unsuccessful } = leftOut;
  const where = detail === "part" ? " in view" : "";
  const all = formatCount(drawn + count);
  const kept = `${formatCount(drawn)} of ${all} measurements${where} are drawn`;
  const note = `${kept}: the first, last, least and greatest of each stretch${unsuccessful === 0 ? ", and all that were not successful" : ""}. ${howToSeeMore(detail)}`;
  if (unsuccessful === 0) return { note };
  const one = unsuccessful === 1;
  const words = `${formatCount(unsuccessful)} ${one ? "measurement" : "measurements"}${where}`;
  return {
    note,
    warning: `${words} that ${one ? "was" : "were"} not successful ${one ? "is" : "are"} not drawn: too many lie close together.`,
  };
}

function howToSeeMore(detail: SeriesDetail | undefined): string {
  switch (detail) {
    case undefined:
      return "The run's table has all of them.";
    case "loading":
      return "Loading those in view.";
    case "failed":
      return "Those in view could not be loaded. The run's table has all of them.";
    default:
      return "Zoom in to see more; the run's table has all of them.";
  }
}
