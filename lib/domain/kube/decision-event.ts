import { findEntry } from "#lib/domain/acting/action-catalogue.ts";
import { linkTo, pathOfRollout } from "#lib/domain/notify/notifiable-event.ts";
import { redactText } from "#lib/domain/storable/redact-text.ts";
import { cleanLine, cutText } from "#lib/util/text.ts";
import { type ApiResource, formatGroupVersion } from "./api-resource.ts";

export type Decision = {
  actionId: string;
  action: string;
  actorName: string;
  reason: string | null;
  /** The audit entry of its outcome. */
  seq: number;
  time: Date;
  rollout: { resource: ApiResource; cluster: string; namespace: string; kind: string; name: string; uid: string };
  /** The run or Experiment that it is about. */
  subject: { kind: string; name: string } | null;
};

/** Kubernetes takes at most 1024 bytes of a message and 128 of a reason. */
const longest = { message: 1024, name: 100, link: 400 };

/**
 * Formats the Event that a decision leaves on its rollout. Its name follows from the action: a repeat exists already.
 */
export function formatDecisionEvent(decision: Decision, publicUrl: string) {
  const { actionId, action, seq, time, subject } = decision;
  const { resource, cluster, namespace, kind, name, uid } = decision.rollout;
  const apiVersion = formatGroupVersion(resource).replace(/^apis?\//, "");
  const words = action.split("-").map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`);
  const related =
    subject === null || subject.name === ""
      ? {}
      : { related: { apiVersion, namespace, kind: subject.kind, name: subject.name } };
  return {
    apiVersion: "v1",
    kind: "Event",
    metadata: {
      ...{ name: `gatehouse.${actionId}`, namespace },
      annotations: { "gatehouse.dev/link": linkTo(publicUrl, pathOfRollout({ cluster, namespace, kind, name })) },
    },
    involvedObject: { apiVersion, kind, namespace, name, uid },
    ...related,
    type: "Normal",
    reason: `Gatehouse${words.join("")}`.slice(0, 128),
    action,
    message: describeDecision(decision, linkTo(publicUrl, `/audit/${seq}`)),
    count: 1,
    firstTimestamp: toSeconds(time),
    lastTimestamp: toSeconds(time),
    source: { component: "gatehouse" },
    reportingComponent: "gatehouse.dev/gatehouse",
    reportingInstance: "gatehouse",
  };
}

function describeDecision({ action, actorName, reason, rollout }: Decision, link: string): string {
  const did = findEntry(action)?.did ?? `requested ${action} of`;
  const actor = cutText(cleanLine(redactText(actorName)), longest.name);
  const head = `${actor} ${did} ${rollout.name}`;
  const end = link.length > longest.link ? "" : ` ${link}`;
  if (reason === null || reason === "") return `${head}.${end}`;
  const room = longest.message - Buffer.byteLength(`${head}: ${end}`);
  return `${head}: ${cutToBytes(cleanLine(redactText(reason)), room)}${end}`;
}

function cutToBytes(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text;
  // A character takes at most four bytes.
  for (let length = bytes; ; length -= Math.max(1, Math.floor(length / 20))) {
    const cut = cutText(text, length);
    if (Buffer.byteLength(cut) <= bytes) return cut;
  }
}

function toSeconds(time: Date): string {
  return time.toISOString().replace(/\.\d+Z$/, "Z");
}
