import { z } from "zod";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import type { Connection } from "#lib/server/platform/db/run-query.ts";
import { readPodTemplates } from "./read-pod-templates.ts";
import { isOfRelease } from "./release-observations.ts";

const Annotated = z.object({ metadata: z.object({ annotations: z.record(z.string(), z.unknown()) }) });

/**
 * Reads the annotations of a release, and returns a function with the values of one: that of the pod template, and that of
 * its rollout as it was at the beginning. The pod template belongs to the version; an annotation of the rollout may be
 * left over from the version before.
 */
export async function readAnnotations(
  connection: Connection,
  release: Parameters<typeof isOfRelease>[0],
): Promise<(name: string) => (string | null)[]> {
  const [templates, observation] = await Promise.all([
    readPodTemplates(connection, release.rollout_id, [release.run_key]),
    prismaOn(connection).observation.findFirst({
      where: isOfRelease(release),
      orderBy: { id: "asc" },
      select: { object: true },
    }),
  ]);
  return (name) => [templates.get(release.run_key), observation?.object].map((object) => annotationOf(object, name));
}

function annotationOf(object: unknown, name: string): string | null {
  const parsed = Annotated.safeParse(object);
  if (!parsed.success) return null;
  const { annotations } = parsed.data.metadata;
  const value = Object.hasOwn(annotations, name) ? annotations[name] : undefined;
  return typeof value === "string" ? value : null;
}
