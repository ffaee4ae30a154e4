import { describe, expect, it } from "vitest";
import type { ProjectionView, RolloutProjection } from "#lib/domain/argo/history/rollout-projection.ts";
import type { UnaskedChange } from "#lib/domain/oversight/provider-reports.ts";
import { findUnaskedChanges } from "./find-unasked-changes.ts";
import { stableProjection } from "./testing/sample-observations.ts";

const view: ProjectionView = {
  phase: "Paused",
  message: "",
  strategy: "Canary",
  revision: 2,
  step: 1,
  stepCount: 4,
  stepText: "pause",
  stepWaitsForPerson: true,
  weight: 20,
  images: ["shop:1"],
  abortedAt: null,
  specObserved: true,
  restartAt: null,
};
type Change = Partial<Omit<RolloutProjection, "view">> & { view?: Partial<ProjectionView> };

function projection(change: Change = {}): RolloutProjection {
  return {
    ...stableProjection,
    ...{ uid: "u-1", template: "t-2", currentPodHash: "new", stableRS: "old", currentStepIndex: 1 },
    ...change,
    view: { ...view, ...change.view },
  };
}

const waits = (...reasons: string[]): Change => ({
  controllerPause: true,
  pauseConditions: reasons.map((reason) => ({ reason, startTime: "2026-11-20T10:00:00Z" })),
});
const stepRun = (phase: string) => ({ stepAnalysis: { name: "run-1", phase } });
const related: Change = { template: null, workloadRef: "apps/v1/Deployment/api" };
const timed = { view: { stepWaitsForPerson: false } };
const aborted = { abort: true, currentStepIndex: 0 };
const stamped = (message: string): Change => ({ ...aborted, view: { abortedAt: "2026-11-20T11:00:00Z", message } });

