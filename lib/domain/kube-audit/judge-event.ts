import { personExtra, sharedUser } from "#lib/domain/acting/own-identity.ts";
import { matchesAny } from "#lib/domain/policy/match-glob.ts";
import { providedKinds } from "#lib/domain/providers.ts";
import { escapeText } from "#lib/domain/storable/escape-text.ts";
import { redactBeginning } from "#lib/domain/storable/redact-text.ts";
import { KubeAuditEvent } from "./audit-event.ts";
import { maskAddress, type SourceAddresses } from "./mask-address.ts";
import { isServiceAccount } from "./person.ts";
import { listWrittenFields } from "./written-fields.ts";

/** A write to a watched object, as it is stored. */
export type ObjectWrite = {
  auditId: string;
  /** ISO 8601 to the microsecond, by the API server's clock. */
  stageAt: string;
  verb: string;
  kind: string;
  namespace: string;
  name: string;
  uid: string | undefined;
  subresource: string;
  versionBefore: string | undefined;
  versionAfter: string | undefined;
  /** As managedFields would name the writer. */
  manager: string;
  userAgent: string;
  username: string;
  groups: string[];
  impersonatedBy: string | undefined;
  /** The person behind the shared user, as named by the impersonator. Only Gatehouse is believed: `believePerson`. */
  namedPerson: string | undefined;
  sourceAddresses: string[];
  /** The fields that a patch names; undefined if the event does not contain them. */
  fields: string[] | undefined;
};

export type EventRules = {
  /** Field managers of the cluster's controllers. */
  controllerManagers: readonly string[];
  /** Patterns of the namespaces whose events are kept. */
  namespaces: readonly string[];
  sourceAddresses: SourceAddresses;
  /** Patterns of the groups that are kept. */
  groups: readonly string[];
};

/**
 * Why an event is not kept: `unreadable` is not an audit event; `other-object` is about something that is not watched;
 * `no-write` changed nothing; `controller` is known by other evidence.
 */
export type Dropped = "unreadable" | "other-object" | "no-write" | "controller";
export type EventVerdict = { keep: true; write: ObjectWrite } | { keep: false; why: Dropped };

const writingVerbs = ["create", "update", "patch", "delete"];
/** Writes through other subresources, such as `scale`, are no act on a release. */
const watchedSubresources = ["", "status"];

/** Judges whether an audit event is kept, and returns the write to store: no values, and no secrets. */
export function judgeEvent(item: unknown, rules: EventRules): EventVerdict {
  const parsed = KubeAuditEvent.safeParse(item);
  if (!parsed.success) return drop("unreadable");
  const event = parsed.data;
  const { objectRef, verb, responseStatus, stageTimestamp = "" } = event;
  if (objectRef === undefined) return drop("other-object");
  const { resource = "", apiGroup = "", namespace = "", name = "", subresource = "" } = objectRef;
  const kind = findAuditedKind({ apiGroup, resource });
  if (kind === undefined || !watchedSubresources.includes(subresource)) return drop("other-object");
  const code = responseStatus?.code ?? 0;
  if (
    event.stage !== "ResponseComplete" ||
    !writingVerbs.includes(verb) ||
    code < 200 ||
    code >= 400 ||
    isDryRun(event)
  )
    return drop("no-write");
  if (name === "" || !isTime(stageTimestamp)) return drop("unreadable");
  if (!matchesAny(rules.namespaces, namespace)) return drop("other-object");
  const caller = event.user?.username ?? "";
  const acting = event.impersonatedUser ?? event.user;
  const username = acting?.username ?? "";
  if (username === "") return drop("unreadable");
  const manager = managerOf(event);
  // A person who calls the client after the controller is still a person.
  if (isServiceAccount(username) && rules.controllerManagers.includes(manager)) return drop("controller");
  return {
    keep: true,
    write: {
      auditId: toText(event.auditID, 200),
      stageAt: toMicroTime(stageTimestamp),
      verb,
      kind,
      namespace: toText(namespace, 253),
      name: toText(name, 253),
      uid: objectRef.uid === undefined ? undefined : toText(objectRef.uid, 253),
      subresource,
      versionBefore: verb === "create" ? undefined : toVersion(objectRef.resourceVersion),
      versionAfter: toVersion(readVersion(event.responseObject)),
      manager: toText(manager, 128),
      userAgent: toText(event.userAgent ?? "", 300),
      username: toText(username, 500),
      groups: (acting?.groups ?? [])
        .filter((group) => matchesAny(rules.groups, group))
        .slice(0, 100)
        .map((group) => toText(group, 253)),
      impersonatedBy: event.impersonatedUser === undefined ? undefined : toText(caller, 500),
      namedPerson: readNamedPerson(event),
      sourceAddresses: (event.sourceIPs ?? [])
        .slice(0, 10)
        .flatMap((address) => maskAddress(toText(address, 100), rules.sourceAddresses)),
      fields: verb === "patch" ? listWrittenFields(event.requestObject) : undefined,
    },
  };
}

