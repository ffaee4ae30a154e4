import { type CanaryStep, type RolloutObject, stepsOf } from "#lib/domain/argo/objects/rollout-object.ts";
import { describeBackground } from "#lib/domain/argo/view/describe-detail.ts";
import { nameStep, type StepWords } from "#lib/domain/argo/view/rollout-steps.ts";
import { maxWeightOf } from "#lib/domain/argo/view/weights.ts";
import { formatList } from "#lib/util/words.ts";

type Unchecked = {
  text: string;
  /** It names every step that is left. */
  isWhole: boolean;
};

/** More would not be read. */
const shownMoves = 4;

/**
 * Warns that no analysis follows after `completed` steps, such as "v2.9.0 goes to 70 % now, then to 100 % after 10 s.
 * Nothing checks it again."; undefined if one does, or may: a plugin, or a
 * step of an unknown kind, can measure too.
 */
export function warnOfUnchecked({
  rollout,
  completed,
  version,
}: {
  rollout: RolloutObject;
  completed: number;
  version: string;
}): Unchecked | undefined {
  const steps = stepsOf(rollout).slice(completed);
  const maxWeight = maxWeightOf(rollout);
  const words = steps.map((step) => nameStep(step, maxWeight));
  const mayMeasure = !steps.every(isQuiet) || describeBackground({ rollout, step: completed }) !== undefined;
  if (mayMeasure) return undefined;
  const checks = words.some(({ kind }) => kind === "gate") ? "No analysis checks" : "Nothing checks";
  const moves = listMoves(words);
  if (moves.length > shownMoves || words.some(({ kind }) => kind === "other"))
    return { text: `${checks} ${version} again.`, isWhole: false };
  return { text: `${version} goes ${moves.join(", then ")}. ${checks} it again.`, isWhole: true };
}

function isQuiet({ setWeight, pause, setCanaryScale, setHeaderRoute, setMirrorRoute }: CanaryStep): boolean {
  return [setWeight, pause, setCanaryScale, setHeaderRoute, setMirrorRoute].some((part) => part !== undefined);
}

/** Lists "to 70 % now" and "to 100 % after 10 s", up to the promotion. */
function listMoves(words: readonly StepWords[]): string[] {
  const isAll = words.findLast(({ kind }) => kind === "weight")?.text === "100 %";
  const moves: string[] = [];
  let waits: string[] = [];
  for (const { kind, text } of isAll ? words : [...words, { kind: "weight", text: "100 %" }]) {
    if (kind === "pause") waits.push(`after ${text.replace(/^wait /, "")}`);
    if (kind === "gate") waits.push("when someone continues");
    if (kind !== "weight") continue;
    const when = waits.length > 0 ? ` ${formatList(waits)}` : moves.length === 0 ? " now" : "";
    moves.push(`to ${text}${when}`);
    waits = [];
  }
  return moves;
}
