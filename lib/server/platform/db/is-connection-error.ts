import { type InnerError, innerErrors } from "#lib/server/platform/db/inner-errors.ts";

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
const sqlStates = new Set(["57P01", "57P02", "57P03", "57P05", "53300", "28000", "28P01", "3D000"]);
const prismaCodes = new Set(["P1000", "P1001", "P1002", "P1003", "P1008", "P1010", "P1011", "P1017", "P2024", "P2037"]);
const texts =
  /connection terminated|timeout exceeded when trying to connect|connection ended|client has encountered a connection error|cannot use a pool after calling end|not queryable|not currently accepting connections|query read timeout/i;

/** Returns whether the database was unreachable, as opposed to a refused query or a cluster that does not answer. */
export function isConnectionError(error: unknown): boolean {
  return error instanceof Error && innerErrors(error).some(isOfConnection);
}

function isOfConnection({ code, message, syscall }: InnerError): boolean {
  if (systemCodes.has(code) || sqlStates.has(code) || prismaCodes.has(code) || /^08\w{3}$/.test(code)) return true;
  // A missing socket; a missing file has the same code.
  return (code === "ENOENT" && syscall === "connect") || texts.test(message);
}
