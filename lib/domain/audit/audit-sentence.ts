import { type ActionEntry, findEntry } from "#lib/domain/acting/action-catalogue.ts";
import { formatGroupSentence, groupActions, groupCode } from "#lib/domain/acting/group-actions.ts";
import { readApprovalCounts } from "#lib/domain/audit/read-approval-counts.ts";
import { nameSteps } from "#lib/domain/delivery/step-words.ts";
import { formatUser } from "#lib/domain/kube-audit/person.ts";
import { describeScope } from "#lib/domain/policy/describe-scope.ts";
import { cutText } from "#lib/util/text.ts";
import { formatList } from "#lib/util/words.ts";
import type { AuditEntry } from "./audit-entry.ts";
import { readPerson } from "./entry-person.ts";

/** A piece of a sentence; `strong` marks names. The text may be hostile: render it only as text. */
export type SentencePart = { text: string; strong: boolean };

type Words = Pick<ActionEntry, "did" | "toDo">;

/** Returns the words for an action, to precede the name of its target: "fully promote", "skip a step of". */
export function nameToDo(action: string): string {
  return wordsOf(action).toDo;
}

/** Returns the words for an action that was done, to precede the name of its target: "skipped a step of". */
export function nameDid(action: string): string {
  return wordsOf(action).did;
}

/** Adds "it" to the words for an action: "aborted it", "rolled it back". */
export function addIt(words: string): string {
  return words.endsWith(" back") ? `${words.slice(0, -" back".length)} it back` : `${words} it`;
}

/** Phrases by code, or by code and outcome if they differ. */
const codeWords: Readonly<Record<string, string>> = {
  "session.signin": "signed in",
  "session.signin_failed": "failed to sign in",
  "session.signout": "signed out",
  "session.revoke": "revoked a session",
  "access.refused": "was refused access",
  "audit.export": "exported the audit log",
  "audit.verify": "verified the audit log",
  "attention.acknowledge": "acknowledged",
  "attention.withdraw": "withdrew the acknowledgement of",
  "finding.acknowledge": "acknowledged a finding about",
  "finding.withdraw": "withdrew the acknowledgement of a finding about",
  "inbox.claimed": "claimed",
  "inbox.claim-extended": "extended the claim on",
  "inbox.claim-taken-over": "took over the claim on",
  "inbox.claim-released": "released the claim on",
  "inbox.snoozed": "snoozed",
  "inbox.woken": "ended the snooze of",
  "saved-view.share": "shared a view of a list",
  "saved-view.unshare": "stopped sharing a view of a list",
  "freeze.extend": "extended a freeze",
  "freeze.end": "ended a freeze",
  "links.change": "changed the links to other tools",
  "notifications.change": "changed the channels and routes of notifications",
  "token.create": "created a token",
  "token.revoke": "revoked a token",
  "device.ask": "asked to sign in a terminal",
  "device.approve": "signed in a terminal",
  "device.refuse": "refused to sign in a terminal",
  "hook-credential.create": "created a credential for hooks",
  "hook-credential.revoke": "revoked a credential for hooks",
  "notification.test": "sent a test message",
  "notification.test refused": "was not allowed to send a test message",
  "notification.retry": "sent a message again",
  "notification.retry refused": "was not allowed to send a message again",
  "config.loaded": "loaded a config",
  "config.refused": "refused a config that cannot be used",
  "config.held": "held a config that removes most clusters or role bindings",
  "config.confirmed": "confirmed a held config",
  "config.confirmed refused": "was not allowed to confirm a held config",
  "retention.overridden": "overrode the safeguards against deleting old rows",
  "retention.deleted intent": "started deleting expired rows",
  "retention.deleted applied": "deleted expired rows",
  "retention.deleted partial": "deleted some of the expired rows",
};

/**
 * Formats who did what to which rollout, and how far it had got: "**Oncall** aborted **payments/checkout** at 40 %".
 */
export function formatAuditSentence(entry: AuditEntry): SentencePart[] {
  const words =
    subjectWords(entry) ?? skipWords(entry) ?? (entry.action === undefined ? undefined : wordsOf(entry.action));
  const who = whoOf(entry);
  const [rest, where] = words === undefined ? [wordsOfCode(entry), causeOf(entry)] : phraseOf(entry, words);
  const target = targetOf(entry);
  const after = remarkOf(entry);
  const named =
    target === "it"
      ? [{ text: ` ${addIt(rest)}`, strong: false }]
      : [
          { text: ` ${rest}${target === "" ? "" : " "}`, strong: false },
          ...(target === "" ? [] : [{ text: target, strong: true }]),
        ];
  return [
    { text: who, strong: true },
    ...named,
    ...(where === "" ? [] : [{ text: where, strong: false }]),
    ...(after === "" ? [] : [{ text: after, strong: false }]),
  ];
}

