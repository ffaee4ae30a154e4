import { outlinePatch } from "#lib/domain/acting/action-outline.ts";
import { type ActionRefusal, type Container, refuse } from "#lib/domain/acting/plan.ts";
import type { RolloutObject } from "#lib/domain/argo/objects/rollout-object.ts";
import { readImages, withImage } from "#lib/domain/argo/objects/template-images.ts";
import { type PatchTarget, planEffect } from "#lib/domain/argo/plan/action-effect.ts";
import type { ActionFacts } from "#lib/domain/argo/plan/action-facts.ts";
import { formatSetImage } from "#lib/domain/argo/plan/action-text.ts";
import type { LiveObjects } from "#lib/domain/argo/plan/plan-revisions.ts";
import { warnOfRevert } from "#lib/domain/argo/plan/plan-spec-changes.ts";
import { type Draft, listJudging, type PlanInput, warnOfEnded } from "#lib/domain/argo/plan/plan-types.ts";
import { findGitOpsOwner } from "#lib/domain/kube/find-field-holders.ts";
import { digestOf } from "#lib/domain/storable/digest-of.ts";
import { diffMerge, dropNulls, isSame } from "#lib/util/diff-merge.ts";
import { isRecord } from "#lib/util/json.ts";

type Fields = Record<string, unknown>;

export type TemplateSource = {
  template: Fields;
  /** Undefined for the rollout itself. */
  target: PatchTarget | undefined;
  warnings: string[];
  live: LiveObjects;
};

/** Finds the pod template: in the rollout, or in the Deployment that its `workloadRef` names. */
export function findTemplate({ rollout, live }: Pick<PlanInput, "rollout" | "live">): TemplateSource | ActionRefusal {
  const { workloadRef } = rollout.spec;
  if (live === undefined) return refuse("not_read", "Open the action to see the changes.");
  if (workloadRef === undefined)
    return rollout.spec.template === undefined
      ? refuse("no_template", "The rollout has no pod template.")
      : { template: asFields(rollout.spec.template), target: undefined, warnings: warnOfRevert(rollout), live };
  const { kind = "", name = "" } = workloadRef;
  const other = refuseWorkloadKind(rollout);
  if (other !== undefined) return other;
  const { workload } = live;
  if (workload === undefined) return refuse("no_workload", `Its template is in ${kind} ${name}, which does not exist.`);
  const { metadata, spec } = workload;
  if (metadata.deletionTimestamp !== undefined) return refuse("being_deleted", `${kind} ${name} is being deleted.`);
  const owner = findGitOpsOwner(metadata);
  const warnings = owner === undefined ? [] : [`${owner} owns ${kind} ${name} and may revert its template.`];
  const target: PatchTarget = {
    resource: "deployments",
    kind: "Deployment",
    name: metadata.name,
    uid: metadata.uid,
    resourceVersion: metadata.resourceVersion,
  };
  return { template: asFields(spec.template), target, warnings: [...warnOfRevert(rollout), ...warnings], live };
}

/**
 * Refuses other kinds: upstream's `set image` treats every reference as a Deployment, and its `undo` does not fit them.
 */
export function refuseWorkloadKind({ spec: { workloadRef } }: RolloutObject): ActionRefusal | undefined {
  if (workloadRef === undefined || workloadRef.kind === "Deployment") return undefined;
  return refuse(
    "workload_kind",
    `Its template is in ${workloadRef.kind ?? "a workload"} ${workloadRef.name ?? ""}: Gatehouse changes only Deployments.`,
  );
}

