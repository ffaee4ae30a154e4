import { z } from "zod";
import type { SourceKey } from "#lib/server/clusters/sources/watched-resources.ts";
import { inSpan, type Span, type Stages, startSpan, startStages } from "#lib/server/platform/telemetry/tracing.ts";

/** The trace of a change, from its watch line to its commit, and the stage that it is in. */
export type ChangeTrace = { span: Span; stages: Stages };

const Named = z.object({ metadata: z.object({ name: z.string(), namespace: z.string().optional() }) });

/** Begins the trace of a change whose line was read at `readAt` and has just been parsed. */
export function traceChange({
  source,
  object,
  readAt,
}: {
  source: SourceKey;
  object: unknown;
  readAt: number;
}): ChangeTrace | undefined {
  const span = startSpan("change", { kind: "consumer", isRoot: true, startAt: readAt });
  if (span === undefined) return undefined;
  const { name, namespace } = Named.safeParse(object).data?.metadata ?? {};
  span.set({
    "k8s.cluster.name": source.cluster,
    "k8s.namespace.name": namespace,
    "gatehouse.object": `${source.kind}/${name ?? ""}`,
  });
  startSpan("parse", { parent: span, startAt: readAt })?.end();
  return { span, stages: startStages(span) };
}

type Traced = { trace?: ChangeTrace | undefined };

/**
 * Ends the traces of a batch with it. The work belongs to the trace of the first change; the others refer to it.
 */
export async function traceBatch(entries: readonly Traced[], work: () => Promise<void>): Promise<void> {
  const traces = entries.flatMap(({ trace }) => trace ?? []);
  const [first, ...others] = traces;
  if (first === undefined) return work();
  for (const { stages } of traces) stages.end();
  try {
    await inSpan(
      "store",
      { parent: first.span, attributes: { "gatehouse.batch.objects": entries.length } },
      (batch) => {
        for (const { span } of others) if (batch !== undefined) span.link(batch);
        return work();
      },
    );
  } finally {
    for (const { span } of traces) span.end();
  }
}
