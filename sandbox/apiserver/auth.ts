import { ApiError, badRequest, qualifiedName } from "./api-error.ts";
import type { RequestInfo } from "./request-info.ts";

export type UserInfo = { name: string; uid?: string; groups: string[]; extra: Record<string, string[]> };

export type AccessRequest = {
  user: string;
  groups: readonly string[];
  verb: string;
  group: string;
  resource: string;
  subresource?: string;
  namespace?: string;
  name?: string;
  /** Set for requests without a resource, such as /version. */
  path?: string;
};

export type AccessDecision = { allowed: boolean; reason?: string };

/** Decides on every request; the default is `authorizeByRole`. */
export type Authorize = (request: AccessRequest) => AccessDecision;

const ADMIN: UserInfo = { name: "kubernetes-admin", groups: ["system:masters", "system:authenticated"], extra: {} };
const ANONYMOUS: UserInfo = { name: "system:anonymous", groups: ["system:unauthenticated"], extra: {} };

/**
 * Identifies the caller by bearer token. A wrong token is a 401; no token, or another scheme, is the anonymous user.
 * The token also works as the password of Basic: kubectl sends no bearer token to an http:// server, but does send the
 * credentials in `--server http://admin:TOKEN@host`. `users` have their own tokens.
 */
export function authenticate(
  authorization: string | undefined,
  token: string,
  users: ReadonlyMap<string, UserInfo> = new Map(),
): UserInfo {
  const basic = /^basic\s+(\S+)\s*$/i.exec(authorization ?? "")?.[1];
  if (basic !== undefined) {
    const password = Buffer.from(basic, "base64")
      .toString("utf8")
      .replace(/^[^:]*:/, "");
    return password === token ? ADMIN : ANONYMOUS;
  }
  const given = /^bearer\s+(\S+)\s*$/i.exec(authorization ?? "")?.[1];
  if (given === undefined) return ANONYMOUS;
  if (given === token) return ADMIN;
  const user = users.get(given);
  if (user !== undefined) return user;
  throw new ApiError({ code: 401, reason: "Unauthorized", message: "Unauthorized" });
}

const AUTHENTICATION = "authentication.k8s.io";
const IMPERSONATION: RequestInfo = {
  path: "",
  isResource: true,
  verb: "impersonate",
  group: "",
  version: "v1",
  resource: "",
};

type Impersonation = { user: string; uid: string; groups: string[]; extra: Record<string, string[]> };

/**
 * Reads the Impersonate-* headers. They repeat, and node joins repeated headers in `headers`, so these come from
 * `rawHeaders` (name, value, name, value ...). Undefined if the request has none.
 */
function readImpersonation(rawHeaders: readonly string[]): Impersonation | undefined {
  const asked: Impersonation = { user: "", uid: "", groups: [], extra: {} };
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const header = (rawHeaders[i] ?? "").toLowerCase();
    // Node reads header bytes as Latin-1, a real server as UTF-8.
    const value = Buffer.from(rawHeaders[i + 1] ?? "", "latin1").toString("utf8");
    if (header === "impersonate-user") asked.user = value;
    else if (header === "impersonate-uid") asked.uid = value;
    else if (header === "impersonate-group") asked.groups.push(value);
    else if (header.startsWith("impersonate-extra-")) {
      const key = decodeKey(header.slice("impersonate-extra-".length));
      asked.extra[key] = [...(asked.extra[key] ?? []), value];
    }
  }
  const isAsked =
    asked.user !== "" || asked.uid !== "" || asked.groups.length > 0 || Object.keys(asked.extra).length > 0;
  return isAsked ? asked : undefined;
}

function decodeKey(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}

/**
 * Returns the user that the request acts as. Asks `authorise` for the verb impersonate on the user or service account, each
 * group, each extra value and the uid. A caller who may not impersonate at all is refused in the words of constrained
 * impersonation, as upstream does.
 */
