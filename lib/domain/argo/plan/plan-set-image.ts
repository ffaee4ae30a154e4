import { type ActionRefusal, refuse } from "#lib/domain/acting/plan.ts";
import { readImages, withImage } from "#lib/domain/argo/objects/template-images.ts";
import { formatSetImage } from "#lib/domain/argo/plan/action-text.ts";
import { describeRelease, draftTemplateChange, findTemplate } from "#lib/domain/argo/plan/plan-template.ts";
import type { Draft, PlanInput } from "#lib/domain/argo/plan/plan-types.ts";

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
