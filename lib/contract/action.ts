import { z } from "zod";
import { Block } from "#lib/contract/action-needs.ts";
import { RequiredReason, RolloutRef, Timestamp } from "#lib/contract/common.ts";
import { ActionName, AllowedAction } from "#lib/contract/rollout.ts";
import { longestScheduleDays } from "#lib/domain/acting/schedule.ts";

export const ActionState = z.enum([
  "requested",
  "refused",
  "applied",
  "effective",
  "not-effective",
  "partial",
  "unknown",
]);
export type ActionState = z.infer<typeof ActionState>;

/**
 * Why an action is `not-effective`. `awaited`: it has no effect yet, and we still watch for one. `superseded`:
 * something else took its place. `given-up`: we watched for a day.
 */
export const NoEffectWhy = z.enum(["awaited", "superseded", "given-up"]);
export type NoEffectWhy = z.infer<typeof NoEffectWhy>;

/** The state that the person saw: actions that advance a rollout are refused if the digest is out of date. */
export const Expectation = z.strictObject({
  viewDigest: z.string().max(200),
  uid: z.string().max(200).optional(),
  revisionKey: z.string().max(200).optional(),
  passesPauses: z
    .array(z.number().int().min(0))
    .max(1000)
    .optional()
    .describe(
      "`passesPauses` of the action as shown. Gatehouse refuses the action if it may now pass another pause. Absent: not compared.",
    ),
  targetVersion: z
    .string()
    .max(300)
    .optional()
    .describe(
      "`targetVersion` of the action as shown. Gatehouse refuses the action if the workload has changed since. Absent: not compared.",
    ),
  blocks: z
    .array(Block)
    .max(1000)
    .optional()
    .describe(
      "With `breakGlass`: `needs.blocks` of the action as shown. Gatehouse overrides only these, and refuses the action if others are in force. Absent: overrides all that are.",
    ),
});
export type Expectation = z.infer<typeof Expectation>;

/** Parameters of an action request. */
export const ActionParams = z.object({
  toRevision: z.number().int().min(0).optional().describe("undo: absent or 0 for the revision before the current one."),
  container: z
    .string()
    .min(1)
    .max(253)
    .optional()
    .describe("set-image: a container's name, or `*` for all containers."),
  image: z.string().min(1).max(512).optional().describe("set-image: the image reference."),
  at: z.iso.datetime({ offset: true }).optional().describe("restart: pods created before this moment; absent for now."),
});
export type ActionParams = z.infer<typeof ActionParams>;

/** A run or an Experiment. */
export const ActionSubject = z.strictObject({ kind: z.enum(["AnalysisRun", "Experiment"]), uid: z.string().max(200) });
export type ActionSubject = z.infer<typeof ActionSubject>;

const takes: Readonly<Record<string, readonly (keyof ActionParams)[]>> = {
  undo: ["toRevision"],
  "set-image": ["container", "image"],
  restart: ["at"],
};
const needs: typeof takes = { "set-image": ["container", "image"] };

/** Refuses parameters of another action, which would silently have no effect. */
export function assertParamsFit(request: { action: string } & ActionParams, context: z.RefinementCtx): void {
  for (const key of Object.keys(ActionParams.shape) as (keyof ActionParams)[]) {
    const isTaken = takes[request.action]?.includes(key) ?? false;
    if (request[key] !== undefined && !isTaken)
      context.addIssue({ code: "custom", path: [key], message: `${request.action} takes no ${key}` });
    if (request[key] === undefined && (needs[request.action]?.includes(key) ?? false))
      context.addIssue({ code: "custom", path: [key], message: `required for ${request.action}` });
  }
}

const requestShape = {
  action: ActionName,
  ...ActionParams.shape,
  reason: z.string().max(2000).optional(),
  breakGlass: z
    .boolean()
    .optional()
    .describe("Override a freeze, or act ahead of a set; requires the break-glass right and a fresh sign-in."),
  approval: z.uuid().optional().describe("Id of a second person's approval, if a policy requires one."),
  expect: Expectation,
};

export const ActionRequest = z.strictObject(requestShape).superRefine(assertParamsFit);
export type ActionRequest = z.infer<typeof ActionRequest>;

