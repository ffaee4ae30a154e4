const systemCodes = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ETIMEDOUT",
  "EPIPE",
  "ENOENT",
]);
/** Class 08 is matched by its prefix. 57P0x: the server stops or starts; 53300: too many connections; 28: wrong login. */
const sqlStates = new Set(["57P01", "57P02", "57P03", "53300", "28000", "28P01", "3D000"]);
const prismaCodes = new Set(["P1000", "P1001", "P1002", "P1003", "P1008", "P1010", "P1011", "P1017", "P2024", "P2037"]);
const texts =
  /connection terminated|timeout exceeded when trying to connect|connection ended|client has encountered a connection error|cannot use a pool after calling end|not queryable|not currently accepting connections|query read timeout/i;

/** Whether the database could not be reached, as against a query that it refused. */
export function isConnectionError(error: unknown, depth = 0): boolean {
  if (!(error instanceof Error) || depth > 4) return false;
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  if (systemCodes.has(code) || sqlStates.has(code) || prismaCodes.has(code) || /^08\w{3}$/.test(code)) return true;
  if (texts.test(error.message)) return true;
  const inner = [error.cause, ...(error instanceof AggregateError ? error.errors : [])];
  return inner.some((cause) => isConnectionError(cause, depth + 1));
}
