import { jsonShape, parseJson } from "#lib/util/json.ts";
import { parseEventList } from "./audit-event.ts";
import { type EventRules, judgeEvent, type ObjectWrite } from "./judge-event.ts";

export type JudgedEvents = { writes: ObjectWrite[]; unreadable: number };

/** Twice the number of values in a batch of the largest size. Each costs up to 2 µs and 100 bytes to parse. */
const maxValues = 2_000_000;
/** An API server takes no object that is nested deeper (Go's encoding/json, `maxNestingDepth`). */
const maxDepth = 10_000;

/**
 * Judges the events of a batch, which is an `EventList` in JSON. Undefined if it is something else, or has more values
 * than any batch. Takes seconds for hostile input, so it belongs in a thread.
 */
export function judgeEventList({
  bytes,
  rules,
}: {
  bytes: Uint8Array;
  rules: EventRules;
}): (JudgedEvents & { received: number }) | undefined {
  const text = new TextDecoder().decode(bytes);
  const { depth, values } = jsonShape(text);
  if (values > maxValues || depth > maxDepth) return undefined;
  const items = parseEventList(parseJson(text));
  return items === undefined ? undefined : { ...judgeEvents(items, rules), received: items.length };
}

/** Judges the lines of an audit log. A line that is no JSON is left out: the API server may have died while it wrote it. */
export function judgeEventLines({ lines, rules }: { lines: readonly string[]; rules: EventRules }): JudgedEvents {
  return judgeEvents(
    lines.map(parseJson).filter((item) => item !== undefined),
    rules,
  );
}

/** Returns the writes to keep from audit events, each once. */
export function judgeEvents(items: readonly unknown[], rules: EventRules): JudgedEvents {
  const writes = new Map<string, ObjectWrite>();
  let unreadable = 0;
  for (const item of items) {
    const verdict = judgeEvent(item, rules);
    if (verdict.keep) writes.set(writeKey(verdict.write), verdict.write);
    else if (verdict.why === "unreadable") unreadable += 1;
  }
  return { writes: [...writes.values()], unreadable };
}

/** The audit id alone is not enough: clients may choose it, and use one for several requests. */
export function writeKey({ auditId, stageAt }: ObjectWrite): string {
  return `${auditId} ${stageAt}`;
}
