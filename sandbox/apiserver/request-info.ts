/** The meaning of a request, read from its method and path as upstream's RequestInfo does. */
export type RequestInfo = {
  path: string;
  isResource: boolean;
  verb: string;
  group: string;
  version: string;
  resource: string;
  subresource?: string;
  namespace?: string;
  name?: string;
};

const VERBS: Record<string, string> = { POST: "create", PUT: "update", PATCH: "patch", GET: "get", HEAD: "get" };
const NAMESPACE_SUBRESOURCES = new Set(["status", "finalize"]);

/** Reads the request's target; a path outside /api and /apis is a non-resource request with the method as its verb. */
export function parseRequestInfo(method: string, url: URL): RequestInfo {
  const segments = url.pathname.split("/").filter((segment) => segment !== "");
  const nonResource: RequestInfo = {
    path: url.pathname,
    isResource: false,
    verb: method.toLowerCase(),
    group: "",
    version: "",
    resource: "",
  };
  const isCore = segments[0] === "api";
  const prefix = isCore ? 2 : 3;
  if ((!isCore && segments[0] !== "apis") || segments.length <= prefix) return nonResource;
  const parts = segments.slice(prefix).map(decodeSegment);
  const isWatchPath = parts[0] === "watch";
  if (isWatchPath) parts.shift();
  const target = parseTarget(parts);
  if (target === undefined) return nonResource;
  return {
    path: url.pathname,
    isResource: true,
    verb: verbOf({ method, url, isWatchPath, hasName: target.name !== undefined }),
    group: isCore ? "" : (segments[1] ?? ""),
    version: (isCore ? segments[1] : segments[2]) ?? "",
    ...target,
  };
}

type Target = Pick<RequestInfo, "resource" | "subresource" | "namespace" | "name">;

function parseTarget(parts: string[]): Target | undefined {
  let namespace: string | undefined;
  let rest = parts;
  if (parts[0] === "namespaces" && parts[1] !== undefined) {
    namespace = parts[1];
    if (parts[2] !== undefined && !NAMESPACE_SUBRESOURCES.has(parts[2])) rest = parts.slice(2);
  }
  const [resource, name, subresource] = rest;
  if (resource === undefined) return undefined;
  return {
    resource,
    ...(namespace === undefined ? {} : { namespace }),
    ...(name === undefined ? {} : { name }),
    ...(subresource === undefined ? {} : { subresource: rest.slice(2).join("/") }),
  };
}

function verbOf(parts: { method: string; url: URL; isWatchPath: boolean; hasName: boolean }): string {
  const { method, hasName } = parts;
  if (method === "DELETE") return hasName ? "delete" : "deletecollection";
  if (method !== "GET" && method !== "HEAD") return VERBS[method] ?? "";
  const watch = parts.url.searchParams.get("watch");
  if (parts.isWatchPath || watch === "true" || watch === "1") return "watch";
  return hasName ? "get" : "list";
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
