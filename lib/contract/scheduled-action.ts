import { z } from "zod";
import { ActionParams } from "#lib/contract/action.ts";
import { RolloutRef, Timestamp } from "#lib/contract/common.ts";
import { get, remove } from "#lib/contract/endpoint.ts";
import { ActionName } from "#lib/contract/rollout.ts";

/**
 * `running`: its time has come, and a process does it. `done`: it became the action `actionId`, which has the outcome.
 * `refused`: by the checks at its time. `superseded`: the rollout changed or a person acted before its time. `missed`:
 * Gatehouse could not do it in time.
 */
export const ScheduledState = z.enum(["pending", "running", "done", "refused", "superseded", "missed", "withdrawn"]);
export type ScheduledState = z.infer<typeof ScheduledState>;

export const ScheduledAction = z.object({
  id: z.string(),
  rollout: RolloutRef,
  action: ActionName,
  params: ActionParams,
  reason: z.string().nullable(),
  dueAt: Timestamp,
  state: ScheduledState,
  message: z.string().describe("Why it ended, in words; empty while it is pending."),
  requestedBy: z.string().describe("Display name; not unique."),
  requestedByUsername: z.string(),
  own: z.boolean().describe("You requested it."),
  withdrawable: z.boolean().describe("It is pending, and you may withdraw it: you requested it, or may do the action."),
  requestedAt: Timestamp,
  endedAt: Timestamp.nullable(),
  actionId: z.string().nullable().describe("The action that it became."),
});
export type ScheduledAction = z.infer<typeof ScheduledAction>;

export const ScheduledListQuery = z.strictObject({
  cluster: z.string().optional(),
  namespace: z.string().optional(),
  name: z.string().optional(),
});
export type ScheduledListQuery = z.infer<typeof ScheduledListQuery>;

const ById = z.strictObject({ id: z.uuid() });

/** The part of the endpoint table about scheduled actions. They are made by `actOnRollout`. */
export const scheduledActionEndpoints = {
  listScheduledActions: get(
    "/api/v1/scheduled-actions",
    "Actions that are to be done later, and those that were not done in the last day",
    {
      query: ScheduledListQuery,
      response: z.object({ items: z.array(ScheduledAction).describe("By their time; at most 500.") }),
    },
  ),
  getScheduledAction: get("/api/v1/scheduled-actions/{id}", "One scheduled action, and how it ended", {
    params: ById,
    query: z.strictObject({}),
    response: ScheduledAction,
  }),
  withdrawScheduledAction: remove("/api/v1/scheduled-actions/{id}", "Withdraws an action that is to be done later", {
    role: "operator",
    params: ById,
    response: ScheduledAction,
  }),
} as const;