/**
 * Phrases the number of the entry that it explains, that several senders fit, how many have approved by then, or that
 * it was scheduled before.
 */
function remarkOf(entry: AuditEntry): string {
  const { code, detail } = entry;
  if (code === "approval.approve") return countsOf(entry);
  const explains =
    code === "cluster.attributed" && typeof detail?.explains === "number" ? ` (entry ${detail.explains})` : "";
  const person = readPerson(detail?.person);
  if (typeof detail?.scheduled === "string") return " (scheduled)";
  if (detail?.proposal !== undefined) return " (proposed by an agent)";
  if (code.startsWith("action.") && detail?.agent !== undefined) return " (by an agent itself)";
  return person?.found === false ? `${explains}: ambiguous, requests of ${person.senders} senders fit` : explains;
}

/** Phrases how far a request had got: "(1 of 2)"; nothing if one person was enough. */
function countsOf(entry: AuditEntry): string {
  const counts = readApprovalCounts(entry);
  if (counts.length < 2 && !counts.some(({ approvers }) => approvers > 1)) return "";
  return ` (${counts.map(({ approved, approvers }) => `${approved} of ${approvers}`).join(", ")})`;
}

/** Returns who acted. For a change in the cluster, that is a client, unless the API server's audit log names a user. */
function whoOf({ actor, code, source, detail }: AuditEntry): string {
  if (code === "gate.skipped") return actor.name;
  const person = readPerson(detail?.person);
  if (person?.found === true) return `${formatUser(person)},`;
  if (source === "cluster")
    return `${typeof detail?.client === "string" ? detail.client : "Client unknown"}, outside Gatehouse,`;
  return actor.type === "token" ? `${actor.name} (token ${actor.token?.name ?? ""})` : actor.name;
}

export function joinSentence(parts: readonly SentencePart[]): string {
  return parts.map(({ text }) => text).join("");
}

const approvalWords: Readonly<Record<string, string>> = {
  "approval.request": "requested approval to",
  "approval.approve": "approved the request to",
  "approval.reject": "rejected the request to",
  "approval.withdraw": "withdrew the request to",
};

/** The same for an agent's proposal. Who approves one acts, which is an entry of its own. */
const proposalWords: typeof approvalWords = {
  "approval.request": "proposed to",
  "approval.reject": "declined the proposal to",
  "approval.withdraw": "withdrew the proposal to",
};

function phraseOf(entry: AuditEntry, { did, toDo }: Words): [rest: string, where: string] {
  const place = placeOf(entry) + glassOf(entry);
  const approval = (entry.detail?.agent === undefined ? approvalWords : proposalWords)[entry.code];
  if (approval !== undefined) return [`${approval} ${toDo}`, place];
  const scheduled = phraseOfSchedule(entry, toDo);
  if (scheduled !== undefined) return scheduled;
  const later = phraseOfEffect(entry, toDo);
  if (later !== undefined) return later;
  // The recorder found out the result of a person's action: the sentence still names that person. An action that
  // Gatehouse decided on by itself has the source of every other action.
  const found = entry.actor.type === "system" && entry.source === "system";
  const request = `the request to ${toDo}`;
  switch (entry.outcome) {
    case "applied":
      return found ? [`found that ${request}`, ` was applied${place}`] : [did, place];
    case "refused":
      return found
        ? [`found that ${request}`, ` was not applied${place}`]
        : [`was not allowed to ${toDo}`, place + policyOf(entry)];
    case "partial":
      return found ? [`found that ${request}`, ` was partially applied${place}`] : [`partially ${did}`, place];
    case "unknown":
      return found
        ? [`could not tell whether ${request}`, ` was applied${place}`]
        : [`asked to ${toDo}`, `${place}, outcome unknown`];
    default:
      return [`asked to ${toDo}`, place];
  }
}

/** Phrases a request for a later time: made, withdrawn, or ended by Gatehouse because nothing could come of it. */
function phraseOfSchedule(
  { code, outcome, source, detail }: AuditEntry,
  toDo: string,
): [rest: string, where: string] | undefined {
  if (code !== "action.schedule" && code !== "action.unschedule") return undefined;
  const due = typeof detail?.dueAt === "string" ? new Date(detail.dueAt) : undefined;
  const at =
    due === undefined || Number.isNaN(due.getTime())
      ? ""
      : ` at ${due.toISOString().slice(0, 16).replace("T", " ")} UTC`;
  const isRefused = outcome === "refused";
  if (code === "action.unschedule")
    return [`${isRefused ? "was not allowed to withdraw" : "withdrew"} the request to ${toDo}`, at];
  if (source === "system") return [`dropped the request to ${toDo}`, at];
  return [`${isRefused ? "was not allowed to" : "asked to"} ${toDo}`, at];
}

