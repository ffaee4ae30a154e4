import type { Domain } from "#components/charts/chart-scale.ts";
import classes from "#components/charts/charts.module.css";
import type { Plot } from "#components/charts/plot.ts";
import { useCursorTime } from "#components/charts/use-chart-cursor.ts";

/** Marks the cursor's time on a layer of its own, so that a moving pointer does not redraw the chart. */
export function CursorLine({ plot, timeDomain }: { plot: Plot; timeDomain: Domain }) {
  const atMs = useCursorTime();
  if (atMs === undefined || atMs < timeDomain[0] || atMs > timeDomain[1]) return null;
  return (
    <svg className={classes.overlay} width={plot.width} height={plot.height} aria-hidden="true">
      <path d={`M${plot.x(atMs)} ${plot.top}V${plot.bottom}`} stroke="var(--gh-border-strong)" strokeDasharray="2 3" />
    </svg>
  );
}
