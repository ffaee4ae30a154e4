/** One observation's facts about the traffic that the strategy requests. */
export type WeightPoint = {
  /** ISO 8601, as observed. */
  at: string;
  /** `currentPodHash`: the revision that was being rolled out then. */
  podHash: string;
  /** Completed steps. */
  step: number | null;
  weight: number | null;
  abort: boolean;
};

type Weight = { at: string; weight: number };

/**
 * Clips the set weight to the time of an analysis run, oldest first. Only the run's own revision counts: the
 * observation before it belongs to the previous release, which was at 100 %. A step's run begins with the weight of
 * that step, which is that of the last setWeight before it (utils/rollout GetCurrentSetWeight), even if the first
 * observation came late. After that only an abort can change it.
 */
export function clipWeights({
  run: { podHash, stepIndex, startedAt, completedAt },
  points,
  steps,
}: {
  run: { podHash: string; stepIndex: number | null; startedAt: string; completedAt: string | null };
  /** Oldest first. */
  points: readonly WeightPoint[];
  /** The rollout's present steps, for a step that was not observed. */
  steps: readonly { setWeight?: number | undefined }[];
}): Weight[] {
  const start = Date.parse(startedAt);
  const end = completedAt === null ? Number.POSITIVE_INFINITY : Date.parse(completedAt);
  const own = points.filter((point) => point.podHash === podHash && Date.parse(point.at) <= end);
  const inForce = own.findLast(({ at, weight }) => Date.parse(at) <= start && weight !== null)?.weight ?? null;
  const first = stepIndex === null ? inForce : (findStepWeight(own, stepIndex) ?? lastSetWeight(steps, stepIndex));
  const later = own.filter(({ at, step, abort }) => {
    return Date.parse(at) > start && (stepIndex === null || abort || step === stepIndex);
  });
  const weights: Weight[] = [
    ...(first === null ? [] : [{ at: startedAt, weight: first }]),
    ...later.flatMap(({ at, weight }) => (weight === null ? [] : [{ at, weight }])),
  ];
  return weights.filter(({ weight }, index) => weight !== weights[index - 1]?.weight);
}

function findStepWeight(points: readonly WeightPoint[], stepIndex: number): number | undefined {
  return points.find(({ step, abort, weight }) => step === stepIndex && !abort && weight !== null)?.weight ?? undefined;
}

function lastSetWeight(steps: readonly { setWeight?: number | undefined }[], stepIndex: number): number {
  return steps.slice(0, stepIndex + 1).findLast(({ setWeight }) => setWeight !== undefined)?.setWeight ?? 0;
}
