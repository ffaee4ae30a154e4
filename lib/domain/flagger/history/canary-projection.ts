import { z } from "zod";
import type { DeliverySummary } from "#lib/domain/delivery/provider.ts";
import type { CanaryObject } from "#lib/domain/flagger/objects/canary-object.ts";
import type { CanaryAssessment } from "#lib/domain/flagger/view/canary-state.ts";
import { CanaryDecisionView, computeCanaryDecisionView } from "#lib/domain/flagger/view/view-digest.ts";
import type { RunMemory } from "./run-memory.ts";

/** What is stored with each observation of a Canary: what a decision depends on, what is shown, what is remembered. */
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
    /** How a run ended that failed; null for one that did not. */
    failure: string | null;
    /** The Promoted condition's last transition, ISO 8601. */
    since: string | null;
  };
  memory: RunMemory;
  /** Digest of the primary's pod template while it has the version before; absent in observations of older versions. */
  stableTemplate?: string | undefined;
  isDeleted: boolean;
};

const Seen = z.looseObject({ view: CanaryDecisionView });
const Memory = z.looseObject({ memory: z.custom<RunMemory>() });

/** Reads the memory of a stored projection; undefined if there is none. */
export function readMemory(stored: unknown): RunMemory | undefined {
  const parsed = Memory.safeParse(stored);
  return parsed.success ? parsed.data.memory : undefined;
}

/** Returns the role of the pods that run the revision of the status: between runs, the target may have a newer one. */
function roleOf({ status: { phase } }: CanaryObject): "stable" | "canary" {
  return ["Initialized", "Succeeded", "Waiting"].includes(phase) ? "stable" : "canary";
}

/** Reads the view of a stored projection; undefined if there is none. */
export function readSeenView(stored: unknown): CanaryDecisionView | undefined {
  const parsed = Seen.safeParse(stored);
  return parsed.success ? parsed.data.view : undefined;
}

/** Adds the images to a stored projection that was made before the workload was recorded; undefined if it has them. */
export function completeProjection(
  stored: unknown,
  canary: CanaryObject,
  summary: DeliverySummary,
): CanaryProjection | undefined {
  // Made by `computeProjection`.
  const projection = stored as CanaryProjection;
  const images = imagesOf(canary, summary);
  if (projection.shown.images.length > 0 || images.length === 0) return undefined;
  return { ...projection, shown: { ...projection.shown, images } };
}

function imagesOf(canary: CanaryObject, { images }: DeliverySummary): string[] {
  return images.filter(({ tags }) => tags.includes(roleOf(canary))).map(({ image }) => image);
}

export function computeProjection({
  canary,
  summary,
  assessment,
  memory,
  stableTemplate,
  isDeleted,
}: {
  canary: CanaryObject;
  summary: DeliverySummary;
  assessment: CanaryAssessment;
  memory: RunMemory;
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
      images: imagesOf(canary, summary),
      gate: assessment.gate?.name ?? null,
      failure: isFailure ? assessment.state : null,
      since: canary.status.conditions.find(({ type }) => type === "Promoted")?.lastTransitionTime ?? null,
    },
    memory,
    ...(stableTemplate === undefined ? {} : { stableTemplate }),
    isDeleted,
  };
}
