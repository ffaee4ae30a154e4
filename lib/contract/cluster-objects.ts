import { z } from "zod";
import { ListQuery, Timestamp } from "#lib/contract/common.ts";

/** A pod of one of a rollout's ReplicaSets, as last seen. */
export const RolloutPod = z.object({
  uid: z.string(),
  namespace: z.string(),
  name: z.string(),
  replicaSet: z.string(),
  podHash: z.string().nullable(),
  revision: z.number().int().nullable(),
  phase: z.string().describe("Pending, Running, Succeeded, Failed or Unknown."),
  reason: z.string().nullable().describe("Why it is unhealthy, such as `CrashLoopBackOff`."),
  message: z.string(),
  ready: z.boolean(),
  containers: z.number().int(),
  readyContainers: z.number().int(),
  restarts: z.number().int(),
  node: z.string().nullable(),
  presence: z.enum(["live", "deleted"]),
  createdAt: Timestamp,
  startedAt: Timestamp.nullable(),
  goneAt: Timestamp.nullable(),
});
export type RolloutPod = z.infer<typeof RolloutPod>;

export const RolloutPodQuery = ListQuery.extend({
  replicaSet: z.string().max(253).optional().describe("The ReplicaSet's name."),
  presence: z.enum(["live", "deleted"]).optional(),
});
export type RolloutPodQuery = z.infer<typeof RolloutPodQuery>;

/** A cluster Event about the rollout or an object that belongs to it. */
export const RolloutEvent = z.object({
  uid: z.string(),
  involved: z.object({ kind: z.string(), name: z.string(), uid: z.string() }),
  type: z.string().describe("Normal or Warning."),
  reason: z.string(),
  message: z.string(),
  count: z.number().int().describe("How often it happened, by the cluster's count."),
  reporter: z.string().nullable(),
  firstAt: Timestamp,
  lastAt: Timestamp,
});
export type RolloutEvent = z.infer<typeof RolloutEvent>;

export const RolloutEventQuery = ListQuery.extend({
  type: z.enum(["Normal", "Warning"]).optional(),
  involvedKind: z.string().max(100).optional(),
});
export type RolloutEventQuery = z.infer<typeof RolloutEventQuery>;