/** Phrases the effect that the recorder saw after an action was applied. */
function phraseOfEffect({ code, detail }: AuditEntry, toDo: string): [rest: string, where: string] | undefined {
  switch (code) {
    case "action.without-effect":
      return [`saw no effect ${detail?.watched === true ? "yet " : ""}of the request to ${toDo}`, ""];
    case "action.took-effect": {
      const seconds = detail?.afterSeconds;
      return [`saw the request to ${toDo}`, ` take effect${typeof seconds === "number" ? afterOf(seconds) : ""}`];
    }
    case "action.superseded":
      return [`saw the request to ${toDo}`, " superseded before it took effect"];
    case "action.given-up":
      return [`gave up waiting for an effect of the request to ${toDo}`, ""];
    default:
      return undefined;
  }
}

function afterOf(seconds: number): string {
  if (seconds < 120) return ` after ${seconds} s`;
  return seconds < 7200 ? ` after ${Math.round(seconds / 60)} min` : ` after ${Math.round(seconds / 3600)} h`;
}

function wordsOfCode({ code, outcome, target, detail }: AuditEntry): string {
  if (code === "source.hold-released")
    return outcome === "refused"
      ? `was not allowed to release the objects held by ${target?.id ?? "a source"}`
      : heldWords({ target, detail });
  if (code === "gate.skipped") return gateWords(detail);
  if (code === "freeze.create") return freezeWords(detail);
  if (code === groupCode) return groupWords(detail);
  if (code === "sandbox.fault") return faultWords(outcome, detail);
  return codeWords[`${code} ${outcome ?? ""}`] ?? codeWords[code] ?? code;
}

/** Only `members` is in the entry: the other numbers count the members in some states now. */
function groupWords(detail: AuditEntry["detail"]): string {
  const { action, of, members = 0, done = 0, open = members, idle = 0, partial = 0 } = detail ?? {};
  const name = groupActions.find((each) => each === action);
  if (name === undefined) return "requested an unknown action on many rollouts";
  const named = typeof of === "string" ? of : undefined;
  return formatGroupSentence({
    action: name,
    of: named,
    total: Number(members),
    done: Number(done),
    open: Number(open),
    idle: Number(idle),
    partial: Number(partial),
  });
}

/** In characters: a scope may list many places. */
const longestScope = 200;

function freezeWords(detail: AuditEntry["detail"]): string {
  const { clusters, namespaces, rollouts } = detail ?? {};
  const scope = { clusters: listTexts(clusters), namespaces: listTexts(namespaces), rollouts: listTexts(rollouts) };
  return `froze rollouts ${cutText(describeScope(scope), longestScope)}`;
}

