import { z } from "zod";
import { ActionAccepted } from "#lib/contract/action.ts";
import { AnalysisRunDetail, Measurement, RunMetric } from "#lib/contract/analysis-run.ts";
import { Approval } from "#lib/contract/approval.ts";
import { AuditDetail, AuditItem } from "#lib/contract/audit.ts";
import { BacktestAnswer, BacktestRun } from "#lib/contract/backtest.ts";
import { listOf } from "#lib/contract/common.ts";
import { MetricEvidence } from "#lib/contract/evidence.ts";
import { Finding, FindingEvidence } from "#lib/contract/finding.ts";
import { InboxItem } from "#lib/contract/inbox.ts";
import { ReleaseCourse } from "#lib/contract/release-course.ts";
import { AllowedAction, Follows, Release, ReleaseAct, ReleaseRun, RolloutDetail } from "#lib/contract/rollout.ts";
import { WaitHandling } from "#lib/contract/wait-handling.ts";

// The parts of the API's answers that agents get: parsing drops all other fields.

const Place = z.object({ id: z.string().describe("cluster/namespace/Kind/name") });

const ClaimedBy = WaitHandling.pick({}).extend({
  claim: z.object({ who: z.string() }).nullable(),
  snooze: z.object({ who: z.string() }).nullable(),
});

const Metric = MetricEvidence.pick({
  metric: true,
  runUid: true,
  phase: true,
  last: true,
  unit: true,
  pass: true,
  fail: true,
  summary: true,
});

const Waiting = RolloutDetail.pick({
  id: true,
  phase: true,
  attention: true,
  waitingSince: true,
  step: true,
  stepCount: true,
  weight: true,
  images: true,
  team: true,
  viewDigest: true,
});

export const InboxPage = listOf(
  InboxItem.pick({ sentence: true, ownAct: true }).extend({
    rollout: Waiting,
    finding: z.object({ id: z.string(), title: z.string() }).nullable(),
    evidence: z.array(Metric.pick({ metric: true, phase: true, summary: true })),
    handling: ClaimedBy,
  }),
);

const Offer = AllowedAction.pick({
  action: true,
  protective: true,
  allowed: true,
  reason: true,
  effect: true,
  waives: true,
  warnings: true,
  passesPauses: true,
  targetVersion: true,
}).extend({
  needs: z.object({ reason: z.boolean(), secondPerson: z.object({ because: z.string() }).nullable() }),
});

export const Why = RolloutDetail.pick({
  id: true,
  uid: true,
  phase: true,
  message: true,
  attention: true,
  waitingSince: true,
  sentence: true,
  step: true,
  stepCount: true,
  weight: true,
  images: true,
  team: true,
  viewDigest: true,
  revisionKey: true,
  access: true,
}).extend({
  evidence: z.array(Metric),
  allowedActions: z.array(Offer),
  notices: z.array(z.object({ severity: z.string(), text: z.string() })),
  follows: Follows.pick({ text: true }).nullable(),
  releaseRuns: z.array(ReleaseRun.pick({ uid: true, name: true, type: true, phase: true, decided: true })),
  source: z.object({ fresh: z.boolean(), reason: z.string().nullable() }),
});

export const Run = AnalysisRunDetail.pick({
  uid: true,
  name: true,
  type: true,
  phase: true,
  message: true,
  verdict: true,
  startedAt: true,
  completedAt: true,
  terminated: true,
  contradiction: true,
  measurements: true,
  lostMeasurements: true,
}).extend({
  rollout: Place.nullable(),
  metrics: z.array(
    RunMetric.pick({
      name: true,
      phase: true,
      message: true,
      dryRun: true,
      successCondition: true,
      failureCondition: true,
      unit: true,
      explanation: true,
    }),
  ),
  verdictCheck: z.object({ state: z.string(), findings: z.array(z.object({ text: z.string() })) }).nullable(),
});

export const MeasurementPage = listOf(
  Measurement.pick({
    metric: true,
    seq: true,
    finishedAt: true,
    phase: true,
    value: true,
    message: true,
    explanation: true,
  }),
);

const ReleaseFacts = Release.pick({
  id: true,
  revision: true,
  attempt: true,
  state: true,
  waitsFor: true,
  sentence: true,
  message: true,
  images: true,
  startedAt: true,
  endedAt: true,
}).extend({ rollout: Place, runs: Release.shape.runs });

export const ReleasePage = listOf(ReleaseFacts);

export const Course = ReleaseCourse.pick({ time: true }).extend({
  release: ReleaseFacts,
  base: z.object({ images: z.array(z.string()).nullable(), releaseId: z.string().nullable() }).nullable(),
  runs: z.array(ReleaseRun.pick({ uid: true, name: true, type: true, phase: true, message: true, decided: true })),
  acts: z.array(ReleaseAct.pick({ seq: true, time: true, who: true, did: true, reason: true })),
  findings: z.array(Finding.pick({ id: true, severity: true, title: true })),
  warnings: z.array(z.object({ reason: z.string(), message: z.string(), count: z.number().int() })),
});

export const Comparison = z.object({ releases: z.array(Course) });

export const FindingPage = listOf(
  Finding.pick({
    id: true,
    rule: true,
    severity: true,
    title: true,
    state: true,
    since: true,
    advice: true,
    runUid: true,
  }).extend({ target: Place, evidence: z.array(FindingEvidence.pick({ label: true, value: true })) }),
);

const ReplayedRun = BacktestRun.pick({ uid: true, name: true, createdAt: true, recorded: true }).extend({
  rollout: Place.nullable(),
  proposed: z.object({ run: BacktestRun.shape.proposed.shape.run.pick({ phase: true, text: true }) }),
});

export const Backtest = BacktestAnswer.pick({ metric: true, totals: true, truncated: true }).extend({
  changed: z.array(ReplayedRun).describe("Runs with another verdict under the proposal than recorded, newest first."),
});

export const Proposal = Approval.pick({
  ...{ id: true, action: true, params: true, state: true, reason: true, viewDigest: true, requestedAt: true },
  ...{ expiresAt: true, decidedBy: true, decisionReason: true, actionId: true },
}).extend({ rollout: Place, agent: Approval.shape.agent });

export const Acted = ActionAccepted.pick({ id: true, state: true, auditSeq: true });

export const ProposalPage = listOf(Proposal);

const EntryFacts = AuditItem.pick({
  seq: true,
  time: true,
  code: true,
  sentence: true,
  reason: true,
  outcome: true,
  effect: true,
}).extend({ target: Place.partial().optional() });

export const AuditPage = listOf(EntryFacts);

export const AuditOne = EntryFacts.extend({
  actor: AuditDetail.shape.actor,
  metrics: z.array(Metric),
  overridden: AuditDetail.shape.overridden,
  linkOk: AuditDetail.shape.linkOk,
  hash: z.string(),
});
