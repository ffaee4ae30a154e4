import { describe, expect, it } from "vitest";
import { actionNames } from "#lib/domain/acting/action-catalogue.ts";
import type { Finding } from "#lib/domain/delivery/verdict-check.ts";
import type { Trouble } from "./provider-reports.ts";
import type { FactMetric } from "./rollout-facts.ts";
import { rolloutRules } from "./rollout-rules.ts";
import { aborted, at, factsOf, release, runOf, seen } from "./testing/facts.ts";
import { heldCases } from "./testing/held-cases.ts";
import { type Case, ignoredCases } from "./testing/ignored-cases.ts";

const step = (change: object = {}) => runOf({ type: "Step", stepIndex: 1, ...change });
const metric = (change: Partial<FactMetric>): FactMetric => ({
  name: "errors",
  dryRun: false,
  flips: 0,
  looked: 20,
  lost: 0,
  takenAgain: 0,
  isLossOpen: false,
  ...change,
});
const flag = { kind: "flag", rule: "nothing-measured", text: "Nothing was measured." } as const;
const contradiction = { kind: "contradiction", rule: "run", text: "It should be Failed." } as const;
const wait = { reason: "pause", since: at(0), severity: "info" } as const;
const action = {
  id: "a-1",
  action: "abort",
  label: "Abort",
  state: "not-effective",
  effectWhy: "awaited",
  requestedAt: at(5),
  actor: "operator",
  auditSeq: "7",
};
const act = { action: "abort", client: "kubectl", at: at(15), auditSeq: "9" } as const;
const trouble: Trouble = {
  key: "t",
  severity: "critical",
  title: "The primary is not ready",
  since: at(3),
  evidence: [],
  advice: undefined,
};

