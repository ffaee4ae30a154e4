import type { Block, PreparedCourse } from "#components/releases/prepare-course.ts";
import type { Release } from "#lib/contract/rollout.ts";

type Started = Pick<Release, "startedAt"> & { rollout: Pick<Release["rollout"], "kind"> };

/** Finds the release of the same rollout that began before this one. */
export function findPrevious<Other extends Started>(others: readonly Other[], release: Started): Other | undefined {
  const startMs = Date.parse(release.startedAt);
  return others
    .filter(({ rollout, startedAt }) => rollout.kind === release.rollout.kind && Date.parse(startedAt) < startMs)
    .toSorted((one, other) => Date.parse(other.startedAt) - Date.parse(one.startedAt))[0];
}

/** Moves the blocks of another release to the start of this one, and cuts them at its end. */
export function moveToStart(
  { blocks, fromMs }: Pick<PreparedCourse, "blocks" | "fromMs">,
  axis: Pick<PreparedCourse, "fromMs" | "toMs">,
): Block[] {
  const shift = axis.fromMs - fromMs;
  return blocks
    .map((block) => ({
      ...block,
      fromMs: block.fromMs + shift,
      toMs: Math.min(axis.toMs, block.toMs + shift),
    }))
    .filter((block) => block.fromMs < axis.toMs);
}