export function impersonate(parts: {
  user: UserInfo;
  rawHeaders: readonly string[];
  info: RequestInfo;
  authorize: Authorize;
}): UserInfo {
  const asked = readImpersonation(parts.rawHeaders);
  if (asked === undefined) return parts.user;
  if (asked.user === "") throw badRequest(`requested ${printIdentity(asked)} without impersonating a user name`);
  const { user, info, authorize } = parts;
  const target = (changes: Partial<RequestInfo>): RequestInfo => ({ ...IMPERSONATION, ...changes });
  const [, namespace, name] = /^system:serviceaccount:([^:]+):([^:]+)$/.exec(asked.user) ?? [];
  const whom = target(
    name === undefined ? { resource: "users", name: asked.user } : { resource: "serviceaccounts", namespace, name },
  );
  const isAllowed = (wanted: RequestInfo): boolean => authorize(accessRequestOf(user, wanted)).allowed;
  if (!isAllowed(whom) && !isAllowed(target({ resource: "users" })))
    throw forbidden({ user, info, verb: `impersonate-on:user-info:${info.verb}` });
  const targets = [
    whom,
    ...asked.groups.map((name) => target({ resource: "groups", name })),
    ...Object.entries(asked.extra).flatMap(([subresource, values]) =>
      values.map((name) => target({ group: AUTHENTICATION, resource: "userextras", subresource, name })),
    ),
    ...(asked.uid === "" ? [] : [target({ group: AUTHENTICATION, resource: "uids", name: asked.uid })]),
  ];
  for (const wanted of targets) if (!isAllowed(wanted)) throw forbidden({ user, info: wanted });
  const isAnonymous = asked.user === ANONYMOUS.name;
  const extraGroup = isAnonymous ? "system:unauthenticated" : "system:authenticated";
  const groups = asked.groups.includes(extraGroup) ? asked.groups : [...asked.groups, extraGroup];
  return { name: asked.user, groups, extra: asked.extra, ...(asked.uid === "" ? {} : { uid: asked.uid }) };
}

/** Prints an identity without a user name as upstream does (a Go struct). */
function printIdentity(asked: Impersonation): string {
  const strings = (values: string[]): string =>
    values.length === 0 ? "[]string(nil)" : `[]string{${values.map((value) => JSON.stringify(value)).join(", ")}}`;
  const extra = Object.entries(asked.extra).map(([key, values]) => `${JSON.stringify(key)}:${strings(values)}`);
  const map = extra.length === 0 ? "map[string][]string(nil)" : `map[string][]string{${extra.join(", ")}}`;
  return `&user.DefaultInfo{Name:"", UID:${JSON.stringify(asked.uid)}, Groups:${strings(asked.groups)}, Extra:${map}}`;
}

export function accessRequestOf(user: UserInfo, info: RequestInfo): AccessRequest {
  const who = { user: user.name, groups: user.groups, verb: info.verb };
  if (!info.isResource) return { ...who, group: "", resource: "", path: info.path };
  const { group, resource, subresource, namespace, name } = info;
  return {
    ...who,
    group,
    resource,
    ...(subresource === undefined ? {} : { subresource }),
    ...(namespace === undefined ? {} : { namespace }),
    ...(name === undefined ? {} : { name }),
  };
}

/** Makes the 403 for a request that was not allowed. */
export function forbidden(parts: { user: UserInfo; info: RequestInfo; verb?: string; reason?: string }): ApiError {
  const { info, user } = parts;
  const verb = parts.verb ?? info.verb;
  const because = parts.reason === undefined ? "" : `: ${parts.reason}`;
  if (!info.isResource) {
    const message = `forbidden: User "${user.name}" cannot ${verb} path "${info.path}"${because}`;
    return new ApiError({ code: 403, reason: "Forbidden", message, details: {} });
  }
  const subject = qualifiedName({ group: info.group, plural: info.resource });
  const object = info.name === undefined ? subject : `${subject} "${info.name}"`;
  const resource = info.subresource === undefined ? info.resource : `${info.resource}/${info.subresource}`;
  const scope = info.namespace === undefined ? "at the cluster scope" : `in the namespace "${info.namespace}"`;
  return new ApiError({
    code: 403,
    reason: "Forbidden",
    message: `${object} is forbidden: User "${user.name}" cannot ${verb} resource "${resource}" in API group "${info.group}" ${scope}${because}`,
    details: {
      ...(info.name === undefined ? {} : { name: info.name }),
      ...(info.group === "" ? {} : { group: info.group }),
      kind: info.resource,
    },
  });
}

