/**
 * Facts that a Canary's own status lacks, from stored observations, events and samples. Every field is optional: a
 * missing one is unknown, which does not mean that nothing happened.
 */
export type CanaryHistory = {
  /** The last phase that differs from the current one, as Flagger wrote it. */
  previousPhase?: string;
  /**
   * While Failed: `lastAppliedSpec` as it was when the phase became Failed. Flagger overwrites it at each check
   * (shouldAdvance in pkg/controller/scheduler.go), and can lose a revision by that.
   */
  previousAppliedSpec?: string;
  /** While Failed: whole intervals since `lastAppliedSpec` began to differ from `previousAppliedSpec`. */
  intervalsSinceChange?: number;
  /**
   * The refusal of a traffic increase that is still in force: no later event of this run raised the weight. `hook` is
   * the webhook's name, `at` ISO 8601; `isCut` if it may have begun before that. The status does not show this wait.
   */
  stepGateWait?: { hook: string; at: string; isCut?: boolean };
  /** The highest `failedChecks` of the run. Flagger writes 0 together with Failed. */
  peakFailedChecks?: number;
  /** Percent on the canary according to the route object that Flagger writes, such as a VirtualService. */
  routeWeight?: number;
  /** The newest sample of `flagger_canary_weight` for the target, in percent; of this run only. */
  sampledWeight?: number;
  /**
   * `status.canaryWeight` of the last observation before the run began. Above 0 only if a promotion had failed: Flagger
   * then writes 0 and leaves the route as it is (checkCanaryStatus in pkg/controller/scheduler.go). Leave it out once
   * the run was restarted, since a restart resets the route.
   */
  weightBeforeRun?: number;
  /** The last weight of this run from a trustworthy source, in percent. */
  lastKnownWeight?: number;
};
