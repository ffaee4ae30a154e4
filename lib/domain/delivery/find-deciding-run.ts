type Run = {
  phase: string;
  /** ISO 8601; null while it runs. */
  completedAt: string | null;
};

type State = { aborted: boolean; phase: string; attention: string | null };

/**
 * Of the analysis runs of a release the one that made its state, in words the place of it in `runs`, which come newest
 * first; -1 where none has ended. Broken releases were decided by what failed, those that wait on an Inconclusive one
 * by
 * that, also while a newer run measures again; all others stand where they stand since their newest run ended.
 */
export function findDecidingRun(runs: readonly Run[], { aborted, phase, attention }: State): number {
  const wanted =
    attention === "inconclusive"
      ? ["Inconclusive"]
      : aborted || phase === "Degraded"
        ? ["Failed Error", "Inconclusive"]
        : [];
  for (const phases of wanted) {
    const found = runs.findIndex((run) => phases.split(" ").includes(run.phase));
    if (found !== -1) return found;
  }
  const ended = runs.flatMap(({ completedAt }, index) => (completedAt === null ? [] : [{ at: completedAt, index }]));
  return (
    ended.toSorted((one, other) => Date.parse(other.at) - Date.parse(one.at) || one.index - other.index)[0]?.index ?? -1
  );
}