const cases: Case[] = [
  ...ignoredCases,
  ...heldCases,
  {
    rule: "verdict-contradicts",
    name: "a success that should be a failure",
    facts: { runs: [step({ phase: "Successful", verdict: { state: "contradicts", findings: [contradiction] } })] },
    found: ["critical: Marked Successful, but its measurements disagree (step analysis of step 2)"],
  },
  {
    rule: "verdict-contradicts",
    name: "a failure that should be a success",
    facts: { runs: [step({ phase: "Failed", verdict: { state: "contradicts", findings: [contradiction] } })] },
    found: ["warning: Marked Failed, but its measurements disagree (step analysis of step 2)"],
  },
  {
    rule: "verdict-contradicts",
    name: "a verdict that cannot be checked",
    facts: { runs: [step({ phase: "Successful", verdict: { state: "undecided", findings: [] } })] },
    found: [],
  },
  {
    rule: "nothing-measured",
    name: "a success without a measurement",
    facts: { runs: [step({ phase: "Successful", verdict: { state: "agrees", findings: [flag] } })] },
    found: ["warning: Step analysis of step 2 is Successful without a good measurement"],
  },
  {
    rule: "nothing-measured",
    name: "ended early by a person",
    facts: { runs: [step({ phase: "Successful", verdict: { state: "ended-early", findings: [flag] } })] },
    found: ["info: Step analysis of step 2 is Successful without a good measurement"],
  },
  {
    rule: "nothing-measured",
    name: "ended early by the promotion of its release",
    facts: {
      runs: [step({ phase: "Successful", verdict: { state: "ended-early", findings: [flag] } })],
      releases: [{ ...release, state: "promoted" }],
    },
    found: ["warning: Step analysis of step 2 is Successful without a good measurement"],
  },
  {
    rule: "nothing-measured",
    name: "ended by the abort of its release",
    facts: {
      runs: [step({ phase: "Successful", verdict: { state: "ended-early", findings: [flag] } })],
      releases: [{ ...release, state: "aborted" }],
    },
    found: [],
  },
  {
    rule: "nothing-measured",
    name: "nothing measured, and Failed",
    facts: { runs: [step({ phase: "Failed", verdict: { state: "agrees", findings: [flag] } })] },
    found: [],
  },
  {
    rule: "measurements-lost",
    name: "lost and taken again",
    facts: { runs: [step({ metrics: [metric({ lost: 2, takenAgain: 1 })] })] },
    found: ["warning: Step analysis of step 2: 2 measurements were lost, 1 was taken again"],
  },
  {
    rule: "measurements-lost",
    name: "an end that nobody saw",
    facts: { runs: [step({ metrics: [metric({ lost: 1, isLossOpen: true })] })] },
    found: ["warning: Step analysis of step 2: at least 1 measurement was lost"],
  },
  { rule: "measurements-lost", name: "none", facts: { runs: [step({ metrics: [metric({})] })] }, found: [] },
  {
    rule: "metric-flapping",
    name: "six changes",
    facts: { runs: [step({ metrics: [metric({ flips: 6 })] })] },
    found: ["info: errors is flapping: crossed its limit 6 times at step 2"],
  },
  {
    rule: "metric-flapping",
    name: "five changes",
    facts: { runs: [step({ metrics: [metric({ flips: 5 })] })] },
    found: [],
  },
  {
    rule: "metric-flapping",
    name: "a dry run",
    facts: { runs: [step({ metrics: [metric({ flips: 20, dryRun: true })] })] },
    found: [],
  },
  {
    rule: "run-recreated",
    name: "three more runs than were asked for",
    facts: { runs: [0, 1, 2, 3].map((index) => runOf({ uid: `r${index}`, createdAt: at(index) })) },
    found: ["warning: The controller started background analysis of revision 2 4 times"],
  },
  {
    rule: "run-recreated",
    name: "one of them was asked for",
    facts: {
      runs: [0, 1, 2, 3].map((index) => runOf({ uid: `r${index}`, createdAt: at(index) })),
      observations: [seen(0), seen(10, {}, ["measure-again"])],
    },
    found: [],
  },
  {
    rule: "run-recreated",
    name: "analyses of different steps",
    facts: { runs: [0, 1, 2, 3].map((stepIndex) => step({ uid: `r${stepIndex}`, stepIndex })) },
    found: [],
  },
  {
    rule: "waiting-too-long",
    name: "a pause, after four hours",
    facts: { wait, now: at(4 * 3600) },
    found: ["warning: Paused for more than 4 hours"],
  },
  { rule: "waiting-too-long", name: "a pause, shortly before", facts: { wait, now: at(4 * 3600 - 1) }, found: [] },
  {
    rule: "waiting-too-long",
    name: "an Inconclusive result, after half an hour",
    facts: { wait: { ...wait, reason: "inconclusive" }, now: at(1800) },
    found: ["warning: Undecided for more than 30 minutes"],
  },
  {
    rule: "waiting-too-long",
    name: "a degraded rollout waits for nobody",
    facts: { wait: { ...wait, reason: "degraded" }, now: at(86_400) },
    found: [],
  },
  {
    rule: "traffic-after-abort",
    name: "traffic a minute after the abort",
    facts: { observations: [seen(0), seen(20, aborted)], now: at(80), weight: 25 },
    found: ["critical: Aborted, but revision 2 still gets 25 % of the traffic"],
  },
  {
    rule: "traffic-after-abort",
    name: "traffic less than a minute after the abort",
    facts: { observations: [seen(0), seen(20, aborted)], now: at(79), weight: 25 },
    found: [],
  },
  {
    rule: "traffic-after-abort",
    name: "no traffic",
    facts: { observations: [seen(0), seen(20, aborted)], weight: 0 },
    found: [],
  },
  {
    rule: "traffic-after-abort",
    name: "the route was read too soon to say so",
    facts: { observations: [seen(0), seen(20, aborted)], weight: 25, weightFrom: "route", weightAt: at(79) },
    found: [],
  },
  {
    rule: "traffic-after-abort",
    name: "the route says so",
    facts: { observations: [seen(0), seen(20, aborted)], weight: 25, weightFrom: "route", weightAt: at(80) },
    found: ["critical: Aborted, but revision 2 still gets 25 % of the traffic"],
  },
  {
    rule: "traffic-after-abort",
    name: "an unknown weight",
    facts: { observations: [seen(0), seen(20, aborted)], weight: null },
    found: [],
  },
  {
    rule: "traffic-after-abort",
    name: "the active service selects the aborted version",
    facts: { observations: [seen(0), seen(20, { ...aborted, servedKey: "new" })], weight: null },
    found: ["critical: Aborted, but the active service still selects revision 2"],
  },
  {
    rule: "traffic-after-abort",
    name: "the active service is back",
    facts: { observations: [seen(0), seen(20, { ...aborted, servedKey: "old" })], weight: 100 },
    found: [],
  },
  {
    rule: "action-without-effect",
    name: "an abort that was accepted and did nothing",
    facts: { actions: [action] },
    found: ["warning: Abort has had no effect"],
  },
  {
    rule: "action-without-effect",
    name: "it was superseded",
    facts: { actions: [{ ...action, effectWhy: "superseded" }] },
    found: [],
  },
  {
    rule: "action-without-effect",
    name: "asked for again, with effect",
    facts: { actions: [action, { ...action, id: "a-2", state: "effective", requestedAt: at(9) }] },
    found: ["warning: Abort has had no effect (over)"],
  },
  {
    rule: "action-without-effect",
    name: "still awaited",
    facts: { actions: [{ ...action, state: "applied" }] },
    found: [],
  },
  {
    rule: "out-of-band-act",
    name: "an abort",
    facts: { acts: [act] },
    found: ["info: Abort was done outside Gatehouse with kubectl"],
  },
  {
    rule: "out-of-band-act",
    name: "a full promotion by somebody unknown",
    facts: { acts: [{ ...act, action: "promote-full", client: null }] },
    found: ["warning: Promote fully was done outside Gatehouse"],
  },
  {
    rule: "out-of-band-act",
    name: "a skip in a release that was replaced since",
    facts: { acts: [{ ...act, action: "skip-step" }], observations: [seen(0), seen(20, { runKey: "newer" })] },
    found: ["warning: Skip this step was done outside Gatehouse with kubectl (over)"],
  },
  {
    rule: "out-of-band-act",
    name: "an abort a week ago",
    facts: { acts: [act], now: at(15 + 168 * 3600) },
    found: ["info: Abort was done outside Gatehouse with kubectl (over)"],
  },
  {
    rule: "out-of-band-act",
    name: "Argo CD goes back to what Git says",
    facts: { acts: [{ ...act, action: "undo", client: "argocd-controller" }] },
    found: [],
  },
  { rule: "out-of-band-act", name: "ordinary work", facts: { acts: [{ ...act, action: "continue" }] }, found: [] },
  {
    rule: "changed-mid-release",
    name: "another version while traffic is on the first",
    facts: { observations: [seen(0), seen(20, { runKey: "newer", revision: 3, weight: 0, step: 0 })] },
    found: ["warning: Revision 2 was replaced at step 2 of 4, before it was decided"],
  },
  {
    rule: "changed-mid-release",
    name: "the other version was promoted since",
    facts: {
      observations: [
        seen(0),
        seen(20, { runKey: "newer", weight: 0 }),
        seen(90, { runKey: "newer", stableKey: "newer" }),
      ],
    },
    found: ["warning: Revision 2 was replaced at step 2 of 4, before it was decided (over)"],
  },
  {
    rule: "changed-mid-release",
    name: "the steps",
    facts: { observations: [seen(0), seen(20, { stepsKey: "other" })] },
    found: ["warning: The steps of revision 2 were changed at step 2 of 4"],
  },
  {
    rule: "changed-mid-release",
    name: "back to the stable version",
    facts: { observations: [seen(0), seen(20, { runKey: "old" })] },
    found: [],
  },
  {
    rule: "changed-mid-release",
    name: "before any traffic",
    facts: { observations: [seen(0, { weight: 0 }), seen(20, { runKey: "newer" })] },
    found: [],
  },
  {
    rule: "changed-mid-release",
    name: "after an abort",
    facts: { observations: [seen(0, aborted), seen(20, { runKey: "newer" })] },
    found: [],
  },
  {
    rule: "analysis-never-fails",
    name: "a metric without a condition",
    facts: { runs: [step({ harmless: [{ metric: "errors", why: "It has no condition." }] })] },
    found: ["info: errors of step analysis of step 2 can never fail"],
  },
  {
    rule: "analysis-never-fails",
    name: "the template was mended since",
    facts: { runs: [step({ harmless: [{ metric: "errors", why: "It has no condition." }] }), step({ uid: "run-2" })] },
    found: [],
  },
  {
    rule: "promotion-trouble",
    name: "as the provider says",
    facts: { troubles: [trouble] },
    found: ["critical: The primary is not ready"],
  },
  { rule: "promotion-trouble", name: "none", facts: {}, found: [] },
];

