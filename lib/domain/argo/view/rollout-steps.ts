import {
  type CanaryStep,
  currentStepOf,
  type PluginStatus,
  type RolloutObject,
  stepsOf,
} from "#lib/domain/argo/objects/rollout-object.ts";
import { maxWeightOf, trafficShareOf } from "#lib/domain/argo/view/weights.ts";
import type { RolloutStep, StepPluginStatus } from "#lib/domain/delivery/detail.ts";
import { parseDurationMs } from "#lib/util/duration.ts";
import { formatLength } from "#lib/util/words.ts";

/**
 * Returns the kind of a step and its text as upstream writes it (utils/rollout CanaryStepString). A weight of another
 * maximum than 100 also has its share of the traffic.
 */
export function describeStep(step: CanaryStep, maxWeight: number): { kind: RolloutStep["kind"]; text: string } {
  const weigh = (weight: number): string =>
    maxWeight === 100 ? String(weight) : `${weight} (${trafficShareOf({ weight, maxWeight })} %)`;
  if (step.setWeight !== undefined) return { kind: "setWeight", text: `setWeight: ${weigh(step.setWeight)}` };
  if (step.pause !== undefined) {
    const { duration } = step.pause;
    return { kind: "pause", text: duration === undefined ? "pause" : `pause: ${duration}` };
  }
  if (step.experiment !== undefined) return { kind: "experiment", text: "experiment" };
  if (step.analysis !== undefined) return { kind: "analysis", text: "analysis" };
  if (step.setCanaryScale !== undefined)
    return { kind: "setCanaryScale", text: describeCanaryScale(step.setCanaryScale, weigh) };
  if (step.setHeaderRoute !== undefined)
    return { kind: "setHeaderRoute", text: `setHeaderRoute: ${step.setHeaderRoute.name ?? ""}` };
  if (step.setMirrorRoute !== undefined)
    return { kind: "setMirrorRoute", text: `setMirrorRoute: ${step.setMirrorRoute.name ?? ""}` };
  if (step.plugin !== undefined) return { kind: "plugin", text: `plugin: ${step.plugin.name ?? ""}` };
  return { kind: "unknown", text: "invalid" };
}

function describeCanaryScale(
  scale: NonNullable<CanaryStep["setCanaryScale"]>,
  weigh: (weight: number) => string,
): string {
  if (scale.weight !== undefined) return `setCanaryScale{weight: ${weigh(scale.weight)}}`;
  if (scale.matchTrafficWeight === true) return "setCanaryScale{matchTrafficWeight: true}";
  if (scale.replicas !== undefined) return `setCanaryScale{replicas: ${scale.replicas}}`;
  return "invalid";
}

/** Returns the seconds of a pause step: a number, digits, or a Go duration; undefined if it waits for a person. */
export function pauseSecondsOf(step: CanaryStep): number | undefined {
  const duration = step.pause?.duration;
  if (duration === undefined) return undefined;
  if (typeof duration === "number") return duration;
  if (/^\d+$/.test(duration)) return Number(duration);
  const durationMs = parseDurationMs(duration);
  return durationMs === undefined ? undefined : durationMs / 1000;
}

export function computeSteps(rollout: RolloutObject): RolloutStep[] {
  const current = currentStepOf(rollout);
  const maxWeight = maxWeightOf(rollout);
  const plugins = Map.groupBy(rollout.status.canary?.stepPluginStatuses ?? [], ({ index }) => index);
  return stepsOf(rollout).map((step, index) => ({
    index,
    ...describeStep(step, maxWeight),
    state: index < current ? "done" : index === current ? "current" : "pending",
    endsAt: index === current ? pauseEndOf(rollout, step) : null,
    pluginStatuses: (step.plugin === undefined ? [] : (plugins.get(index) ?? [])).map(toPluginStatus),
  }));
}

