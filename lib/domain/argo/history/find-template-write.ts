import type { RolloutProjection } from "#lib/domain/argo/history/rollout-projection.ts";
import { controllerManager } from "#lib/domain/argo/recognise-controller.ts";

/** The parts of an observation that are needed here. `at` in milliseconds since 1970. */
export type TrailItem = {
  at: number;
  writer: string | null;
  projection: Pick<RolloutProjection, "template" | "workloadGeneration" | "currentPodHash">;
};

/** The write of a pod template, and when the rollout was last seen to change before it. */
export type TemplateWrite = { client: string | null; at: number; previousAt: number };

/**
 * Finds the write of the pod template that the newest item of `trail` (oldest first) wants. The controller acts on it
 * in a later write of its own, and may fill in defaults in between. So this takes the newest write since the previous
 * pod hash that is not the controller's. Without one, the client is null, and the time is that of the template's first
 * change.
 */
export function findTemplateWrite(trail: readonly TrailItem[]): TemplateWrite | undefined {
  const [last, before] = [trail.at(-1), trail.at(-2)];
  if (last === undefined || before === undefined) return undefined;
  const hash = before.projection.currentPodHash;
  let found: TemplateWrite = { client: null, at: last.at, previousAt: before.at };
  for (let index = trail.length - 1; index > 0; index -= 1) {
    const [item, previous] = [trail[index], trail[index - 1]];
    if (item === undefined || previous === undefined || previous.projection.currentPodHash !== hash) break;
    if (!isTemplateChanged(previous, item)) continue;
    const isNamed = item.writer !== null && item.writer !== controllerManager;
    found = { client: isNamed ? item.writer : null, at: item.at, previousAt: previous.at };
    if (isNamed) break;
  }
  return found;
}

function isTemplateChanged({ projection: one }: TrailItem, { projection: other }: TrailItem): boolean {
  return one.template !== other.template || one.workloadGeneration !== other.workloadGeneration;
}
