import { z } from "zod";
import { RolloutRef, Timestamp } from "#lib/contract/common.ts";
import { undecidedCodes } from "#lib/domain/delivery/backtest.ts";
import { endedPhases, runPhases } from "#lib/domain/delivery/run-phase.ts";

const Limit = z
  .union([z.number().int(), z.string().max(1000)])
  .nullable()
  .optional();
const Text = z.string().max(10_000).nullable().optional();
const Name = z.string().min(1).max(253);

/** Changes of a metric's rules. Absent: as recorded with each run. Null: removed, so that the default applies. */
export const BacktestProposal = z
  .strictObject({
    successCondition: Text,
    failureCondition: Text,
    failureLimit: Limit,
    inconclusiveLimit: Limit,
    consecutiveErrorLimit: Limit,
    consecutiveSuccessLimit: Limit,
    count: Limit,
    interval: Text,
    initialDelay: Text,
  })
  .describe("An absent rule stays as recorded with each run; null removes it, so that its default applies.");
export type BacktestProposal = z.infer<typeof BacktestProposal>;

export const maxBacktestRuns = 1000;

export const BacktestFilter = z.strictObject({
  rollout: z.string().max(1100).optional().describe("Runs of this rollout: cluster/namespace/Kind/name."),
  template: z
    .string()
    .max(1100)
    .optional()
    .describe("Runs made from any version of this template: cluster/namespace/Kind/name."),
  from: Timestamp.optional().describe("Runs created at this time or later."),
  to: Timestamp.optional().describe("Runs created before this time."),
  limit: z.number().int().min(1).max(maxBacktestRuns).default(200).describe("The newest runs; default 200."),
});
export type BacktestFilter = z.infer<typeof BacktestFilter>;

/** Either `filter` or `runUids`. Only runs that have ended and that the caller may read are replayed. */
export const BacktestRequest = z
  .strictObject({
    filter: BacktestFilter.optional(),
    runUids: z.array(Name).min(1).max(maxBacktestRuns).optional(),
    metric: Name,
    proposal: BacktestProposal,
  })
  .superRefine(({ filter, runUids }, context) => {
    if ((filter === undefined) !== (runUids === undefined)) return;
    context.addIssue({ code: "custom", path: ["filter"], message: "send either filter or runUids" });
  });
export type BacktestRequest = z.infer<typeof BacktestRequest>;

const Ended = z.enum(endedPhases);

/** `phase` is `undecided` if the record does not tell; then `code` and `text` say why. */
export const BacktestVerdict = z.object({
  phase: z.union([Ended, z.literal("undecided")]),
  code: z.enum(undecidedCodes).optional(),
  text: z.string().optional().describe("Why it is undecided, or the limit that was broken."),
  seq: z.number().int().optional().describe("The measurement that ends the metric, or that leaves it undecided."),
  endedByRun: z.boolean().optional().describe("The metric was still measuring when the run ended."),
});
export type BacktestVerdict = z.infer<typeof BacktestVerdict>;

const Verdicts = z.object({ run: BacktestVerdict, metric: BacktestVerdict });

export const BacktestDifference = z.object({
  seq: z.number().int(),
  value: z.string().nullable(),
  finishedAt: Timestamp.nullable(),
  recorded: z.string().describe("Its recorded phase."),
  proposed: z.string().nullable().describe("Its phase under the proposal, `unknown`; null if it would not be taken."),
  endsRecorded: z.boolean().describe("It ends the metric under the recorded rules."),
  endsProposed: z.boolean().describe("It ends the metric under the proposal."),
});

export const BacktestRun = z.object({
  uid: z.string(),
  cluster: z.string(),
  namespace: z.string(),
  name: z.string(),
  rollout: RolloutRef.nullable(),
  revision: z.number().int().nullable(),
  createdAt: Timestamp,
  completedAt: Timestamp.nullable(),
  dryRun: z.boolean().describe("The metric was a dry run, so that the run's verdict cannot change."),
  measurements: z.number().int().describe("How many measurements were replayed."),
  recorded: z.object({ run: Ended, metric: z.enum(runPhases).nullable() }),
  replayed: Verdicts.describe("Under the recorded rules."),
  proposed: Verdicts.describe("Under the proposal."),
  firstDifference: BacktestDifference.nullable(),
});
export type BacktestRun = z.infer<typeof BacktestRun>;

export const BacktestCounts = z.object({
  Successful: z.number().int(),
  Failed: z.number().int(),
  Error: z.number().int(),
  Inconclusive: z.number().int(),
  undecided: z.number().int(),
});
export type BacktestCounts = z.infer<typeof BacktestCounts>;

export const BacktestTotals = z.object({
  runs: z.number().int(),
  measurements: z.number().int(),
  dryRuns: z.number().int(),
  changed: z.number().int().describe("Runs with another verdict under the proposal than recorded."),
  recorded: BacktestCounts,
  replayed: BacktestCounts,
  proposed: BacktestCounts,
  undecided: z.partialRecord(z.enum(undecidedCodes), z.number().int()).describe("Undecided runs, by reason."),
});
export type BacktestTotals = z.infer<typeof BacktestTotals>;

export const BacktestAnswer = z.object({
  metric: z.string(),
  totals: BacktestTotals,
  truncated: z.boolean().describe("More runs match than `limit` allows: these are the newest."),
  runs: z.array(BacktestRun).describe("Newest first."),
});
export type BacktestAnswer = z.infer<typeof BacktestAnswer>;
