import { z } from "zod";
import { type MetricObject, MetricObject as MetricSchema } from "#lib/domain/argo/analysis-run-object.ts";
import { ObjectMeta, optional, type Parsed, parseKubeObject } from "#lib/domain/argo/kube-object.ts";

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

/** The metrics of a template's spec as stored; those that cannot be read are left out. */
export function readTemplateMetrics(spec: unknown): MetricObject[] {
  const { metrics } = LooseSpec.safeParse(spec).data ?? { metrics: undefined };
  return (metrics ?? []).flatMap((metric) => MetricSchema.safeParse(metric).data ?? []);
}

const LooseSpec = z.looseObject({ metrics: optional(z.array(z.unknown())), args: optional(z.array(z.unknown())) });
const Arg = z.looseObject({
  name: z.string(),
  value: optional(z.string()),
  valueFrom: optional(z.looseObject({ secretKeyRef: z.unknown() })),
});

/** The arguments of a template's spec as stored: `value` is the default, where there is one. */
export function readTemplateArgs(spec: unknown): { name: string; value: string | undefined; secret: boolean }[] {
  return (LooseSpec.safeParse(spec).data?.args ?? []).flatMap((item) => {
    const arg = Arg.safeParse(item).data;
    if (arg === undefined) return [];
    return { name: arg.name, value: arg.value, secret: arg.valueFrom?.secretKeyRef != null };
  });
}
