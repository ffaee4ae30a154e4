import type { NamedWorkload } from "#lib/domain/delivery/related-state.ts";
import { digestOf } from "#lib/domain/storable/digest-of.ts";

/**
 * Returns whether target and primary run the same version, by their recorded pod templates. False if one is not
 * recorded.
 */
export function isSameVersion(target: NamedWorkload | undefined, primary: NamedWorkload | undefined): boolean {
  if (target?.template === undefined || primary?.template === undefined) return false;
  const [original, copy] = [target.template.content, primary.template.content];
  return digestOf(cleanCopy(copy, original)) === digestOf(original);
}

const suffix = /-primary$/;
const idAnnotation = "flagger-id";

/**
 * Removes what Flagger adds when it copies the target's pod template to the primary: names that end in `-primary`, and an
 * id in an annotation (pkg/canary/deployment_controller.go, createPrimaryDeployment and Promote). Texts that `original`
 * has as well stay as they are.
 */
export function cleanCopy(copy: unknown, original: unknown): unknown {
  const own = new Set<string>();
  collectTexts(original, own);
  return clean(copy, own);
}

function clean(value: unknown, own: ReadonlySet<string>): unknown {
  if (typeof value === "string") return own.has(value) ? value : value.replace(suffix, "");
  if (Array.isArray(value)) return value.map((member) => clean(member, own));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, member]) => name !== idAnnotation && !hasOnlyId(member))
      .map(([name, member]) => [name, clean(member, own)]),
  );
}

function hasOnlyId(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const names = Object.keys(value);
  return names.length === 1 && names[0] === idAnnotation;
}

function collectTexts(value: unknown, found: Set<string>): void {
  if (typeof value === "string") found.add(value);
  else if (typeof value === "object" && value !== null)
    for (const member of Object.values(value)) collectTexts(member, found);
}
