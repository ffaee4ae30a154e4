import { ApiError, badRequest, invalid } from "./api-error.ts";
import type { Resource } from "./resources.ts";
import { parseFieldSelector, parseLabelSelector } from "./selectors.ts";
import type { KubeObject } from "./store-types.ts";

export type ObjectFilter = { isEmpty: boolean; matches: (object: KubeObject) => boolean };

/** Combines the labelSelector, fieldSelector, namespace and name of a request into one test. */
export function parseFilter(parts: {
  resource: Resource;
  params: URLSearchParams;
  namespace?: string;
  name?: string;
}): ObjectFilter {
  const { namespace, name } = parts;
  const labels = parseLabelSelector(parts.params.get("labelSelector") ?? "");
  const fields = parseFieldSelector(parts.params.get("fieldSelector") ?? "", parts.resource.selectableFields);
  return {
    isEmpty: labels.isEmpty && fields.isEmpty,
    matches: (object) =>
      (namespace === undefined || object.metadata.namespace === namespace) &&
      (name === undefined || object.metadata.name === name) &&
      labels.matches(object) &&
      fields.matches(object),
  };
}

export type ListOptions = {
  limit: number;
  /** Undefined if none, or "0", was given. */
  exactVersion?: number;
  atLeastVersion?: number;
  isAnyVersion: boolean;
  from?: ContinueToken;
};

/** Parses and checks the paging and version parameters of a list; refuses them in upstream's words. */
export function parseListOptions(params: URLSearchParams): ListOptions {
  const version = params.get("resourceVersion") ?? "";
  const match = params.get("resourceVersionMatch") ?? "";
  const token = params.get("continue") ?? "";
  const limit = parseLimit(params.get("limit") ?? "");
  checkVersionMatch({ version, match, hasToken: token !== "" });
  if (token !== "") {
    if (version !== "" && version !== "0") {
      throw badRequest("specifying resource version is not allowed when using continue");
    }
    return { limit, isAnyVersion: false, from: parseContinue(token) };
  }
  const number = version === "" ? undefined : parseVersion(version);
  if (number === undefined) return { limit, isAnyVersion: false };
  if (number === 0) return { limit: 0, isAnyVersion: true };
  return { limit, isAnyVersion: false, ...(match === "Exact" ? { exactVersion: number } : { atLeastVersion: number }) };
}

function parseLimit(text: string): number {
  if (text === "") return 0;
  if (!/^[+-]?\d+$/.test(text)) throw badRequest(`strconv.ParseInt: parsing "${text}": invalid syntax`);
  return Math.max(0, Number(text));
}

function parseVersion(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  const problem = `resourceVersion: Invalid value: "${text}": strconv.ParseUint: parsing "${text}": invalid syntax`;
  throw badRequest(`invalid resource version: ${problem}`);
}

/**
 * Returns the resourceVersion of a watch: undefined for none and "0". Upstream answers 500 to one that is not a number.
 */
export function parseWatchVersion(params: URLSearchParams): number | undefined {
  const text = params.get("resourceVersion") ?? "";
  if (text === "") return undefined;
  if (!/^\d{1,15}$/.test(text)) {
    const message = `resourceVersion: Invalid value: "${text}": strconv.ParseUint: parsing "${text}": invalid syntax`;
    throw new ApiError({ code: 500, message });
  }
  return Number(text) === 0 ? undefined : Number(text);
}

function checkVersionMatch(parts: { version: string; match: string; hasToken: boolean }): void {
  const { version, match } = parts;
  if (match === "") return;
  if (parts.hasToken) throw invalidMatch("Forbidden: resourceVersionMatch is forbidden when continue is provided");
  if (version === "") {
    throw invalidMatch("Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided");
  }
  if (match !== "Exact" && match !== "NotOlderThan") {
    const message = `Unsupported value: "${match}": supported values: "Exact", "NotOlderThan", ""`;
    throw invalidMatch(message, "FieldValueNotSupported");
  }
  if (match === "Exact" && version === "0") {
    throw invalidMatch('Forbidden: resourceVersionMatch "exact" is forbidden for resourceVersion "0"');
  }
}

/** Makes the 422 about resourceVersionMatch of ListOptions. */
export function invalidMatch(message: string, reason = "FieldValueForbidden"): ApiError {
  return invalid({
    group: "meta.k8s.io",
    kind: "ListOptions",
    name: "",
    field: "resourceVersionMatch",
    message,
    reason,
  });
}

/** Where a list continues: after `start`, in the state of `rv`; -1 means the current state. */
export type ContinueToken = { rv: number; start: string };

export function formatContinue(token: ContinueToken): string {
  const body = { v: "meta.k8s.io/v1", rv: token.rv, start: `${token.start}\u0000` };
  return Buffer.from(JSON.stringify(body)).toString("base64url");
}

function parseContinue(text: string): ContinueToken {
  const refuse = (why: string): ApiError => badRequest(`invalid continue token: continue key is not valid: ${why}`);
  const stray = text.search(/[^A-Za-z0-9_-]/);
  // A length of 4n+1 is not base64: upstream's decoder stops at the last full group.
  if (stray >= 0 || text.length % 4 === 1) {
    throw refuse(`illegal base64 data at input byte ${stray >= 0 ? stray : text.length - 1}`);
  }
  let body: unknown;
  try {
    body = JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
  } catch {
    throw refuse("not the JSON text of a token");
  }
  const { v, rv, start } = body as { v?: unknown; rv?: unknown; start?: unknown };
  if (v !== "meta.k8s.io/v1" || typeof rv !== "number" || typeof start !== "string") {
    throw refuse("incorrect encoding of the token");
  }
  const key = start.endsWith("\u0000") ? start.slice(0, -1) : start;
  // Tokens that upstream returns with a 410 have no leading slash.
  return { rv, start: key.startsWith("/") ? key : `/${key}` };
}
