type Run = {
  phase: string;
  /** ISO 8601; null while it runs. */
  completedAt: string | null;
};

type State = {
  aborted: boolean;
  phase: string;
  attention: string | null;
  /** A plugin's step failed the release: no run did. */
  isPluginFailed?: boolean;
};

/**
 * Finds the analysis run that caused a release's state, as its index in `runs`, which are newest first; -1 if none has
 * ended. A broken release was decided by the failed run. A release that waits on an Inconclusive run was decided by
 * that run, even while a newer one measures again. All others have been in their state since their newest run ended.
 */
export function findDecidingRun(
  runs: readonly Run[],
  { aborted, phase, attention, isPluginFailed = false }: State,
): number {
  if (aborted && isPluginFailed) return -1;
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