const READ_VERBS = new Set(["get", "list", "watch"]);
const WRITE_VERBS = new Set(["patch", "update"]);
const OPERATED = new Set([
  "argoproj.io/rollouts",
  "argoproj.io/rollouts/status",
  "flagger.app/canaries",
  "argoproj.io/analysisruns",
  "argoproj.io/experiments",
  // For undo and set-image of a rollout whose template is in a Deployment, and for what a canary's target is.
  "apps/deployments",
  "apps/daemonsets",
]);
const READERS = ["gatehouse:viewers", "gatehouse:operators", "gatehouse:admins"];
const OPERATORS = ["gatehouse:operators", "gatehouse:admins"];
const OPEN_PATHS = new Set(["/version", "/readyz", "/livez", "/healthz"]);
const DISCOVERY_PATH = /^\/(api|apis|openapi)(\/|$)/;

/** Logs may contain anything: viewers read what is deployed, not what it writes. */
const FOR_OPERATORS = new Set(["pods/log"]);

/** The account of Gatehouse itself, as deploy/rbac-act.yaml names it. */
export const gatehouseAccount: UserInfo = {
  name: "system:serviceaccount:gatehouse:gatehouse",
  groups: ["system:serviceaccounts", "system:serviceaccounts:gatehouse", "system:authenticated"],
  extra: {},
};

/** Grants what deploy/rbac-read.yaml, rbac-act.yaml, rbac-hold.yaml and rbac-review.yaml do. */
function mayGatehouse({ verb, group, resource, subresource, name }: AccessRequest): boolean {
  if (verb === "impersonate") {
    if (resource === "users") return name === "gatehouse:person";
    if (resource === "groups") return name !== undefined && READERS.includes(name);
    return group === AUTHENTICATION && resource === "userextras" && subresource === "gatehouse.dev/person";
  }
  if (READ_VERBS.has(verb)) return resource !== "secrets" && subresource === undefined;
  return (
    resource === "subjectaccessreviews" || (verb === "patch" && group === "argoproj.io" && resource === "rollouts")
  );
}

/**
 * Grants the default permissions: cluster admins may do everything, Gatehouse's groups read, and operators read logs and
 * act on delivery resources.
 */
export function authorizeByRole(request: AccessRequest): AccessDecision {
  const isIn = (groups: readonly string[]): boolean => groups.some((group) => request.groups.includes(group));
  if (isIn(["system:masters"])) return { allowed: true };
  if (request.user === gatehouseAccount.name && request.path === undefined && mayGatehouse(request))
    return { allowed: true, reason: 'RBAC: allowed by ClusterRoleBinding "gatehouse"' };
  const isAuthenticated = isIn(["system:authenticated"]);
  if (request.path !== undefined) {
    const isOpen = OPEN_PATHS.has(request.path) && request.verb === "get";
    return { allowed: isOpen || (isAuthenticated && request.verb === "get" && DISCOVERY_PATH.test(request.path)) };
  }
  const resource = request.subresource === undefined ? request.resource : `${request.resource}/${request.subresource}`;
  if (isAuthenticated && request.verb === "create" && /^selfsubject(accessreviews|reviews)$/.test(resource)) {
    return { allowed: true };
  }
  const readers = FOR_OPERATORS.has(resource) ? OPERATORS : READERS;
  if (READ_VERBS.has(request.verb) && request.resource !== "secrets" && isIn(readers)) {
    return {
      allowed: true,
      reason: 'RBAC: allowed by ClusterRoleBinding "gatehouse-view" of ClusterRole "gatehouse-view"',
    };
  }
  if (WRITE_VERBS.has(request.verb) && OPERATED.has(`${request.group}/${resource}`) && isIn(OPERATORS)) {
    return {
      allowed: true,
      reason: 'RBAC: allowed by ClusterRoleBinding "gatehouse-operate" of ClusterRole "gatehouse-operate"',
    };
  }
  return { allowed: false };
}
