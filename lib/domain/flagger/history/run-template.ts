import type { NamedWorkload } from "#lib/domain/delivery/related-state.ts";
import type { CanaryObject } from "#lib/domain/flagger/objects/canary-object.ts";
import { specOf } from "#lib/domain/flagger/objects/run-key.ts";
import { digestOf } from "#lib/domain/storable/digest-of.ts";
import type { RunMemory, RunTemplate } from "./run-memory.ts";

type Seen = {
  canary: CanaryObject;
  /** The memory of the run, with this version of the Canary. */
  run: RunMemory;
  /** The memory before this version of the Canary. */
  known: RunMemory | undefined;
  target: NamedWorkload | undefined;
  primary: NamedWorkload | undefined;
};

const promoted = ["Initialized", "Succeeded"];

/**
 * Returns the template of the run's revision, as far as it is certain. Undefined if no template is known.
 *
 * - A run whose beginning was observed has the template that its target had then: Flagger begins because it changed.
 *   Later changes of the target belong to the next run.
 * - A promoted revision has the target's template if the primary has the same.
 *
 * In every other state the target may have changed since: it waits for the start, Flagger is suspended, or observations
 * are missing.
 */
export function rememberTemplate({ canary, run, known, target, primary }: Seen): RunTemplate | undefined {
  const before = known?.template;
  const spec = specOf(run.runKey);
  const isAwaited = before?.spec === spec;
  if (spec === "" || (isAwaited && before.digest !== null)) return before;
  const former = isAwaited ? before.former : (before?.digest ?? null);
  const digest = target?.template?.digest;
  if (promoted.includes(canary.status.phase))
    return digest !== undefined && isSameVersion(target, primary) ? { spec, digest, former } : before;
  if (!run.isRunning || !(isAwaited || hasBegun(run, known))) return before;
  return { spec, digest: canary.spec.suspend === true ? null : findNewDigest({ former, target, primary }), former };
}

/**
 * Returns the digest of the target's template if it is newer than the previous revision, else null. Records of workloads
 * may arrive long after those of their Canary. An unknown previous revision is that of the primary: Flagger changes the
 * primary after the target, so a primary that differs still runs the version before.
 */
function findNewDigest({ former, target, primary }: Pick<Seen, "target" | "primary"> & { former: string | null }) {
  const digest = target?.template?.digest ?? null;
  if (former !== null) return digest === former ? null : digest;
  return primary?.template === undefined || isSameVersion(target, primary) ? null : digest;
}

/** Returns whether the run began between the version before and this version of the Canary. */
function hasBegun(run: RunMemory, known: RunMemory | undefined): boolean {
  return known !== undefined && !(known.isRunning && known.runKey === run.runKey);
}

/** Returns the digest of the template that the run's revision has; undefined if it is not known. */
export function templateDigestOf({ runKey, template }: RunMemory): string | undefined {
  return template?.spec === specOf(runKey) ? (template.digest ?? undefined) : undefined;
}

/**
 * Returns whether the target's record may still have the previous revision, and not the images of the run. Until its
 * promotion, this includes a run whose template has no recorded difference.
 */
export function isTargetBehind(
  { runKey, template }: RunMemory,
  { target, primary }: Pick<Seen, "target" | "primary">,
): boolean {
  if (template === undefined || template.spec !== specOf(runKey) || template.digest !== null) return false;
  return findNewDigest({ former: template.former, target, primary }) === null;
}

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
