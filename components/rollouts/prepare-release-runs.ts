import type { AnalysisPhase } from "#lib/contract/common.ts";
import type { MetricEvidence } from "#lib/contract/evidence.ts";
import type { CurrentRun, ReleaseRun, RolloutDetail } from "#lib/contract/rollout.ts";

export type ShownRun = {
  name: string;
  /** Undefined until the recorder has seen it. */
  uid: string | undefined;
  title: string;
  phase: AnalysisPhase;
  message: string;
  startedAt: string | null;
  endedAt: string | null;
  /** Its role in the current state. */
  note: string | undefined;
  /** The recorded measurements do not support its verdict. */
  isContradicted: boolean;
  /** Its charts are shown by default. */
  isOpen: boolean;
  /** Its deciding metric is at the top of the page, with the link to it: not a second time below. */
  isCharted: boolean;
};

type Runs = Pick<RolloutDetail, "currentRuns" | "releaseRuns" | "phase" | "aborted" | "attention" | "evidence">;

/** Finds the metric to chart next to the buttons: the first that does not pass, while the rollout waits. */
export function findDecidingMetric({
  attention,
  evidence,
}: Pick<RolloutDetail, "attention" | "evidence">): MetricEvidence | undefined {
  return attention === null ? undefined : evidence.find(({ phase }) => phase !== "Successful");
}

/**
 * Lists the analysis runs of the rollout's current release: first the one that led to its state, then those that the
 * status names, then the others, newest first. Also works after an abort and at a gate, when the status names none.
 */
export function prepareReleaseRuns(rollout: Runs): ShownRun[] {
  const { currentRuns, releaseRuns, phase } = rollout;
  const charted = findDecidingMetric(rollout);
  const shown = releaseRuns.map((run) => {
    const current = currentRuns.find(({ uid }) => uid === run.uid);
    const isDeciding = run.decided && phase !== "Healthy";
    const isCharted = run.uid === charted?.runUid && !run.contradiction;
    return {
      rank: isDeciding ? 0 : current === undefined ? 2 : 1,
      run: {
        ...factsOf(run),
        uid: run.uid,
        title: current === undefined ? titleOf(run) : roleTitles[current.role],
        startedAt: run.startedAt,
        endedAt: run.completedAt,
        note: isDeciding ? noteOf(run, rollout) : noteWhileWaiting(run, rollout),
        isContradicted: run.contradiction,
        isOpen: run.contradiction || (!isCharted && (isDeciding || current !== undefined)),
        isCharted,
      },
    };
  });
  const known = new Set(releaseRuns.map(({ uid }) => uid));
  const others = currentRuns
    .filter(({ uid }) => uid === null || !known.has(uid))
    .map((run) => ({
      rank: 1,
      run: {
        ...factsOf(run),
        uid: run.uid ?? undefined,
        title: roleTitles[run.role],
        startedAt: null,
        endedAt: null,
        note: undefined,
        isContradicted: false,
        isOpen: true,
        isCharted: false,
      },
    }));
  return [...others, ...shown].toSorted((one, other) => one.rank - other.rank).map(({ run }) => run);
}

function factsOf({ name, phase, message }: CurrentRun | ReleaseRun): Pick<ShownRun, "name" | "phase" | "message"> {
  return { name, phase, message };
}

const roleTitles: Record<CurrentRun["role"], string> = {
  step: "Analysis of this step",
  background: "Background analysis",
  prePromotion: "Analysis before promotion",
  postPromotion: "Analysis after promotion",
};

function titleOf({ type, stepIndex }: ReleaseRun): string {
  switch (type) {
    case "Step":
      return stepIndex === null ? "Analysis of a step" : `Analysis of step ${stepIndex + 1}`;
    case "Background":
      return roleTitles.background;
    case "PrePromotion":
      return roleTitles.prePromotion;
    case "PostPromotion":
      return roleTitles.postPromotion;
    case "Release":
      return "Analysis by the controller";
    default:
      return "Analysis";
  }
}

/** Flagger measures on while it waits for an approval. */
function noteWhileWaiting({ type, phase }: ReleaseRun, { attention }: Runs): string | undefined {
  const isMeasuring = type === "Release" && phase === "Running";
  return isMeasuring && attention?.reason === "gate" ? "checks continue while it waits" : undefined;
}

function noteOf({ phase }: ReleaseRun, { aborted, attention }: Runs): string | undefined {
  if (phase === "Inconclusive" && attention?.reason === "inconclusive") return "blocking the rollout";
  if (aborted && (phase === "Failed" || phase === "Error")) return "caused the abort";
  return undefined;
}
