import { describe, expect, it } from "vitest";
import { type CanaryObject, parseCanary } from "#lib/domain/flagger/objects/canary-object.ts";
import { readRecorded } from "#lib/domain/flagger/objects/testing/recorded-lines.ts";
import type { Parsed } from "#lib/domain/kube/kube-object.ts";
import { parseDeployment, type WorkloadState } from "#lib/domain/kube/workload-object.ts";
import type { CanaryHistory } from "../history/run-memory.ts";
import { assessCanary } from "./canary-state.ts";

function unwrap<Value>(parsed: Parsed<Value>): Value {
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.value;
}

/** Notes the history of one Canary as observations arrive. */
function advance(history: CanaryHistory, before: CanaryObject | undefined, now: CanaryObject): CanaryHistory {
  if (before === undefined) return history;
  const { phase, lastAppliedSpec, canaryWeight } = now.status;
  const hasEntered = before.status.phase !== phase;
  return {
    ...history,
    ...(hasEntered ? { previousPhase: before.status.phase } : {}),
    ...(hasEntered && phase === "Failed" ? { previousAppliedSpec: lastAppliedSpec } : {}),
    ...(phase === "Progressing" && canaryWeight !== undefined ? { lastKnownWeight: canaryWeight } : {}),
  };
}

/** Assesses each state of one recorded Canary; repeated answers are left out. */
function replay(version: "1.43.0" | "1.44.0", name: string): string[] {
  const lines = [...readRecorded(version, "canaries"), ...readRecorded(version, "deployments")];
  const workloads = new Map<string, WorkloadState>();
  let canary: CanaryObject | undefined;
  let history: CanaryHistory = {};
  const found: string[] = [];
  for (const { object, at, type } of lines.toSorted((one, other) => (one.at < other.at ? -1 : 1))) {
    const isCanary = object.kind === "Canary" && object.metadata.name === name;
    if (type === "DELETED") continue;
    if (object.kind === "Deployment") workloads.set(object.metadata.name, unwrap(parseDeployment(object)));
    else if (isCanary) {
      const next = unwrap(parseCanary(object));
      history = advance(history, canary, next);
      canary = next;
    }
    if (canary === undefined) continue;
    const assessment = assessCanary({
      canary,
      version,
      primary: workloads.get(`${name}-primary`),
      target: workloads.get(name),
      previous: history,
      isOurHook: () => true,
      now: at,
    });
    const line = `${assessment.state} ${assessment.severity} ${assessment.trafficOnCanary}`;
    if (line !== found.at(-1)) found.push(line);
  }
  return found;
}

describe("the states that real controllers left", () => {
  it("a good release, which returns its traffic in steps", () => {
    const states = replay("1.44.0", "f-ok");
    expect(states.slice(states.indexOf("analyzing info 60"))).toEqual([
      "analyzing info 60",
      "promoting info 60",
      "promoting info 10",
      "finalising info 0",
      "succeeded ok 0",
    ]);
  });

  it("gates before the start and the promotion: the last step stays in force", () => {
    expect(replay("1.44.0", "f-wait")).toEqual(
      expect.arrayContaining(["awaiting-start attention 0", "awaiting-promotion attention 60", "promoting info 60"]),
    );
  });

  it("failed checks: a warning one check before the rollback", () => {
    expect(replay("1.44.0", "f-fail").slice(-3)).toEqual([
      "analyzing attention 20",
      "analyzing warning 20",
      "failed-rolled-back warning 0",
    ]);
  });

  it("a primary without pods under 1.43: at risk, then an outage", () => {
    expect(replay("1.43.0", "f-primrec").slice(-3)).toEqual([
      "promoting info 60",
      "promotion-at-risk critical 60",
      "promotion-failed-outage critical 0",
    ]);
  });

  it("the same under 1.44: the canary serves", () => {
    expect(replay("1.44.0", "f-primrec").slice(-3)).toEqual([
      "promoting info 60",
      "promotion-at-risk critical 60",
      "promotion-failed-canary-serving critical 100",
    ]);
  });

  it("the same under 1.44 without a router: users stay on the failed primary", () => {
    expect(replay("1.44.0", "f-primdlbg").slice(-2)).toEqual([
      "promotion-at-risk warning 0",
      "promotion-failed-outage critical 0",
    ]);
  });
});
