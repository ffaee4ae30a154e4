import { z } from "zod";
import { Expectation } from "#lib/contract/action.ts";
import { MeasurementQuery } from "#lib/contract/analysis-run.ts";
import { ApprovalListQuery, ProposalRequest } from "#lib/contract/approval.ts";
import { AuditListQuery } from "#lib/contract/audit.ts";
import { BacktestRequest } from "#lib/contract/backtest.ts";
import { ListQuery } from "#lib/contract/common.ts";
import { FindingListQuery } from "#lib/contract/finding.ts";
import { InboxQuery } from "#lib/contract/inbox.ts";
import { ActionName, RolloutPath } from "#lib/contract/rollout.ts";
import { ReleaseListQuery } from "#lib/contract/rollout-lists.ts";
import { actionNames, isProtective } from "#lib/domain/acting/action-catalogue.ts";
import {
  Acted,
  AuditOne,
  AuditPage,
  Backtest,
  Comparison,
  Course,
  FindingPage,
  InboxPage,
  MeasurementPage,
  Proposal,
  ProposalPage,
  ReleasePage,
  Run,
  Why,
} from "#lib/mcp/answers.ts";
import type { Ask, Asked } from "#lib/mcp/ask.ts";
import { isRecord } from "#lib/util/json.ts";

export type Tool = {
  name: string;
  /** It stores something: a proposal, or its end. */
  writes?: boolean;
  /** It changes something at a cluster. */
  acts?: boolean;
  description: string;
  input: z.ZodObject;
  /** The parts of the answer that agents get. */
  output: z.ZodObject;
  /** Answers with a page: `limit` and `cursor` are among its arguments. */
  isPage: boolean;
  read(ask: Ask, input: unknown): Promise<Asked>;
};

type Definition<Input extends z.ZodObject> = Omit<Tool, "name" | "input" | "isPage" | "read"> & {
  input: Input;
  read(ask: Ask, input: z.infer<Input>): Promise<Asked>;
};

function tool<Input extends z.ZodObject>(name: string, { input, read, ...rest }: Definition<Input>): Tool {
  return { name, ...rest, input, isPage: "cursor" in input.shape, read: (ask, given) => read(ask, input.parse(given)) };
}

const page = {
  limit: z.int().min(1).max(25).default(10).describe("Items of this answer; fewer if they are large."),
  cursor: ListQuery.shape.cursor,
};
const ById = z.strictObject({ id: z.string().max(200) });
const ByUid = z.strictObject({ uid: z.string().max(200) });

