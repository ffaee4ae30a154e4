/**
 * Aborts `controller` when `signal` aborts, until the returned function is called. For many short requests: signals of
 * `AbortSignal.any` stay with their sources until garbage collection.
 */
export function followSignal(signal: AbortSignal | undefined, controller: AbortController): () => void {
  if (signal === undefined) return () => {};
  const abort = (): void => controller.abort(signal.reason);
  if (signal.aborted) abort();
  else signal.addEventListener("abort", abort, { once: true });
  return () => signal.removeEventListener("abort", abort);
}
