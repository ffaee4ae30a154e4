import { z } from "zod";
import { ObjectMeta, optional, type Parsed, parseKubeObject } from "#lib/domain/kube/kube-object.ts";

export type TemplateKind = "AnalysisTemplate" | "ClusterAnalysisTemplate";

/** An Argo `AnalysisTemplate` or `ClusterAnalysisTemplate`; its spec is kept as it is. */
export const TemplateObject = z.looseObject({
  kind: z.enum(["AnalysisTemplate", "ClusterAnalysisTemplate"]),
  metadata: ObjectMeta,
  spec: optional(z.looseObject({})).transform((spec) => spec ?? {}),
});
export type TemplateObject = z.infer<typeof TemplateObject>;

export function parseTemplate(object: unknown): Parsed<TemplateObject> {
  return parseKubeObject(TemplateObject, object);
}
