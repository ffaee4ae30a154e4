/** `part` precedes the `run` that it belongs to, so that large inputs can be sent a little at a time. */
export type ToWorker =
  | { readonly kind: "part"; readonly part: unknown }
  | { readonly kind: "run"; readonly name: string; readonly input: unknown };

export type FromWorker =
  | { readonly kind: "ready" }
  | { readonly kind: "done"; readonly value: unknown }
  | { readonly kind: "failed"; readonly error: string };
