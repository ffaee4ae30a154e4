import { parseMessage } from "#lib/domain/flagger/events/parse-message.ts";
import type { RunMessage } from "#lib/domain/flagger/measuring/run-message.ts";

const start = Date.parse("2026-01-01T00:00:00Z");

/** Returns a time as seconds after a fixed one. */
export function timeAt(seconds: number): string {
  return new Date(start + seconds * 1000).toISOString();
}

/** Makes messages of the Canary `a.b`, one every ten seconds unless given as `[seconds, text, count]`. */
export function tellMessages(texts: readonly (string | readonly [number, string, number?])[]): RunMessage[] {
  return texts.map((each, index) => {
    const [seconds, text, count] = typeof each === "string" ? [index * 10, each, undefined] : each;
    return { at: timeAt(seconds), source: "webhook", message: parseMessage(text), count };
  });
}

export const started = "New revision detected! Scaling up a.b";
export const tickZero = "Starting canary analysis for a.b";
export const copying = "Copying a.b template spec to a-primary.b";
export const rolledBack = "Canary failed! Scaling down a.b";
export const advance = (weight: number) => `Advance a.b canary weight ${weight}`;
export const iterate = (iteration: number, of = 3) => `Advance a.b canary iteration ${iteration}/${of}`;
export const halt = (metric: string, value = "5.00 > 3") => `Halt a.b advancement ${metric} ${value}`;
