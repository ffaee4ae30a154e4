import { z } from "zod";
import { ObjectMeta, optional, type Parsed, parseKubeObject } from "#lib/domain/kube/kube-object.ts";
import { isRecord } from "#lib/util/json.ts";

type TemplateKind = "AnalysisTemplate" | "ClusterAnalysisTemplate";

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

/** Names a template from within a namespace: `AnalysisTemplate/name`, or `ClusterAnalysisTemplate/name`. */
export function formatTemplateRef({ kind, name }: { kind: TemplateKind; name: string }): string {
  return `${kind}/${name}`;
}

/**
 * Collects the analysis templates named in a spec: in the strategy of a Rollout, the analyses of an Experiment or the
 * `templates` of a template. Any place counts: background, step, pre- and post-promotion analyses, and experiments of
 * steps.
 */
export function collectTemplateRefs(spec: unknown): string[] {
  const refs = new Set<string>();
  if (isRecord(spec)) {
    collect(spec.strategy, refs);
    collect(spec.analyses, refs);
    collect(spec.templates, refs);
  }
  return [...refs].toSorted();
}

/** Collects only fields named `templateName`; fields with pods are skipped. */
function collect(value: unknown, refs: Set<string>): void {
  if (Array.isArray(value)) for (const item of value) collect(item, refs);
  else if (isRecord(value)) {
    const { templateName, clusterScope } = value;
    if (typeof templateName === "string" && templateName !== "")
      refs.add(
        formatTemplateRef({
          kind: clusterScope === true ? "ClusterAnalysisTemplate" : "AnalysisTemplate",
          name: templateName,
        }),
      );
    for (const [key, inner] of Object.entries(value)) if (key !== "template") collect(inner, refs);
  }
}