type Case = {
  name: string;
  from?: Change;
  to: Change;
  writer?: string | null;
  templateWriter?: string;
  expected: string[];
};
const cases: Case[] = [
  { name: "nothing happened", to: {}, expected: [] },
  {
    name: "the abort flag before the controller stamps it",
    to: { abort: true },
    writer: "kubectl-argo-rollouts",
    expected: ["abort by kubectl-argo-rollouts"],
  },
  {
    name: "the flag beside the stamp of an earlier abort",
    from: { view: { abortedAt: "2026-11-19T00:00:00Z" } },
    to: { abort: true, view: { abortedAt: "2026-11-19T00:00:00Z" } },
    writer: "kubectl",
    expected: ["abort by kubectl"],
  },
  {
    name: "flag and stamp at once, no cause given",
    to: stamped("RolloutAborted: Rollout aborted update to revision 2"),
    writer: "rollouts-controller",
    expected: ["abort by unknown"],
  },
  {
    name: "aborted by the controller for a failed analysis",
    to: stamped("RolloutAborted: Rollout aborted update to revision 2: Step-based analysis phase error/failed: boom"),
    writer: "rollouts-controller",
    expected: [],
  },
  {
    name: "aborted by the controller for its deadline",
    to: stamped('RolloutAborted: Rollout aborted update to revision 2: ReplicaSet "a" has timed out progressing.'),
    writer: "rollouts-controller",
    expected: [],
  },
  {
    name: "retry",
    from: aborted,
    to: { abort: false, currentStepIndex: 0 },
    writer: "kubectl",
    expected: ["retry by kubectl"],
  },
  {
    name: "an abort that a new template ended",
    from: aborted,
    to: { template: "t-3", currentPodHash: "newer" },
    writer: "kubectl",
    expected: [],
  },
  {
    name: "an abort that full promotion ended",
    from: { ...aborted, promoteFull: true },
    to: { abort: false },
    expected: [],
  },
  {
    name: "an abort that was dropped since it is stable",
    from: { ...aborted, stableRS: "new" },
    to: { stableRS: "new" },
    expected: [],
  },
  { name: "full promotion", to: { promoteFull: true }, writer: "kubectl", expected: ["promote-full by kubectl"] },
  { name: "paused", to: { paused: true }, writer: "kubectl-edit", expected: ["pause by kubectl-edit"] },
  {
    name: "unpaused",
    from: { paused: true },
    to: {},
    writer: "argocd-controller",
    expected: ["unpause by argocd-controller"],
  },
  {
    name: "restarted",
    to: { view: { restartAt: "2026-11-20T12:00:00Z" } },
    writer: "kubectl",
    expected: ["restart by kubectl"],
  },
  {
    name: "a restart that was not recorded before",
    from: { view: { restartAt: undefined as never } },
    to: { view: { restartAt: "2026-11-20T12:00:00Z" } },
    expected: [],
  },
  {
    name: "the pause was cleared, which leaves no trace",
    from: waits("CanaryPauseStep"),
    to: { controllerPause: true },
    writer: "rollouts-controller",
    expected: ["continue by unknown"],
  },
  {
    name: "the pause was cleared and the controller went on before we looked",
    from: waits("CanaryPauseStep"),
    to: { currentStepIndex: 2 },
    writer: "rollouts-controller",
    expected: ["continue by unknown"],
  },
  {
    name: "a timed pause that ended",
    from: { ...waits("CanaryPauseStep"), ...timed },
    to: { currentStepIndex: 2 },
    writer: "rollouts-controller",
    expected: [],
  },
  {
    name: "a timed pause that was cut short",
    from: { ...waits("CanaryPauseStep"), ...timed },
    to: { controllerPause: true },
    expected: ["continue by unknown"],
  },
  {
    name: "blue-green: the pause was cleared",
    from: waits("BlueGreenPause"),
    to: { controllerPause: true },
    expected: ["continue by unknown"],
  },
  {
    name: "blue-green: autoPromotionSeconds passed",
    from: waits("BlueGreenPause"),
    to: { controllerPause: false },
    writer: "rollouts-controller",
    expected: [],
  },
  {
    name: "an Inconclusive step was accepted",
    from: { ...waits("InconclusiveAnalysisRun"), ...stepRun("Inconclusive") },
    to: { currentStepIndex: 2 },
    writer: "kubectl-argo-rollouts",
    expected: ["accept-step by kubectl-argo-rollouts"],
  },
  {
    name: "an Inconclusive step is measured again",
    from: { ...waits("InconclusiveAnalysisRun"), ...stepRun("Inconclusive") },
    to: { controllerPause: true, ...stepRun("Inconclusive") },
    expected: ["measure-again by unknown"],
  },
  {
    name: "an Inconclusive background run was waived",
    from: { ...waits("InconclusiveAnalysisRun"), backgroundAnalysis: { name: "b", phase: "Inconclusive" } },
    to: { controllerPause: true },
    expected: ["continue-waive by unknown"],
  },
  {
    name: "an Inconclusive pre-promotion run is measured again",
    from: { ...waits("InconclusiveAnalysisRun"), prePromotionAnalysis: { name: "p", phase: "Inconclusive" } },
    to: { controllerPause: true },
    expected: ["measure-again by unknown"],
  },
  {
    name: "an Inconclusive pause that did not hold: promoting, the controller clears it",
    from: { ...waits("InconclusiveAnalysisRun"), backgroundAnalysis: { name: "b", phase: "Inconclusive" } },
    to: { currentStepIndex: 4, stableRS: "new" },
    writer: "rollouts-controller",
    expected: [],
  },
  {
    name: "one pause more",
    from: waits("CanaryPauseStep"),
    to: waits("CanaryPauseStep", "InconclusiveAnalysisRun"),
    writer: "rollouts-controller",
    expected: [],
  },
  { name: "the controller completed a step", to: { currentStepIndex: 2 }, writer: "rollouts-controller", expected: [] },
  { name: "a step passed and nobody knows by whom", to: { currentStepIndex: 2 }, expected: [] },
  {
    name: "a step was skipped",
    to: { currentStepIndex: 2 },
    writer: "kubectl-argo-rollouts",
    expected: ["skip-step by kubectl-argo-rollouts, 2 to 2"],
  },
  {
    name: "all steps were skipped",
    to: { currentStepIndex: 4 },
    writer: "kubectl-argo-rollouts",
    expected: ["skip-all by kubectl-argo-rollouts, 2 to 4"],
  },
  {
    name: "two steps were skipped from a pause, which a patch does not have to clear",
    from: waits("CanaryPauseStep"),
    to: { ...waits("CanaryPauseStep"), currentStepIndex: 3 },
    writer: "kubectl-patch",
    expected: ["skip-step by kubectl-patch, 2 to 3"],
  },
  {
    name: "two steps were skipped from a pause that was cleared",
    from: waits("CanaryPauseStep"),
    to: { currentStepIndex: 3 },
    writer: "kubectl-patch",
    expected: ["skip-step by kubectl-patch, 2 to 3"],
  },
  {
    name: "two steps were skipped from an Inconclusive step",
    from: { ...waits("InconclusiveAnalysisRun"), ...stepRun("Inconclusive") },
    to: { currentStepIndex: 3 },
    writer: "kubectl-patch",
    expected: ["skip-step by kubectl-patch, 2 to 3"],
  },
  {
    name: "a pause was cleared and the controller went on two steps before we looked",
    from: waits("CanaryPauseStep"),
    to: { currentStepIndex: 3 },
    writer: "rollouts-controller",
    expected: ["continue by unknown"],
  },
  {
    name: "a new template that was never seen",
    to: { template: "t-3", currentPodHash: "newer", currentStepIndex: 0 },
    writer: "kubectl",
    expected: [],
  },
  {
    name: "back to a former pod hash, by a template that is written otherwise",
    to: { template: "t-1-with-defaults", currentPodHash: "former", currentStepIndex: 0 },
    writer: "rollouts-controller",
    templateWriter: "kubectl-argo-rollouts",
    expected: ["undo by kubectl-argo-rollouts, back to revision 1"],
  },
  {
    name: "another text of the same template: the controller computes the same hash",
    to: { template: "t-2-with-defaults" },
    writer: "kubectl-client-side-apply",
    expected: [],
  },
  {
    name: "back to a former pod hash whose number was not seen",
    to: { template: "t-0", currentPodHash: "unnumbered", currentStepIndex: 0 },
    expected: ["undo by unknown, back to shop:1"],
  },
  {
    name: "a status that was wiped and comes back",
    from: { currentPodHash: "" },
    to: { currentPodHash: "former" },
    expected: [],
  },
  {
    name: "a workload beside it is set back to a former template",
    from: { ...related, currentPodHash: "new" },
    to: { ...related, currentPodHash: "former", currentStepIndex: 4 },
    writer: "rollouts-controller",
    expected: ["undo by unknown, back to revision 1"],
  },
  {
    name: "a workload beside it has a new template",
    from: { ...related, currentPodHash: "new" },
    to: { ...related, currentPodHash: "newer", currentStepIndex: 0 },
    writer: "rollouts-controller",
    expected: [],
  },
  {
    name: "pauses that a new template reset",
    from: waits("CanaryPauseStep"),
    to: { template: "t-3", currentPodHash: "newer", currentStepIndex: 0 },
    writer: "kubectl",
    expected: [],
  },
  {
    name: "accepted and unpaused at once",
    from: { ...waits("InconclusiveAnalysisRun"), ...stepRun("Inconclusive"), paused: true },
    to: { currentStepIndex: 2 },
    writer: "kubectl-argo-rollouts",
    expected: ["unpause by kubectl-argo-rollouts", "accept-step by kubectl-argo-rollouts"],
  },
  { name: "another object of the same name", to: { uid: "u-2", paused: true }, writer: "kubectl", expected: [] },
  { name: "deleted", to: { paused: true, view: { isDeleted: true } }, writer: "kubectl", expected: [] },
];

function describeChange({ action, client, skipped, backTo }: UnaskedChange): string {
  const steps = skipped === undefined ? "" : `, ${skipped.first} to ${skipped.last}`;
  const number = backTo?.revision ?? null;
  const back = backTo === undefined ? "" : `, back to ${number === null ? backTo.images.join() : `revision ${number}`}`;
  return `${action} by ${client ?? "unknown"}${steps}${back}`;
}

describe("findUnaskedChanges", () => {
  it.each(cases)("$name", ({ from = {}, to, writer = null, templateWriter = null, expected }) => {
    const changes = findUnaskedChanges({
      previous: projection(from),
      next: projection(to),
      writer,
      former: new Map([
        ["former", 1],
        ["unnumbered", null],
      ]),
      templateWriter,
    });
    expect(changes.map(describeChange)).toEqual(expected);
  });
});
