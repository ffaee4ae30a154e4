import { z } from "zod";
import { parseJson } from "#lib/util/json.ts";

/** The database can neither store a NUL nor have a key of any length. */
export const ServerWord = z
  .string()
  .min(1)
  .max(500)
  .refine((text) => !text.includes("\0"));

const ObjectHead = z.looseObject({
  kind: z.string().optional(),
  metadata: z.looseObject({
    uid: ServerWord,
    resourceVersion: ServerWord,
    generation: z.number().optional().catch(undefined),
  }),
});
const Bookmark = z.looseObject({ metadata: z.looseObject({ resourceVersion: ServerWord }) });
const Failure = z.looseObject({
  code: z.number().optional(),
  reason: z.string().optional(),
  message: z.string().optional(),
});

export type ObjectHead = { uid: string; resourceVersion: string; generation: number | undefined; object: unknown };

export type WatchLine =
  | ({ type: "object"; op: "upsert" | "deleted" } & ObjectHead)
  | { type: "bookmark"; resourceVersion: string }
  /** 410: the version to resume from is gone. */
  | { type: "expired" }
  | { type: "failed"; status: number; text: string }
  /** Not JSON, an unknown event, or an object of another kind. It never reaches the writers. */
  | { type: "bad"; message: string };

/** Reads one line of a watch on objects of `kind`. */
export function classifyWatchLine(line: string, { kind }: { kind: string }): WatchLine {
  const event = parseJson(line);
  if (event === null || typeof event !== "object" || !("type" in event) || !("object" in event))
    return { type: "bad", message: `a line of the watch is no event: ${line.slice(0, 80)}` };
  if (event.type === "ERROR") return classifyFailure(event.object);
  if (event.type === "BOOKMARK") {
    const bookmark = Bookmark.safeParse(event.object);
    if (bookmark.success) return { type: "bookmark", resourceVersion: bookmark.data.metadata.resourceVersion };
    return { type: "bad", message: "a bookmark of the watch has no usable resourceVersion" };
  }
  const op = event.type === "DELETED" ? "deleted" : "upsert";
  if (op === "upsert" && event.type !== "ADDED" && event.type !== "MODIFIED")
    return { type: "bad", message: `the watch sent an event of the unknown type ${JSON.stringify(event.type)}` };
  const head = readObjectHead(event.object, { kind, isKindNeeded: true });
  return head.ok ? { type: "object", op, ...head.head } : { type: "bad", message: head.message };
}

/**
 * Reads kind, uid and version of an object. Items in lists of built-in kinds have no kind, so a missing one is normal.
 */
export function readObjectHead(
  object: unknown,
  { kind, isKindNeeded }: { kind: string; isKindNeeded: boolean },
): { ok: true; head: ObjectHead } | { ok: false; message: string } {
  const parsed = ObjectHead.safeParse(object);
  if (!parsed.success)
    return { ok: false, message: `the API server sent a ${kind} without a usable uid or resourceVersion` };
  const { kind: found, metadata } = parsed.data;
  if (found !== kind && (isKindNeeded || found !== undefined))
    return { ok: false, message: `the API server sent an object of kind ${found ?? "none"} in place of ${kind}` };
  const { uid, resourceVersion, generation } = metadata;
  const whole = found === undefined ? { ...(object as object), kind } : object;
  return { ok: true, head: { uid, resourceVersion, generation, object: whole } };
}

function classifyFailure(object: unknown): WatchLine {
  const failure = Failure.safeParse(object);
  if (!failure.success) return { type: "bad", message: "the watch sent an ERROR event that is no Status" };
  const { code = 500, reason = "", message = "" } = failure.data;
  if (code === 410 || reason === "Expired" || reason === "Gone") return { type: "expired" };
  return { type: "failed", status: code, text: message || reason };
}
