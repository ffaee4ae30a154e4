import type { ApiContext } from "./api-context.ts";
import { ApiError, badRequest } from "./api-error.ts";
import type { AccessDecision } from "./auth.ts";
import { type Exchange, readJsonBody, sendJson } from "./exchange.ts";
import { isPlainObject } from "./shared-copy.ts";

/** Kinds that are only created, and answered at once: who am I, may I, may another user. */
export const REVIEWS = [
  { group: "authentication.k8s.io", plural: "selfsubjectreviews", kind: "SelfSubjectReview" },
  { group: "authorization.k8s.io", plural: "selfsubjectaccessreviews", kind: "SelfSubjectAccessReview" },
  { group: "authorization.k8s.io", plural: "subjectaccessreviews", kind: "SubjectAccessReview" },
] as const;

/** Serves the POST of a review; returns false if the request is not a review. */
export async function serveReview(context: ApiContext, exchange: Exchange): Promise<boolean> {
  const { group, resource, version, verb } = exchange.info;
  const review = REVIEWS.find((candidate) => candidate.group === group && candidate.plural === resource);
  if (review === undefined || version !== "v1" || verb !== "create") return false;
  const body = parseBody(await readJsonBody(exchange.req));
  const { name, groups } = exchange.user;
  const answer =
    review.kind === "SelfSubjectReview"
      ? whoAmI(context, exchange)
      : may({ context, kind: review.kind, spec: specOf(body), asks: { user: name, groups } });
  await sendJson(exchange, 201, JSON.stringify(answer));
  return true;
}

function parseBody(text: string): Record<string, unknown> {
  try {
    const body: unknown = JSON.parse(text);
    if (isPlainObject(body)) return body;
  } catch {
    // Falls through to the refusal.
  }
  throw badRequest("the object provided is unrecognized: a JSON object is needed");
}

function whoAmI(context: ApiContext, exchange: Exchange): unknown {
  const { name, uid, groups, extra } = exchange.user;
  return {
    kind: "SelfSubjectReview",
    apiVersion: "authentication.k8s.io/v1",
    metadata: { creationTimestamp: `${context.now().toISOString().slice(0, 19)}Z` },
    status: {
      userInfo: {
        username: name,
        ...(uid === undefined ? {} : { uid }),
        groups,
        ...(Object.keys(extra).length === 0 ? {} : { extra }),
      },
    },
  };
}

function specOf({ spec }: Record<string, unknown>): Record<string, unknown> {
  return isPlainObject(spec) ? spec : {};
}

type Who = { user: string; groups: readonly string[] };

function may({
  context,
  kind,
  spec,
  asks,
}: {
  context: ApiContext;
  kind: "SelfSubjectAccessReview" | "SubjectAccessReview";
  spec: Record<string, unknown>;
  asks: Who;
}): unknown {
  const decision = decide(context, kind === "SubjectAccessReview" ? readWho(spec) : asks, spec);
  return {
    kind,
    apiVersion: "authorization.k8s.io/v1",
    metadata: {},
    spec,
    status: {
      allowed: decision.allowed,
      ...(decision.allowed && decision.reason !== undefined ? { reason: decision.reason } : {}),
    },
  };
}

const text = (value: unknown): string => (typeof value === "string" ? value : "");

/** Returns the user and groups under review, to which the server adds no groups. */
function readWho(spec: Record<string, unknown>): Who {
  const groups = Array.isArray(spec.groups) ? spec.groups.map(text) : [];
  if (text(spec.user) === "" && groups.length === 0) throw noWho();
  return { user: text(spec.user), groups };
}

function decide(context: ApiContext, who: Who, spec: Record<string, unknown>): AccessDecision {
  const { resourceAttributes, nonResourceAttributes } = spec;
  if (isPlainObject(resourceAttributes) && nonResourceAttributes === undefined) {
    const { verb, group, resource, subresource, namespace, name } = resourceAttributes;
    return context.authorize({
      ...who,
      verb: text(verb),
      group: text(group),
      resource: text(resource),
      ...(text(subresource) === "" ? {} : { subresource: text(subresource) }),
      ...(text(namespace) === "" ? {} : { namespace: text(namespace) }),
      ...(text(name) === "" ? {} : { name: text(name) }),
    });
  }
  if (isPlainObject(nonResourceAttributes) && resourceAttributes === undefined) {
    const { verb, path } = nonResourceAttributes;
    return context.authorize({ ...who, verb: text(verb), group: "", resource: "", path: text(path) });
  }
  throw noAttributes();
}

function noWho(): ApiError {
  const message = 'Invalid value: "": at least one of user or group must be specified';
  const field = "spec.user";
  return new ApiError({
    code: 422,
    reason: "Invalid",
    message: `.authorization.k8s.io "" is invalid: ${field}: ${message}`,
    details: { group: "authorization.k8s.io", causes: [{ reason: "FieldValueInvalid", message, field }] },
  });
}

function noAttributes(): ApiError {
  const message = "Invalid value: null: exactly one of nonResourceAttributes or resourceAttributes must be specified";
  const field = "spec.resourceAttributes";
  return new ApiError({
    code: 422,
    reason: "Invalid",
    message: `.authorization.k8s.io "" is invalid: ${field}: ${message}`,
    details: { group: "authorization.k8s.io", causes: [{ reason: "FieldValueInvalid", message, field }] },
  });
}
