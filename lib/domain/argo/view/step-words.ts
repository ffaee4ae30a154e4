import type { CanaryStep } from "#lib/domain/argo/objects/rollout-object.ts";
import { pauseSecondsOf } from "#lib/domain/argo/view/rollout-steps.ts";
import { trafficShareOf } from "#lib/domain/argo/view/traffic-share.ts";
import { formatLength } from "#lib/util/format-length.ts";

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
