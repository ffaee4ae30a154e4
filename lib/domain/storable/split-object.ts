import { isRecord } from "#lib/util/json.ts";

/** An object in parts: the spec rarely changes, and the pod template in it belongs to a revision. */
export type SplitObject = {
  /** Without `spec`. */
  frame: unknown;
  /** Without `template`; undefined if the object has none. */
  spec: unknown;
};

/** Splits an object of any shape. Does not change it. */
export function splitObject(object: unknown): SplitObject {
  if (!isRecord(object) || !isRecord(object.spec)) return { frame: object, spec: undefined };
  const { spec, ...frame } = object;
  const { template: _template, ...rest } = spec;
  return { frame, spec: rest };
}

/** Puts an object together again; `template`: undefined leaves it without one. */
export function joinObject({ frame, spec }: SplitObject, template: unknown): unknown {
  if (!isRecord(frame) || !isRecord(spec)) return frame;
  return { ...frame, spec: template === undefined ? spec : { ...spec, template } };
}
