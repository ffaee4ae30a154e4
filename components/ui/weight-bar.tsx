import classes from "#components/ui/weight-bar.module.css";
import type { Weight } from "#lib/contract/rollout.ts";

type WeightBarProps = { weight: Weight | null; width?: number | string };

/** Shows traffic on the new version: the actual weight as the bar, the set weight as a tick on it. */
export function WeightBar({ weight, width = 72 }: WeightBarProps) {
  const set = weight?.set ?? null;
  const actual = weight?.actual ?? null;
  if (set === null && actual === null) return <span className={classes.words}>unknown</span>;
  return (
    <span className={classes.weight}>
      <span className={classes.bar} style={{ width }} aria-hidden="true">
        <span className={classes.actual} style={{ width: `${clamp(actual ?? 0)}%` }} />
        {set !== null && <span className={classes.set} style={{ left: `${clamp(set)}%` }} />}
      </span>
      <span className={classes.words}>{describeWeight({ set, actual })}</span>
    </span>
  );
}

/** Returns "40 %", or both numbers if they differ or one is unknown. */
export function describeWeight({ set, actual }: Weight): string {
  if (set === null) return `${actual} %`;
  if (actual === null) return `set ${set} %`;
  if (actual === set) return `${set} %`;
  return `${actual} %, set to ${set} %`;
}

function clamp(percent: number): number {
  return Math.min(100, Math.max(0, percent));
}
