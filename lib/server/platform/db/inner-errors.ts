import { hasBrand } from "#lib/util/has-brand.ts";

/** One error of a chain, or what Prisma keeps of the driver's error. */
export type InnerError = { code: string; message: string; syscall: string };

const maxDepth = 6;

/**
 * Returns the error, its causes, and the errors inside Prisma's (the driver's error in `meta`, as an object with
 * `originalCode`). A cluster that does not answer ends the chain: its `ECONNREFUSED` says nothing about the database.
 */
export function innerErrors(error: unknown, depth = 0): InnerError[] {
  if (typeof error !== "object" || error === null || depth > maxDepth) return [];
  if (hasBrand(error, "cluster-unreachable-error")) return [];
  const { code, originalCode, message, syscall, cause, meta, errors } = error as Record<string, unknown>;
  const text = (value: unknown) => (typeof value === "string" ? value : "");
  const own = { code: text(originalCode) || text(code), message: text(message), syscall: text(syscall) };
  const driver =
    typeof meta === "object" && meta !== null && "driverAdapterError" in meta ? [meta.driverAdapterError] : [];
  const inner = [cause, ...driver, ...(error instanceof AggregateError && Array.isArray(errors) ? errors : [])];
  return [own, ...inner.flatMap((one) => innerErrors(one, depth + 1))];
}
