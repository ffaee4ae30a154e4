import { applyMerge } from "#lib/util/diff-merge.ts";
import { ApiError, badRequest, patchRejected } from "./api-error.ts";
import { applyJsonPatch, isJsonPatchError, type JsonPatchOperation } from "./json-patch.ts";
import { isPlainObject } from "./shared-copy.ts";

const PATCH_TYPES = "application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml";

/** Returns how to apply a patch of that media type; throws a 415 for any other. */
export function patcherOf(type: string): (patch: string, target: unknown) => unknown {
  if (type === "application/merge-patch+json") {
    return (patch, target) => applyMerge(target, decodePatch(patch, "object"));
  }
  if (type === "application/json-patch+json") {
    return (patch, target) => {
      try {
        return applyJsonPatch(target, decodePatch(patch, "array") as JsonPatchOperation[]);
      } catch (error) {
        if (isJsonPatchError(error)) throw patchRejected();
        throw error;
      }
    };
  }
  const message = `the body of the request was in an unknown format - accepted media types include: ${PATCH_TYPES}`;
  throw new ApiError({ code: 415, reason: "UnsupportedMediaType", message });
}

function decodePatch(text: string, shape: "object" | "array"): unknown {
  let patch: unknown;
  try {
    patch = JSON.parse(text);
  } catch (error) {
    throw badRequest(`error decoding patch: ${goJsonError(error, text)}`);
  }
  if (shape === "object" && !isPlainObject(patch)) {
    throw badRequest(
      `error decoding patch: json: cannot unmarshal ${shapeOf(patch)} into Go value of type map[string]interface {}`,
    );
  }
  if (shape === "array" && !(Array.isArray(patch) && patch.every(isPlainObject))) {
    throw badRequest(
      `error decoding patch: json: cannot unmarshal ${shapeOf(patch)} into Go value of type []handlers.jsonPatchOp`,
    );
  }
  return patch;
}

function shapeOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

/** Returns Go's wording of the most common JSON error, truncated text; the others keep JavaScript's. */
export function goJsonError(error: unknown, text: string): string {
  const message = error instanceof Error ? error.message : String(error);
  const position = Number(/at position (\d+)/.exec(message)?.[1] ?? -1);
  const isCut = /^(Unexpected end of JSON|Unterminated string)/.test(message) || position >= text.length;
  return isCut ? "unexpected end of JSON input" : message;
}