describe("rules about rollouts", () => {
  it.each(cases)("$rule: $name", ({ rule: id, facts, found }) => {
    const rule = rolloutRules.find((each) => each.id === id);
    const result = rule?.find(factsOf(facts));
    expect(
      result?.map(({ severity, title, over }) => `${severity}: ${title}${over === undefined ? "" : " (over)"}`),
    ).toEqual(found);
  });

  it.each(rolloutRules.map(({ id }) => id))("%s has a case that raises it and one that does not", (id) => {
    const own = cases.filter(({ rule }) => rule === id);
    expect(own.some(({ found }) => found.length > 0)).toBe(true);
    expect(own.some(({ found }) => found.length === 0)).toBe(true);
  });

  it("take only what decides for an answer to an Inconclusive result", () => {
    const rule = rolloutRules.find(({ id }) => id === "inconclusive-ignored");
    const unheld = { runs: [{ title: "Background analysis", name: "app-new-2", phase: "Inconclusive" }] };
    const observations = [seen(10, unheld), seen(20, { ...unheld, step: 2 })];
    const silencing = actionNames.filter((name) => {
      const actions = [{ ...action, action: name, requestedAt: at(15) }];
      return rule?.find(factsOf({ actions, observations })).length === 0;
    });
    expect(silencing).toEqual([
      ...["continue", "accept-step", "measure-again", "continue-waive", "skip-step", "skip-all", "promote-full"],
      ...["retry", "undo", "set-image", "abort", "approve", "skip-analysis", "retrigger", "rollback", "terminate"],
    ]);
  });

  it("have a line for each metric with a contradicted result, which covers its measurements and the run", () => {
    const rule = rolloutRules.find(({ id }) => id === "verdict-contradicts");
    const measured: Finding = { ...contradiction, rule: "measurement", text: "No. 3 is wrong." };
    const ofMetrics = ["errors", "latency"].map((metric) => ({ ...measured, metric }));
    const findings: Finding[] = [...ofMetrics, { ...contradiction, rule: "metric", metric: "errors" }, contradiction];
    const found = rule?.find(
      factsOf({ runs: [step({ phase: "Successful", verdict: { state: "contradicts", findings } })] }),
    );
    expect(found?.[0]?.evidence.flatMap(({ label, value }) => (label === "Check" ? [value] : []))).toEqual([
      "latency: No. 3 is wrong.",
      "errors: It should be Failed.",
    ]);
  });

  it("find nothing if nothing is wrong", () => {
    expect(rolloutRules.flatMap((rule) => rule.find(factsOf()))).toEqual([]);
  });

  it("have few words for the inbox if they are critical", () => {
    const badges = rolloutRules.filter(({ severity }) => severity === "critical").map(({ badge = "" }) => badge);
    for (const badge of badges) expect(badge).toMatch(/^.{1,24}$/);
  });

  it("do not find more than their severity says", () => {
    const order = ["info", "warning", "critical"];
    for (const { rule: id, facts } of cases) {
      const rule = rolloutRules.find((each) => each.id === id);
      for (const { severity } of rule?.find(factsOf(facts)) ?? [])
        expect(order.indexOf(severity), id).toBeLessThanOrEqual(order.indexOf(rule?.severity ?? "info"));
    }
  });
});
