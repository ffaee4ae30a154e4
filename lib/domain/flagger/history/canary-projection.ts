import { z } from "zod";
import type { DeliverySummary } from "#lib/domain/delivery/provider.ts";
import type { CanaryObject } from "#lib/domain/flagger/objects/canary-object.ts";
import type { CanaryAssessment } from "#lib/domain/flagger/view/canary-state.ts";
import { CanaryDecisionView, computeCanaryDecisionView } from "#lib/domain/flagger/view/decision-view.ts";
import type { RunMemory } from "./run-memory.ts";

/**
 * The stored part of each observation of a Canary: the fields that decisions depend on, the shown fields, and the
 * memory.
 */
export type CanaryProjection = {
  view: CanaryDecisionView;
  shown: {
    phase: string;
    message: string;
    strategy: string | null;
    /** Rounds that are over. */
    step: number | null;
    stepCount: number;
    /** Percent of traffic on the canary; null if it is unknown, or if it depends on the request. */
    weight: number | null;
    images: string[];
    /** The gate that it waits for. */
    gate: string | null;
    /** How the run failed; null if it did not. */
    failure: string | null;
    /** The Promoted condition's last transition, ISO 8601. */
    since: string | null;
  };
  memory: RunMemory;
  /**
   * Digest of the primary's pod template while it has the previous version; absent in observations of older versions.
   */
  stableTemplate?: string | undefined;
  isDeleted: boolean;
};

const Seen = z.looseObject({ view: CanaryDecisionView });
const Memory = z.looseObject({ memory: z.custom<RunMemory>() });

/** Reads the memory of a stored projection; undefined if missing. */
export function readMemory(stored: unknown): RunMemory | undefined {
  const parsed = Memory.safeParse(stored);
  return parsed.success ? parsed.data.memory : undefined;
}

/** Returns the role of the pods that run the revision of the status: between runs, the target may have a newer one. */
function roleOf({ status: { phase } }: CanaryObject): "stable" | "canary" {
  return ["Initialized", "Succeeded", "Waiting"].includes(phase) ? "stable" : "canary";
}

/** Reads the view of a stored projection; undefined if missing. */
export function readSeenView(stored: unknown): CanaryDecisionView | undefined {
  const parsed = Seen.safeParse(stored);
  return parsed.success ? parsed.data.view : undefined;
}

type Known = {
  canary: CanaryObject;
  summary: DeliverySummary;
  /** With the template of the run's revision. */
  memory: RunMemory;
  /** The target's record still has the previous revision. */
  isTargetBehind: boolean;
};

/** Returns whether a stored projection has no images or no template of its revision: a workload was recorded after it. */
export function lacksWorkloads(stored: unknown): boolean {
  // Made by `computeProjection`.
  const { shown, memory } = stored as CanaryProjection;
  return shown.images.length === 0 || memory.template?.digest === null;
}

/** Adds to a stored projection the data of a workload that was recorded later; undefined if there is nothing to add. */
export function completeProjection(projection: CanaryProjection, known: Known): CanaryProjection | undefined {
  const { template } = projection.memory;
  const isTemplateNew = template?.digest === null && known.memory.template?.digest !== null;
  const { shown } = projection;
  const images = shown.images.length > 0 ? shown.images : imagesOf(known);
  if (!isTemplateNew && images.length === shown.images.length) return undefined;
  return {
    ...projection,
    shown: { ...shown, images },
    ...(isTemplateNew ? { memory: { ...projection.memory, template: known.memory.template } } : {}),
  };
}

/** Returns the images of the run's revision; empty if they are not known. */
function imagesOf({ canary, summary: { images }, isTargetBehind }: Omit<Known, "memory">): string[] {
  const role = roleOf(canary);
  if (role === "canary" && isTargetBehind) return [];
  return images.filter(({ tags }) => tags.includes(role)).map(({ image }) => image);
}

export function computeProjection({
  canary,
  summary,
  assessment,
  memory,
  isTargetBehind,
  stableTemplate,
  isDeleted,
}: Known & {
  assessment: CanaryAssessment;
  stableTemplate?: string | undefined;
  isDeleted: boolean;
}): CanaryProjection {
  const { phase, message, strategy, step, stepCount } = summary;
  const isFailure = assessment.state.startsWith("failed-") || assessment.state.startsWith("promotion-failed-");
  return {
    view: computeCanaryDecisionView(canary),
    shown: {
      ...{ phase, message, strategy, step, stepCount },
      weight: assessment.trafficOnCanary,
      images: imagesOf({ canary, summary, isTargetBehind }),
      gate: assessment.gate?.name ?? null,
      failure: isFailure ? assessment.state : null,
      since: canary.status.conditions.find(({ type }) => type === "Promoted")?.lastTransitionTime ?? null,
    },
    memory,
    ...(stableTemplate === undefined ? {} : { stableTemplate }),
    isDeleted,
  };
}
