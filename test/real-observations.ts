import { type ArgoObservation, computeProjection } from "#lib/domain/argo/history/rollout-projection.ts";
import { parseRollout } from "#lib/domain/argo/objects/rollout-object.ts";
import { knownControllerManagers, nameWriter } from "#lib/domain/argo/recognise-controller.ts";
import { computeRolloutView } from "#lib/domain/argo/view/rollout-view.ts";
import { computeWriter, type FieldsMark, markManagedFields } from "#lib/domain/kube/compute-writer.ts";
import { type RealStream, readRealStream, statesOf } from "./real-streams.ts";

/** Returns the names of the rollouts in a recording. */
export function rolloutsOf(stream: RealStream): string[] {
  const lines = readRealStream(stream).filter(({ object }) => object.kind === "Rollout");
  return [...new Set(lines.map(({ object }) => object.metadata.name))];
}

/** Returns the observations of one rollout, as the recorder would store them. */
export function observationsOf(stream: RealStream, name: string): ArgoObservation[] {
  const lines = readRealStream(stream);
  const times = new Map(lines.map(({ at, object }) => [object.metadata.resourceVersion, at]));
  const observations: ArgoObservation[] = [];
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