/** The tools that read. Each asks an endpoint of the API. */
export const tools: readonly Tool[] = [
  tool("inbox", {
    description: "Rollouts that wait for a person, the most urgent first, each with the reason.",
    input: InboxQuery.pick({ cluster: true, attention: true, team: true, mine: true }).extend(page),
    output: InboxPage,
    read: (ask, query) => ask("getInbox", { query }),
  }),
  tool("why", {
    description:
      "One rollout: why it waits, the metrics behind it, and its actions. `viewDigest` identifies the view that you were given.",
    input: RolloutPath,
    output: Why,
    read: (ask, path) => ask("getRollout", { path }),
  }),
  tool("evidence", {
    description: "One analysis run: verdict, metrics with their conditions, and the check of the verdict.",
    input: ByUid,
    output: Run,
    read: (ask, path) => ask("getRun", { path }),
  }),
  tool("measurements", {
    description: "The measurements of an analysis run, the newest of each metric first.",
    input: z.strictObject({ ...ByUid.shape, ...MeasurementQuery.pick({ metric: true, only: true }).shape, ...page }),
    output: MeasurementPage,
    read: (ask, { uid, ...query }) => ask("listMeasurements", { path: { uid }, query: { ...query, order: "desc" } }),
  }),
  tool("releases", {
    description: "Releases, newest first.",
    input: ReleaseListQuery.pick({
      ...{ cluster: true, namespace: true, kind: true, name: true, state: true, version: true, last: true },
    }).extend(page),
    output: ReleasePage,
    read: (ask, query) => ask("listReleases", { query }),
  }),
  tool("release", {
    description:
      "One release: its analyses, what people did, findings, warnings of the cluster, and where the time went.",
    input: ById,
    output: Course,
    read: (ask, path) => ask("getReleaseCourse", { path }),
  }),
  tool("compare", {
    description: "Two releases side by side, each as the tool `release` shows it.",
    input: z.strictObject({ one: ById.shape.id, other: ById.shape.id }),
    output: Comparison,
    read: async (ask, { one, other }) => {
      const first = await ask("getReleaseCourse", { path: { id: one } });
      if (!first.ok) return first;
      const second = await ask("getReleaseCourse", { path: { id: other } });
      return second.ok ? { ok: true, value: { releases: [first.value, second.value] } } : second;
    },
  }),
  tool("backtest", {
    description: "Replays recorded runs of one metric under changed rules. Changes nothing.",
    input: z.strictObject(BacktestRequest.shape),
    output: Backtest,
    read: async (ask, body) => {
      const asked = await ask("backtestAnalysis", { body });
      return asked.ok ? { ok: true, value: withChangedRuns(asked.value) } : asked;
    },
  }),
  tool("findings", {
    description: "Findings of the oversight rules, with evidence and advice.",
    input: FindingListQuery.pick({
      ...{ cluster: true, namespace: true, kind: true, name: true, rule: true, severity: true, state: true },
    }).extend(page),
    output: FindingPage,
    read: (ask, query) => ask("listFindings", { query }),
  }),
  tool("audit", {
    description: "Audit entries, newest first: who did what, when and why.",
    input: AuditListQuery.pick({
      ...{ actor: true, action: true, outcome: true, cluster: true, namespace: true, name: true, last: true, q: true },
    }).extend(page),
    output: AuditPage,
    read: (ask, query) => ask("listAudit", { query }),
  }),
  tool("audit_entry", {
    description: "One audit entry with the metrics that the person saw.",
    input: z.strictObject({ seq: z.int().min(1) }),
    output: AuditOne,
    read: (ask, path) => ask("getAuditEntry", { path }),
  }),
];

/** The tools that propose, and the one that acts. */
export const writingTools: readonly Tool[] = [
  tool("propose", {
    writes: true,
    description:
      "Proposes one action on a rollout to the people who may do it, with your reason. Nothing happens until a person accepts. `expect` is what `why` gave you; the proposal ends once the rollout changes.",
    input: z.strictObject({ ...RolloutPath.shape, ...ProposalRequest.shape }),
    output: Proposal,
    read: (ask, { cluster, namespace, kind, name, ...body }) =>
      ask("propose", { path: { cluster, namespace, kind, name }, body }),
  }),
  tool("proposals", {
    description:
      "Proposals and requests for approval, newest first, with their state. `open`: those that people can still decide.",
    input: ApprovalListQuery.pick({ state: true, cluster: true, namespace: true, name: true }).extend(page),
    output: ProposalPage,
    read: (ask, query) => ask("listApprovals", { query }),
  }),
  tool("withdraw_proposal", {
    writes: true,
    description: "Withdraws a proposal of yours that no person has decided.",
    input: ById,
    output: Proposal,
    read: (ask, path) => ask("decideApproval", { path, body: { decision: "withdraw", ownProposal: true } }),
  }),
  tool("act", {
    writes: true,
    acts: true,
    description:
      "Holds a rollout back at once, without a person, where the config lets agents: few times an hour, on the view that `why` gave you. If it is refused, propose the action.",
    input: z.strictObject({
      ...RolloutPath.shape,
      action: ActionName.extract(actionNames.filter(isProtective)),
      reason: ProposalRequest.shape.reason,
      expect: Expectation,
    }),
    output: Acted,
    read: (ask, { cluster, namespace, kind, name, ...body }) =>
      ask("actOnRollout", { path: { cluster, namespace, kind, name }, body: { ...body, agent: true } }),
  }),
];

/** Replaces the runs of a back-test by those whose verdict changes. */
function withChangedRuns(value: unknown): unknown {
  if (!isRecord(value) || !Array.isArray(value.runs)) return value;
  const { runs, ...rest } = value;
  return { ...rest, changed: runs.filter((run) => run.recorded.run !== run.proposed.run.phase) };
}
