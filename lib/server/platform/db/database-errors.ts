import { hasBrand } from "#lib/util/has-brand.ts";

/** Returns whether the database is down or refuses writes, as opposed to an error in the request. */
export function isDatabaseTrouble(error: unknown): boolean {
  return isConnectionError(error) || isUnwritableError(error);
}

/**
 * 25006: the server is a standby, or read-only by a setting. 53100: its disk is full; 58030: it could not write a file.
 * All persist until an operator intervenes, while reads keep working.
 */
const unwritableStates = new Set(["25006", "53100", "58030"]);

/** Returns whether the database answers but refuses writes. */
export function isUnwritableError(error: unknown): boolean {
  return error instanceof Error && innerErrors(error).some(({ code }) => unwritableStates.has(code));
}

const systemCodes = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ETIMEDOUT",
  "EPIPE",
]);
/**
 * Class 08 is matched by its prefix. 57P0x: the server stops or starts, or ended an idle session; 53300: too many
 * connections; 28: wrong login.
 */
const connectionStates = new Set(["57P01", "57P02", "57P03", "57P05", "53300", "28000", "28P01", "3D000"]);
const prismaCodes = new Set(["P1000", "P1001", "P1002", "P1003", "P1008", "P1010", "P1011", "P1017", "P2024", "P2037"]);
const texts =
  /connection terminated|timeout exceeded when trying to connect|connection ended|client has encountered a connection error|cannot use a pool after calling end|not queryable|not currently accepting connections|query read timeout/i;

/** Returns whether the database was unreachable, as opposed to a refused query or a cluster that does not answer. */
export function isConnectionError(error: unknown): boolean {
  return error instanceof Error && innerErrors(error).some(isOfConnection);
}

function isOfConnection({ code, message, syscall }: InnerError): boolean {
  if (systemCodes.has(code) || connectionStates.has(code) || prismaCodes.has(code) || /^08\w{3}$/.test(code))
    return true;
  // A missing socket; a missing file has the same code.
  return (code === "ENOENT" && syscall === "connect") || texts.test(message);
}

/** One error of a chain, or what Prisma keeps of the driver's error. */
type InnerError = { code: string; message: string; syscall: string };

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

/** Returns whether the database refused a row because another one has its key (SQLSTATE 23505). */
export function isDuplicateError(error: unknown): boolean {
  return innerErrors(error).some(({ code }) => code === "23505");
}

/** Returns whether the database refused a row because the one that it refers to is missing (SQLSTATE 23503). */
export function isMissingRowError(error: unknown): boolean {
  return innerErrors(error).some(({ code }) => code === "23503");
}
