import { z } from "zod";
import { ObjectMeta, optional, type Parsed, parseKubeObject } from "#lib/domain/argo/kube-object.ts";

const Text = optional(z.string()).transform((value) => value ?? "");

/** An Argo `Experiment`, as far as Gatehouse reads it. */
export const ExperimentObject = z.looseObject({
  kind: z.literal("Experiment"),
  metadata: ObjectMeta,
  spec: z.looseObject({}),
  status: optional(z.looseObject({ phase: Text, message: Text })),
});
export type ExperimentObject = z.infer<typeof ExperimentObject>;

export function parseExperiment(object: unknown): Parsed<ExperimentObject> {
  return parseKubeObject(ExperimentObject, object);
}
