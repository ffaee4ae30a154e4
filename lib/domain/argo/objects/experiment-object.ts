import { z } from "zod";
import { isCompleted } from "#lib/domain/argo/analysis/phase.ts";
import { ObjectMeta, optional, type Parsed, parseKubeObject } from "#lib/domain/kube/kube-object.ts";

const Text = optional(z.string()).transform((value) => value ?? "");

const Count = optional(z.number()).transform((value) => value ?? 0);
const Items = <Item extends z.ZodType>(item: Item) => optional(z.array(item)).transform((list) => list ?? []);

/** An Argo `Experiment`, as far as Gatehouse reads it. */
export const ExperimentObject = z.looseObject({
  kind: z.literal("Experiment"),
  metadata: ObjectMeta,
  spec: z.looseObject({
    duration: optional(z.string()),
    progressDeadlineSeconds: optional(z.number()),
    terminate: optional(z.boolean()).transform((value) => value ?? false),
    templates: Items(
      z.looseObject({
        name: z.string(),
        replicas: optional(z.number()),
        template: optional(
          z.looseObject({
            spec: optional(z.looseObject({ containers: Items(z.looseObject({ image: Text })) })),
          }),
        ),
      }),
    ),
    analyses: Items(
      z.looseObject({
        name: z.string(),
        templateName: Text,
        clusterScope: optional(z.boolean()).transform((value) => value ?? false),
        args: Items(z.looseObject({ name: Text, value: Text })),
        requiredForCompletion: optional(z.boolean()).transform((value) => value ?? false),
      }),
    ),
  }),
  status: optional(
    z.looseObject({
      phase: Text,
      message: Text,
      availableAt: optional(z.string()),
      conditions: Items(
        z.looseObject({
          type: z.string(),
          status: Text,
          lastTransitionTime: optional(z.string()),
          lastUpdateTime: optional(z.string()),
        }),
      ),
      templateStatuses: Items(
        z.looseObject({
          name: z.string(),
          status: Text,
          message: Text,
          replicas: Count,
          updatedReplicas: Count,
          readyReplicas: Count,
          availableReplicas: Count,
          lastTransitionTime: optional(z.string()),
        }),
      ),
      analysisRuns: Items(z.looseObject({ name: z.string(), analysisRun: Text, phase: Text, message: Text })),
    }),
  ),
});
export type ExperimentObject = z.infer<typeof ExperimentObject>;

export function parseExperiment(object: unknown): Parsed<ExperimentObject> {
  return parseKubeObject(ExperimentObject, object);
}

/**
 * Returns when it ended: according to its condition, else when the last of its ReplicaSets did. Undefined while it
 * runs, or if neither is known.
 */
export function experimentEndOf({ status }: ExperimentObject): string | undefined {
  if (status === undefined || !isCompleted(status.phase)) return undefined;
  const ended = status.conditions.find((condition) => condition.type === "Completed" && condition.status === "True");
  const end = ended?.lastTransitionTime ?? ended?.lastUpdateTime;
  const changes = status.templateStatuses.flatMap((template) => template.lastTransitionTime ?? []);
  return end ?? changes.toSorted().at(-1);
}