/** Drafts the change of the template to `wanted`; `podHash` is that of the revision, if known. */
export function draftTemplateChange({
  input: { rollout, facts },
  source: { template, target, warnings },
  wanted,
  effect,
  kubectl,
  podHash,
}: {
  input: PlanInput;
  source: TemplateSource;
  wanted: Fields;
  effect: string;
  kubectl: string;
  podHash?: string | undefined;
}): Draft {
  const body = { spec: { template: diffMerge(template, wanted) } };
  const where = target === undefined ? "" : ` The change goes into ${target.kind} ${target.name}.`;
  return {
    patches: [{ subresource: "", body }],
    shown: [{ subresource: "", body: outlinePatch(body) as Fields }],
    ...(target === undefined ? {} : { target }),
    effect: `${effect}${where}${describeState(facts)}`,
    // With another template none of the runs is current any more, and the controller ends those
    // (reconcileAnalysisRuns).
    warnings: [...warnings, ...warnOfEnded(listJudging(facts))],
    kubectl,
    expectedEffect: {
      ...planEffect({ rollout, kind: "template-set" }),
      target,
      template: {
        before: digestOf(template),
        wanted: digestOf(wanted),
        podHash,
        images: readNewImages(template, wanted),
      },
    },
  };
}

/** Returns all images of the wanted template if any of them changes; none if they do not show the difference. */
function readNewImages(template: Fields, wanted: Fields): Container[] {
  const images = readImages(wanted);
  return isSame(images, readImages(template)) ? [] : images;
}

function describeState({ specPaused, aborted }: ActionFacts): string {
  const paused = specPaused ? " It is paused manually (spec.paused): nothing rolls out until it is unpaused." : "";
  return `${aborted ? " This also ends the abort." : ""}${paused}`;
}

/** Describes what begins when the template changes. */
export function describeRelease({ strategy, stepCount }: ActionFacts): string {
  if (strategy === "canary" && stepCount > 0) return `a new release starts at step 1 of ${stepCount}`;
  return "a new release starts";
}

function asFields(value: unknown): Fields {
  const plain = dropNulls(value);
  return isRecord(plain) ? plain : {};
}

const host = String.raw`(?:[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?|\[[0-9A-Fa-f:]+\])(?::[0-9]{1,5})?`;
const part = String.raw`[a-z0-9]+(?:(?:\.|_{1,2}|-+)[a-z0-9]+)*`;
const tag = "[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}";
const digest = "[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,128}";
/** The grammar of image references (distribution/reference). */
const reference = new RegExp(`^(?:${host}/)?${part}(?:/${part})*(?::(${tag}))?(@${digest})?$`);
const maxReferenceLength = 512;

/**
 * Sets the image of one container, or of all (cmd/set/set_image.go of 9f8d111, as a patch instead of a replacement).
 */
export function planSetImage(input: PlanInput): Draft | ActionRefusal {
  const { facts, params } = input;
  const source = findTemplate(input);
  if ("kind" in source) return source;
  const { container = "", image = "" } = params;
  const containers = readImages(source.template);
  if (container === "" || image === "") return refuse("params_missing", "Choose a container and an image.");
  const match = image.length <= maxReferenceLength ? reference.exec(image) : null;
  if (match === null)
    return refuse("bad_image", `"${image.slice(0, 100)}" is not an image reference such as shop/app:1.2.`);
  const chosen = containers.filter(({ name }) => container === "*" || name === container);
  if (chosen.length === 0)
    return refuse(
      "no_container",
      `No container "${container}"; available: ${containers.map(({ name }) => name).join(", ") || "none"}.`,
    );
  const changed = chosen.filter((one) => one.image !== image);
  if (changed.length === 0) return refuse("same_image", `It already runs ${image}.`);
  const list = changed.map((one) => `${one.name} from ${one.image || "no image"}`).join(", ");
  const draft = draftTemplateChange({
    input,
    source,
    wanted: withImage({ template: source.template, container, image }),
    effect: `Sets container${changed.length === 1 ? "" : "s"} ${list} to ${image}: ${describeRelease(facts)}.`,
    kubectl: formatSetImage({ ...facts, container, image }),
  });
  return {
    ...draft,
    warnings: [...(draft.warnings ?? []), ...warnOfTag({ tag: match[1], isPinned: match[2] !== undefined })],
  };
}

function warnOfTag({ tag, isPinned }: { tag: string | undefined; isPinned: boolean }): string[] {
  if (isPinned || (tag !== undefined && tag !== "latest")) return [];
  return ["This reference can change: use a version or a digest."];
}
