import { z } from "zod";
import type { RunTemplate } from "#lib/domain/delivery/measuring.ts";
import { ObjectMeta, optional, type Parsed, parseKubeObject } from "#lib/domain/kube/kube-object.ts";

/** A Flagger `MetricTemplate`; its spec is kept as it is. */
const MetricTemplateObject = z.looseObject({
  kind: z.literal("MetricTemplate"),
  metadata: ObjectMeta,
  spec: optional(z.looseObject({})).transform((spec) => spec ?? {}),
});

/** Parses a MetricTemplate, which names no other templates. */
export function parseMetricTemplate(object: unknown): Parsed<RunTemplate> {
  const parsed = parseKubeObject(MetricTemplateObject, object);
  if (!parsed.ok) return parsed;
  const { metadata, spec } = parsed.value;
  return { ok: true, value: { metadata, spec, listTemplateRefs: () => [] } };
}