function toPluginStatus(status: PluginStatus): StepPluginStatus {
  const { name, operation, phase, message, executions, backoff, disabled } = status;
  return {
    ...{ name, operation, phase, message },
    executions: executions ?? null,
    backoff: backoff ?? null,
    disabled: disabled === true,
    startedAt: formatTime(status.startedAt),
    updatedAt: formatTime(status.updatedAt),
    finishedAt: formatTime(status.finishedAt),
  };
}

/** Formats a time of a foreign object as ISO 8601 with milliseconds; null for text that is not a time. */
export function formatTime(text: string | undefined): string | null {
  const date = new Date(text ?? "");
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}

function pauseEndOf(rollout: RolloutObject, step: CanaryStep): string | null {
  const seconds = pauseSecondsOf(step);
  const startedAt = (rollout.status.pauseConditions ?? []).find(
    (condition) => condition.reason === "CanaryPauseStep",
  )?.startTime;
  const start = startedAt === undefined ? Number.NaN : Date.parse(startedAt);
  return seconds === undefined || Number.isNaN(start) ? null : new Date(start + seconds * 1000).toISOString();
}

export type StepWords = {
  kind: "weight" | "pause" | "gate" | "analysis" | "experiment" | "other";
  /** Short enough for a row, such as `70 %`, `wait 10 s`, `analysis success-rate`. */
  text: string;
};

/** Describes a step in everyday words, not the spec's. A gate is a pause that only a person ends. */
export function nameStep(step: CanaryStep, maxWeight = 100): StepWords {
  if (step.setWeight !== undefined)
    return { kind: "weight", text: `${trafficShareOf({ weight: step.setWeight, maxWeight })} %` };
  if (step.pause !== undefined) return namePause(step);
  if (step.analysis !== undefined) return { kind: "analysis", text: `analysis${nameTemplates(step.analysis)}` };
  if (step.experiment !== undefined) return { kind: "experiment", text: "experiment" };
  return { kind: "other", text: nameOther(step, maxWeight) };
}

/** Describes the step in a sentence, such as `70 % traffic`. */
export function nameStepInSentence(step: CanaryStep, maxWeight = 100): string {
  const { kind, text } = nameStep(step, maxWeight);
  return kind === "weight" ? `${text} traffic` : kind === "gate" ? "a pause until someone continues" : text;
}

function namePause(step: CanaryStep): StepWords {
  if (step.pause?.duration === undefined) return { kind: "gate", text: "wait for a person" };
  const seconds = pauseSecondsOf(step);
  return { kind: "pause", text: `wait ${seconds === undefined ? step.pause.duration : formatLength(seconds)}` };
}

function nameOther(step: CanaryStep, maxWeight: number): string {
  const { setCanaryScale: scale } = step;
  if (scale?.weight !== undefined) return `canary pods at ${trafficShareOf({ weight: scale.weight, maxWeight })} %`;
  if (scale?.replicas !== undefined) return `${scale.replicas} canary ${scale.replicas === 1 ? "pod" : "pods"}`;
  if (scale !== undefined) return "canary pods follow the traffic";
  if (step.setHeaderRoute !== undefined) return `header route ${step.setHeaderRoute.name ?? ""}`.trimEnd();
  if (step.setMirrorRoute !== undefined) return `mirror route ${step.setMirrorRoute.name ?? ""}`.trimEnd();
  if (step.plugin !== undefined) return `plugin ${step.plugin.name ?? ""}`.trimEnd();
  return Object.keys(step).find((key) => step[key] !== undefined) ?? "a step of an unknown kind";
}

/** Formats " success-rate", or the number of templates; empty if none is named. */
export function nameTemplates({ templates }: { templates?: unknown }): string {
  const names = Array.isArray(templates)
    ? templates.flatMap((one: unknown) =>
        typeof one === "object" && one !== null && "templateName" in one && typeof one.templateName === "string"
          ? [one.templateName]
          : [],
      )
    : [];
  if (names.length === 0) return "";
  return names.length <= 2 ? ` ${names.join(" and ")}` : ` of ${names.length} templates`;
}
