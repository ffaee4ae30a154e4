import type { ExperimentLane } from "#components/releases/prepare-course.ts";
import { classifyAnalysis } from "#components/ui/classify-state.ts";
import { shortenImage } from "#lib/client/describe-images.ts";
import type { ReleaseExperiment } from "#lib/contract/release-course.ts";
import type { ReleaseRun } from "#lib/contract/rollout.ts";

/** Describes an analysis on the axis: "Analysis step 2: Failed, decided the release. errors failed twice". */
export function describeRunLane(
  name: string,
  { phase, message, decided = false }: Pick<ReleaseRun, "phase" | "message"> & { decided?: boolean },
): string {
  const { word } = classifyAnalysis(phase);
  return `Analysis ${name}: ${word}${decided ? ", decided the release" : ""}${message === "" ? "" : `. ${message}`}`;
}

/** Describes an Experiment on the axis, with the versions that it runs. */
export function describeExperimentLane(
  experiment: Pick<ExperimentLane, "name" | "phase" | "message" | "templates">,
): string {
  const { name, phase, message, templates } = experiment;
  const versions = templates.length === 0 ? "" : `. Side by side: ${describeTemplates(templates)}`;
  return `Experiment ${name}: ${classifyAnalysis(phase).word}${message === "" ? "" : `. ${message}`}${versions}`;
}

/** Names an analysis of an Experiment: its run's name without the Experiment's, which it begins with. */
export function nameWithin(experiment: string, { name }: Pick<ReleaseRun, "name">): string {
  return name.startsWith(`${experiment}-`) ? name.slice(experiment.length + 1) : name;
}

/** Lists the versions of an Experiment: "baseline (v1.9.0), candidate (v2.0.0)". */
export function describeTemplates(templates: ReleaseExperiment["templates"]): string {
  return templates
    .map(({ name, images }) => (images.length === 0 ? name : `${name} (${images.map(shortenImage).join(", ")})`))
    .join(", ");
}
