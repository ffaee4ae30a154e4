import { parseRollout } from "#lib/domain/argo/rollout-object.ts";
import { computeRolloutView } from "#lib/domain/argo/rollout-view.ts";
import { computeProjection, type Observation } from "#lib/domain/delivery/rollout-projection.ts";
import { computeWriter, type FieldsMark, markManagedFields } from "#lib/domain/history/compute-writer.ts";
import { knownControllerManagers } from "#lib/domain/oversight/known-managers.ts";
import { nameWriter } from "#lib/domain/oversight/recognise-controller.ts";
import { type RealStream, readRealStream, statesOf } from "./real-streams.ts";

/** The names of the rollouts of a recording. */
export function rolloutsOf(stream: RealStream): string[] {
  const lines = readRealStream(stream).filter(({ object }) => object.kind === "Rollout");
  return [...new Set(lines.map(({ object }) => object.metadata.name))];
}

/** The observations of one rollout, as the recorder would store them. */
export function observationsOf(stream: RealStream, name: string): Observation[] {
  const lines = readRealStream(stream);
  const times = new Map(lines.map(({ at, object }) => [object.metadata.resourceVersion, at]));
  const observations: Observation[] = [];
  let marks: FieldsMark[] | undefined;
  for (const object of statesOf(lines, "Rollout", name)) {
    const { resourceVersion, managedFields } = object.metadata;
    const parsed = parseRollout(object);
    if (!parsed.ok) throw new Error(parsed.reason);
    const current = markManagedFields(managedFields);
    const writer = computeWriter({ current, previous: marks });
    marks = current;
    const view = computeRolloutView({ rollout: parsed.value, replicaSets: [] });
    const projection = computeProjection(parsed.value, view);
    if (JSON.stringify(projection) === JSON.stringify(observations.at(-1)?.projection)) continue;
    observations.push({
      observedAt: times.get(resourceVersion) ?? "",
      resourceVersion,
      writer:
        writer === undefined
          ? null
          : nameWriter(writer, { kind: "Rollout", managedFields, managers: knownControllerManagers }),
      projection,
    });
  }
  return observations;
}