function listTexts(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function gateWords(detail: AuditEntry["detail"]): string {
  const steps = Array.isArray(detail?.steps) ? detail.steps.map(String) : [];
  if (steps.length === 0) return "skipped a gate of";
  return `skipped the gate${steps.length === 1 ? " at step" : "s at steps"} ${formatList(steps)} of`;
}

function causeOf({ code, detail }: AuditEntry): string {
  if (code !== "gate.skipped") return "";
  const run = typeof detail?.run === "string" ? ` ${detail.run}` : "";
  return `: background analysis${run} Inconclusive`;
}

function heldWords({ target, detail }: Pick<AuditEntry, "target" | "detail">): string {
  const { kind = "object", cluster = "" } = target ?? {};
  const count = typeof detail?.objects === "number" ? `${detail.objects} ` : "";
  const held = detail?.objects === 1 ? `1 held ${kind}` : `${count}held ${kind}s`;
  return `confirmed that ${held} of ${cluster} ${detail?.objects === 1 ? "is" : "are"} gone${target?.namespace === undefined ? "" : " from"}`;
}

function faultWords(outcome: AuditEntry["outcome"], detail: AuditEntry["detail"]): string {
  const { fault, resource } = detail ?? {};
  const isEnd = fault === "none";
  const where = typeof resource === "string" ? `${resource} of the demo's cluster` : "the demo's cluster";
  const what = isEnd ? `the faults of ${where}` : `the fault ${String(fault)} on ${where}`;
  switch (outcome) {
    case "applied":
      return `${isEnd ? "ended" : "played"} ${what}`;
    case "refused":
      return `was not allowed to ${isEnd ? "end" : "play"} ${what}`;
    case "unknown":
      return `asked to ${isEnd ? "end" : "play"} ${what}, outcome unknown`;
    default:
      return `asked to ${isEnd ? "end" : "play"} ${what}`;
  }
}

/** Phrases the value that was set, or how far the update had got. */
function placeOf({ action, detail }: AuditEntry): string {
  if (action !== undefined && findEntry(action)?.startsUpdate === true) return formatRequestedVersion(detail);
  if (detail?.skipped !== undefined) return "";
  const { weight, actualWeight } = detail ?? {};
  if (isPercent(actualWeight)) return ` at ${actualWeight} %`;
  // The weight that was set may differ from the actual weight of the new version.
  if (isPercent(weight)) return ` with the weight set to ${weight} %`;
  const { step, stepCount } = detail ?? {};
  return typeof step === "number" && typeof stepCount === "number" && stepCount > 0
    ? ` at step ${Math.min(step + 1, stepCount)} of ${stepCount}`
    : "";
}

/** A share that is not a whole number is text in an entry. */
function isPercent(value: unknown): value is number | string {
  return typeof value === "number" || (typeof value === "string" && /^\d{1,3}(\.\d{1,12})?$/.test(value));
}

function glassOf({ detail }: AuditEntry): string {
  const { brokenFreeze, aheadOfSet } = detail ?? {};
  const freeze = typeof brokenFreeze === "string" ? `, overriding freeze "${brokenFreeze}"` : "";
  return typeof aheadOfSet === "string" ? `${freeze}, ahead of set "${aheadOfSet}"` : freeze;
}

/** Phrases what refused: a policy, a set or a ticket check. Several freezes are one text, separated by commas. */
function policyOf({ detail }: AuditEntry): string {
  const { policy, problem } = detail ?? {};
  if (typeof policy !== "string") return "";
  switch (problem) {
    case "frozen":
      return `: frozen by "${policy}"`;
    case "reauthentication_required":
      return `: "${policy}" can be overridden only after a recent sign-in`;
    case "second_person_required":
      return `: rule "${policy}" requires approval`;
    case "barrier":
      return `: held back by set "${policy}"`;
    case "ticket_refused":
      return `: refused by ticket check "${policy}"`;
    default:
      return `: refused by "${policy}"`;
  }
}

function formatRequestedVersion(detail: AuditEntry["detail"]): string {
  const { params, images } = detail ?? {};
  if (typeof params !== "object" || params === null) return "";
  if ("image" in params && typeof params.image === "string") return ` to ${params.image}`;
  const named = Array.isArray(images) ? images.join(", ") : "";
  if (!("toRevision" in params) || typeof params.toRevision !== "number") return named === "" ? "" : ` to ${named}`;
  return ` to revision ${params.toRevision}${named === "" ? "" : ` (${named})`}`;
}

function targetOf({ target }: AuditEntry): string {
  return [target?.namespace, target?.name].filter((part) => part !== undefined).join("/");
}

/**
 * Phrases an action on a run or an Experiment of the rollout. A subject that was not found has neither name nor
 * rollout.
 */
function subjectWords({ action, detail }: AuditEntry): Words | undefined {
  const subject = detail?.subject;
  if (typeof subject !== "object" || subject === null || !("kind" in subject)) return undefined;
  const word = subject.kind === "Experiment" ? "experiment" : "run";
  const name = "name" in subject ? `${String(subject.name)} of` : "uid" in subject ? String(subject.uid) : undefined;
  if (name === undefined) return undefined;
  const what = `${word} ${name}`;
  if (action === "terminate") return { did: `terminated ${what}`, toDo: `terminate ${what}` };
  return action === "retry" ? { did: `retried ${what}`, toDo: `retry ${what}` } : undefined;
}

/** Phrases which steps were skipped, if that was observed. */
function skipWords({ action, detail }: AuditEntry): Words | undefined {
  const skipped = detail?.skipped;
  if (typeof skipped !== "object" || skipped === null || !("first" in skipped) || !("last" in skipped))
    return undefined;
  const [first, last] = [Number(skipped.first), Number(skipped.last)];
  const rest = action === "skip-all" ? ", all that were left," : "";
  const what = `${nameSteps({ first, last })}${rest} of`;
  return { did: `skipped ${what}`, toDo: `skip ${what}` };
}

function wordsOf(action: string): Words {
  return findEntry(action) ?? { did: `did ${action} on`, toDo: `do ${action} on` };
}