/** Undefined unless exactly one name is given, which is no name of Kubernetes' own. */
function readNamedPerson({ impersonatedUser }: KubeAuditEvent): string | undefined {
  if (impersonatedUser?.username !== sharedUser) return undefined;
  const [person = "", ...more] = impersonatedUser.extra?.[personExtra] ?? [];
  const isName = more.length === 0 && person.trim() !== "" && !/^\s*system:/i.test(person);
  return isName ? toText(person, 500) : undefined;
}

/** Returns the write with the person as its user if one of Gatehouse's own accounts names the person. */
export function believePerson(write: ObjectWrite, ownAccounts: readonly string[]): ObjectWrite {
  const { namedPerson, impersonatedBy } = write;
  const isBelieved = namedPerson !== undefined && impersonatedBy !== undefined && ownAccounts.includes(impersonatedBy);
  return isBelieved ? { ...write, username: namedPerson } : write;
}

/** Returns whether a text is a time as Kubernetes writes it. */
function isTime(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT/.test(text) && Date.parse(text) > 0;
}

/** Keeps the microseconds, which `Date` cuts off: requests with the same audit id differ in their time. */
function toMicroTime(text: string): string {
  const [, fraction = ""] = /\.(\d+)/.exec(text) ?? [];
  return new Date(text).toISOString().replace("Z", `${fraction.padEnd(6, "0").slice(3, 6)}Z`);
}

function drop(why: Dropped): EventVerdict {
  return { keep: false, why };
}

/**
 * Returns the field manager as the API server determines it: the parameter, else the start of the user agent
 * (k8s.io/apiserver/pkg/endpoints/handlers, `managerOrUserAgent`).
 */
function managerOf({ requestURI = "", userAgent = "" }: KubeAuditEvent): string {
  const asked = parametersOf(requestURI).get("fieldManager");
  return asked !== null && asked !== "" ? asked : (userAgent.split("/")[0] ?? "").slice(0, 128);
}

function isDryRun({ requestURI = "" }: KubeAuditEvent): boolean {
  return parametersOf(requestURI).has("dryRun");
}

function parametersOf(requestUri: string): URLSearchParams {
  return new URLSearchParams(requestUri.split("?")[1] ?? "");
}

function readVersion(object: unknown): unknown {
  if (typeof object !== "object" || object === null || !("metadata" in object)) return undefined;
  const { metadata } = object;
  if (typeof metadata !== "object" || metadata === null || !("resourceVersion" in metadata)) return undefined;
  return metadata.resourceVersion;
}

function toVersion(version: unknown): string | undefined {
  return typeof version === "string" && version !== "" ? toText(version, 100) : undefined;
}

function toText(text: string, maxLength: number): string {
  return escapeText(redactBeginning(text).slice(0, maxLength)).text;
}

const decidedOn: readonly string[] = ["rollout", "analysis-run", "experiment"];

/** The kinds whose audit events are kept: those that people act on, of all providers. */
export const auditedKinds = providedKinds.filter(({ recordedAs }) => decidedOn.includes(recordedAs));

const byResource = new Map(auditedKinds.map(({ kind, resource: { group, name } }) => [`${group}/${name}`, kind]));

/** Returns the kind of a resource of an audit event; undefined if its events are not kept. */
function findAuditedKind({ apiGroup, resource }: { apiGroup: string; resource: string }): string | undefined {
  return byResource.get(`${apiGroup}/${resource}`);
}
