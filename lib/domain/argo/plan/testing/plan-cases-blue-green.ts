import { endsWarning, type PlanCase, pause } from "#lib/domain/argo/plan/testing/plan-samples.ts";

const clear = 'status {"pauseConditions":null}';

export const blueGreenCases: PlanCase[] = [
  {
    name: "blue-green waiting",
    blueGreen: true,
    status: pause("BlueGreenPause"),
    plans: {
      continue: clear,
      "accept-step": "refused not_inconclusive",
      "measure-again": "refused not_inconclusive",
      abort: 'status {"abort":true}',
    },
    says: {
      continue: {
        effect:
          "Clears the pause: the new version new becomes active in place of old. Then old version scaled down after 30 s, no further analysis.",
      },
    },
  },
  {
    name: "blue-green waiting for a person, seconds given too",
    blueGreen: { autoPromotionEnabled: false, autoPromotionSeconds: 300 },
    status: pause("BlueGreenPause"),
    plans: { continue: clear },
  },
  {
    name: "blue-green, promotion timed",
    blueGreen: { autoPromotionSeconds: 300 },
    status: pause("BlueGreenPause"),
    plans: { continue: "refused timed_promotion", abort: 'status {"abort":true}' },
    says: {
      continue: {
        reason:
          "Its promotion is timed: clearing the pause only restarts the timer. It promotes by itself at 2026-11-20T10:05:00Z; use Promote fully to promote now.",
      },
    },
  },
  {
    name: "blue-green, promotion timed, start of the pause not known",
    blueGreen: { autoPromotionEnabled: true, autoPromotionSeconds: 300 },
    status: { controllerPause: true, pauseConditions: [{ reason: "BlueGreenPause" }] },
    plans: { continue: "refused timed_promotion" },
    says: {
      continue: {
        reason:
          "Its promotion is timed: clearing the pause only restarts the timer. It promotes by itself; use Promote fully to promote now.",
      },
    },
  },
  {
    name: "blue-green, promotion timed, paused by a person as well",
    blueGreen: { autoPromotionSeconds: 300 },
    paused: true,
    status: pause("BlueGreenPause"),
    plans: { continue: "refused timed_promotion" },
    says: {
      continue: {
        reason:
          "Its promotion is timed: clearing the pause only restarts the timer. It promotes by itself at 2026-11-20T10:05:00Z, or once it is unpaused; use Promote fully to promote now.",
      },
    },
  },
  {
    name: "blue-green, promotion timed, an Inconclusive pause whose run the status no longer names",
    blueGreen: { autoPromotionSeconds: 300 },
    status: pause("BlueGreenPause", "InconclusiveAnalysisRun"),
    plans: { continue: "refused would_waive", "continue-waive": clear },
    says: {
      "continue-waive": {
        effect: "Clears the Inconclusive pause (the status no longer names its run): its promotion timer restarts.",
      },
    },
  },
  {
    name: "blue-green, pre-promotion run Inconclusive",
    blueGreen: true,
    status: {
      ...pause("InconclusiveAnalysisRun"),
      blueGreen: { prePromotionAnalysisRunStatus: { name: "pre", status: "Inconclusive" } },
    },
    plans: {
      continue: "refused inconclusive",
      "accept-step": "refused not_inconclusive",
      "measure-again": clear,
      "continue-waive": "refused inconclusive",
    },
  },
  {
    name: "blue-green, pre-promotion run Inconclusive and BlueGreenPause",
    blueGreen: true,
    status: {
      ...pause("BlueGreenPause", "InconclusiveAnalysisRun"),
      blueGreen: { prePromotionAnalysisRunStatus: { name: "pre", status: "Inconclusive" } },
    },
    plans: { continue: "refused inconclusive", "measure-again": clear },
  },
  {
    name: "blue-green, post-promotion run Inconclusive",
    blueGreen: true,
    status: {
      ...pause("InconclusiveAnalysisRun"),
      blueGreen: { postPromotionAnalysisRunStatus: { name: "post", status: "Inconclusive" } },
    },
    plans: { continue: "refused inconclusive", "measure-again": clear, abort: 'status {"abort":true}' },
  },
  {
    name: "blue-green, pre-promotion run successful, post-promotion run running",
    blueGreen: true,
    status: {
      blueGreen: {
        prePromotionAnalysisRunStatus: { name: "pre", status: "Successful" },
        postPromotionAnalysisRunStatus: { name: "post", status: "Running" },
      },
    },
    plans: { abort: 'status {"abort":true}' },
    says: { abort: { warnings: [endsWarning("run post")] } },
  },
];
