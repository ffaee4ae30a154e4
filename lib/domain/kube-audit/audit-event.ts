import { z } from "zod";
import { personExtra } from "#lib/domain/acting/own-identity.ts";
import { optional } from "#lib/domain/kube/kube-object.ts";

const User = z.looseObject({
  username: optional(z.string()),
  groups: optional(z.array(z.string())),
  extra: optional(z.looseObject({ [personExtra]: optional(z.array(z.string())) })),
});

/** An event of `audit.k8s.io/v1` (k8s.io/apiserver/pkg/apis/audit/v1 Event), as far as it is read. */
export const KubeAuditEvent = z.looseObject({
  /** Of any length: clients may choose it, and must not be able to hide their events that way. */
  auditID: z.string().min(1),
  stage: z.string(),
  requestURI: optional(z.string()),
  verb: z.string(),
  user: optional(User),
  impersonatedUser: optional(User),
  sourceIPs: optional(z.array(z.string())),
  userAgent: optional(z.string()),
  objectRef: optional(
    z.looseObject({
      resource: optional(z.string()),
      namespace: optional(z.string()),
      name: optional(z.string()),
      uid: optional(z.string()),
      apiGroup: optional(z.string()),
      resourceVersion: optional(z.string()),
      subresource: optional(z.string()),
    }),
  ),
  responseStatus: optional(z.looseObject({ code: optional(z.number()) })),
  requestObject: optional(z.unknown()),
  responseObject: optional(z.unknown()),
  stageTimestamp: optional(z.string()),
});
export type KubeAuditEvent = z.infer<typeof KubeAuditEvent>;

const EventList = z.looseObject({
  kind: z.literal("EventList"),
  apiVersion: z.literal("audit.k8s.io/v1"),
  items: z.array(z.unknown()).max(100_000),
});

/** Returns the unparsed items of an `EventList`; undefined if the body is something else. */
export function parseEventList(body: unknown): readonly unknown[] | undefined {
  return EventList.safeParse(body).data?.items;
}