/** Refuses to schedule what a person must decide at that time. */
function assertSchedulable(
  { dueAt, breakGlass, approval }: { dueAt?: unknown; breakGlass?: unknown; approval?: unknown },
  context: z.RefinementCtx,
): void {
  if (dueAt === undefined) return;
  const message = "cannot be scheduled: act at that time, or leave out dueAt to act now";
  if (breakGlass === true) context.addIssue({ code: "custom", path: ["breakGlass"], message });
  if (approval !== undefined) context.addIssue({ code: "custom", path: ["approval"], message });
}

/** Refuses what only people do: an agent's request carries none of it. */
function assertAgentFits(
  { agent, reason, ...own }: { agent?: true | undefined; reason?: string | undefined; [key: string]: unknown },
  context: z.RefinementCtx,
): void {
  if (agent === undefined) return;
  if (!RequiredReason.safeParse(reason).success)
    context.addIssue({ code: "custom", path: ["reason"], message: "required of an agent" });
  for (const key of ["breakGlass", "approval", "dueAt"].filter((each) => own[each] !== undefined))
    context.addIssue({ code: "custom", path: [key], message: "not for an agent: propose the action instead" });
}

export const RolloutActionRequest = z
  .strictObject({
    ...requestShape,
    dueAt: z.iso
      .datetime({ offset: true })
      .optional()
      .describe(
        `Schedules the action for this time, at most ${longestScheduleDays} days from now, instead of doing it now. It is judged now for that time, and again at that time.`,
      ),
    agent: z
      .literal(true)
      .optional()
      .describe(
        "An agent acts by itself. Refuses all but protective actions, on exactly the view of `expect`, where a role binding has `agentsMayAct` and no rule asks for a person. Requires a token and a reason.",
      ),
  })
  .superRefine(assertParamsFit)
  .superRefine(assertAgentFits)
  .superRefine(assertSchedulable);
export type RolloutActionRequest = z.infer<typeof RolloutActionRequest>;

export const ActionPlanRequest = z.strictObject({ action: ActionName, ...ActionParams.shape });
export type ActionPlanRequest = z.infer<typeof ActionPlanRequest>;

/** The planned effect of an action, computed from the live object that the caller reads from the cluster. */
export const ActionPlanAnswer = AllowedAction.extend({
  view: z
    .object({ viewDigest: z.string(), uid: z.string(), revisionKey: z.string() })
    .nullable()
    .describe("The rollout that it was planned for, so that a page can check it against the rollout on screen."),
});
export type ActionPlanAnswer = z.infer<typeof ActionPlanAnswer>;

export const ActionAccepted = z.object({
  id: z.string(),
  state: ActionState,
  auditSeq: z.number().int(),
  links: z.object({
    self: z.string(),
    rollout: z.string().optional().describe("Absent if no rollout owns the run."),
    subject: z.string().optional().describe("The run or Experiment that it acted on."),
    audit: z.string(),
  }),
});
export type ActionAccepted = z.infer<typeof ActionAccepted>;

export const Action = z.object({
  id: z.string(),
  rollout: RolloutRef.describe("The rollout, or the run if no rollout owns it."),
  subject: ActionSubject.extend({ name: z.string() }).nullable().describe("The run or Experiment that it acted on."),
  action: ActionName,
  params: ActionParams,
  state: ActionState,
  final: z.boolean().describe("False while the state can still change; `not-effective` then means no effect yet."),
  why: NoEffectWhy.nullable().describe("Why it is not-effective; null in other states, and for old actions."),
  watchedUntil: Timestamp.nullable().describe("Until when Gatehouse keeps watching for the effect."),
  reason: z.string().nullable(),
  actor: z.string().describe("Display name; not unique."),
  actorUsername: z.string().nullable().describe("The name that the identity provider gave; null for old actions."),
  message: z.string().describe("The outcome in words; the API server's own text if it refused."),
  auditSeq: z.number().int().nullable(),
  outcomeSeq: z.number().int().nullable(),
  requestedAt: Timestamp,
  appliedAt: Timestamp.nullable(),
  effectiveAt: Timestamp.nullable(),
});
export type Action = z.infer<typeof Action>;
