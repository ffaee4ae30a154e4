import { describe, expect, it } from "vitest";
import { describeMessage } from "./describe-message.ts";
import { isChatty } from "./is-chatty.ts";
import { parseMessage } from "./parse-message.ts";

const notReady = "canary deployment a.b not ready: waiting for rollout to finish:";

describe("describeMessage", () => {
  it.each([
    ["all the metrics providers are available!", "The metrics providers are available"],
    ["Error checking metric providers: timeout", "The metrics providers are not available: timeout"],
    ["Initialization done! a.b", "Initialized: the primary runs"],
    ["New revision detected! Scaling up a.b", "New revision: the canary scales up"],
    ["New revision detected! Restarting analysis for a.b", "Newer revision: the analysis begins again"],
    ["Starting canary analysis for a.b", "The analysis begins"],
    ["skipping canary run as object is suspended", "Suspended: Flagger does nothing"],
    ["Terminating canary a.b", "Deletion has begun"],
    ["Terminated canary a.b", "Deleted"],
    ["Advance a.b canary weight 0", "Canary weight 0 %"],
    ["Advance a.b canary iteration 3/10", "Iteration 3 of 10"],
    ["Routing all traffic to canary", "All traffic to the canary"],
    ["Stop traffic mirroring and route all traffic to canary", "Mirroring stops; all traffic to the canary"],
    ["Copying a.b template spec to a-primary.b", "Promotion: the new spec is copied to the primary"],
    ["Routing all traffic to primary", "All traffic to the primary"],
    ["Advance a.b primary weight 90", "Primary weight 90 %"],
    ["Promotion completed! Scaling down a.b", "Promoted"],
    ["Promotion completed! Canary analysis was skipped for a.b", "Promoted without analysis"],
    ["Halt a.b advancement success rate 98.50% < 99%", "Check failed: request-success-rate 98.5 % is below 99 %"],
    ["Halt a.b advancement request duration 725.4ms > 500ms", "Check failed: request-duration 0.7254 s is above 0.5 s"],
    ["Halt a.b advancement queue 0.00 < 1", "Check failed: queue 0 is below 1"],
    ["Halt advancement no values found for metric: queue", "Check failed: no values for queue"],
    ["Metric query failed for queue: 500", "Check failed: queue could not be queried: 500"],
    ["Prometheus query failed: 500", "Check failed: a built-in metric could not be queried: 500"],
    ["Metric template p95.b error: gone", "Check failed: metric template p95: error: gone"],
    [
      "Metric query failed for no usable metrics template and query were configured",
      "Check failed: no usable metrics template and query were configured",
    ],
    ["Halt a.b advancement waiting for approval ask", "Waits for approval to start (ask)"],
    ["Halt a.b advancement waiting for promotion approval ask", "Waits for approval to promote (ask)"],
    ["Confirm-traffic-increase check ask passed", "Approved to increase the traffic (ask)"],
    ["Pre-rollout check helm passed", "Hook helm passed"],
    ["Halt a.b advancement external check load failed too slow", "Check failed: hook load: too slow"],
    ["Post-rollout hook notify failed", "Hook notify failed"],
    ["Rollback hook undo not signaling a rollback", "Hook undo asks for no rollback"],
    ["Rollback check undo passed", "Hook undo asks for a rollback"],
    ["Rolling back a.b failed checks threshold reached 1", "Rolls back: 1 failed check"],
    ["Rolling back a.b failed checks threshold reached 10", "Rolls back: 10 failed checks"],
    ["Rolling back a.b manual webhook invoked", "Rolls back because a hook asked for it"],
    ["Rolling back a.b progress deadline exceeded late", "Rolls back: progress deadline exceeded: late"],
    ["Canary failed! Scaling down a.b", "Failed: all traffic to the primary, the canary scales down"],
    ["Promotion of a.b failed, primary not ready: quota", "Promotion failed: the primary is not ready: quota"],
    [`${notReady} 1 out of 3 new replicas have been updated`, "The canary is not ready: 1 of 3 pods are updated"],
    [`${notReady} 1 old replicas are pending termination`, "The canary is not ready: 1 old pod is still there"],
    [
      `${notReady} 0 of 2 (readyThreshold 100%) updated replicas are available`,
      "The canary is not ready: 0 of 2 updated pods are available",
    ],
    [
      `${notReady} observed deployment generation less than desired generation`,
      "The canary is not ready: its controller has not seen the new spec yet",
    ],
    [
      'a-primary.b not ready: deployment "a-primary" exceeded its progress deadline',
      "The primary is not ready: its progress deadline is exceeded",
    ],
    ["a-primary.b not ready: moon", "The primary is not ready: moon"],
    ["Setting canaryAnalysis.iterations: 10", "Setting canaryAnalysis.iterations: 10"],
    ["deployment a.b get query error: gone", "deployment a.b get query error: gone"],
    ["something new", "something new"],
  ])("%s", (message, sentence) => {
    expect(describeMessage(parseMessage(message))).toBe(sentence);
  });
});

describe("isChatty", () => {
  it.each([
    ["skipping canary run as object is suspended", true],
    ["Rollback hook undo not signaling a rollback", true],
    ["Halt a.b advancement waiting for traffic increase approval ask", true],
    ["Starting canary analysis for a.b", true],
    ["New revision detected! Scaling up a.b", false],
    ["Rollback check undo passed", false],
    ["Halt a.b advancement queue 0.00 < 1", false],
    ["something new", false],
  ])("%s", (message, chatty) => {
    expect(isChatty(parseMessage(message))).toBe(chatty);
  });
});
