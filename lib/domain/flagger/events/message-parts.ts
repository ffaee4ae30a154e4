import { parseGoDuration } from "#lib/util/duration.ts";
import type { MessageFacts } from "./flagger-message.ts";

/** One message format. `read` gets the named groups; undefined if the text does not fit after all. */
export type MessageRule = {
  pattern: RegExp;
  read(groups: Readonly<Record<string, string | undefined>>): MessageFacts | undefined;
};

/** Applies the first rule that fits. */
export function applyRules(rules: readonly MessageRule[], text: string): MessageFacts | undefined {
  for (const { pattern, read } of rules) {
    const match = pattern.exec(text);
    const facts = match === null ? undefined : read(match.groups ?? {});
    if (facts !== undefined) return facts;
  }
  return undefined;
}

/** Splits `name.namespace` at the last dot: names may contain dots, namespaces may not. */
export function splitName(text: string | undefined): { name: string; namespace: string } | undefined {
  const dot = text?.lastIndexOf(".") ?? -1;
  if (text === undefined || dot < 1 || dot === text.length - 1) return undefined;
  return { name: text.slice(0, dot), namespace: text.slice(dot + 1) };
}

export function ofCanary(text: string | undefined) {
  const split = splitName(text);
  return split === undefined ? undefined : { ...split, nameIs: "canary" as const };
}

export function ofTarget(text: string | undefined) {
  const split = splitName(text);
  return split === undefined ? undefined : { ...split, nameIs: "target" as const };
}

/** A number as Go prints it with %v or %.2f. */
export const goNumber = String.raw`[-+]?(?:\d+(?:\.\d+)?(?:e[-+]\d+)?|Inf)`;

/** Reads a text that matches `goNumber`. */
export function readGoNumber(text: string): number {
  return Number(text.replace("Inf", "Infinity"));
}

/** Reads a duration in Go's format as seconds; undefined for another text. */
export function readGoSeconds(text: string): number | undefined {
  const parsed = parseGoDuration(text);
  return "error" in parsed ? undefined : Number(parsed.nanoseconds) / 1e9;
}
