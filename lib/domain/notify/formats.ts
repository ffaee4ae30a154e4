import { cleanLine, cutText } from "#lib/util/text.ts";
import { bySeverity, type Message, nameTarget } from "./compose-messages.ts";
import { cleanTexts, isOver, linkTo, type NotifiableEvent } from "./notifiable-event.ts";
import { formatTicketOutcome } from "./ticket-events.ts";

/** One event as every channel writes it. */
export type EventText = {
  heading: string;
  sentence: string;
  /** Such as `prod/shop/Rollout/web`. */
  place: string;
  facts: NotifiableEvent["facts"];
  at: string;
  severity: NotifiableEvent["severity"];
  /** It says that something is over. */
  isOver: boolean;
  link: string;
  /** The wait that it begins. */
  wait?: WaitPlace;
};

/** A wait of a rollout, and how severe it was when it was told. `since`: ISO 8601. */
export type WaitPlace = {
  cluster: string;
  namespace: string;
  kind: string;
  name: string;
  since: string;
  severity: NotifiableEvent["severity"];
};

/** A message as every channel writes it: the most severe events first, and how many more there are. */
export type MessageText = {
  title: string;
  events: EventText[];
  /** How many events are not listed; they are in the inbox and in the audit log. */
  more: number;
  moreLink: string;
};

/** Texts are cut to these lengths: a receiver may refuse longer ones. */
const maxListed = 10;
const maxSentence = 600;
const maxTitle = 200;

export function describeMessage(message: Pick<Message, "title" | "events">, publicUrl: string): MessageText {
  const events = bySeverity(message.events);
  return {
    title: cutText(cleanLine(message.title), maxTitle),
    events: events.slice(0, maxListed).map((event) => describeEvent(cleanTexts(event), publicUrl)),
    more: Math.max(0, events.length - maxListed),
    moreLink: linkTo(publicUrl, "/inbox"),
  };
}

function describeEvent(event: NotifiableEvent, publicUrl: string): EventText {
  const { cluster, namespace, kind, name } = event.target;
  return {
    heading: cutText(cleanLine(`${nameTarget(event)}: ${event.title}`), maxTitle),
    sentence: cutText(event.sentence, maxSentence),
    place: cutText(
      cleanLine([cluster, namespace, kind ?? "", name].filter((part) => part !== "").join("/")),
      maxSentence,
    ),
    facts: event.facts
      .slice(0, 8)
      .map(({ label, value }) => ({ label: cutText(label, 60), value: cutText(value, 300) })),
    at: event.at,
    severity: event.severity,
    isOver: isOver(event),
    link: linkTo(publicUrl, event.path),
    ...waitOf(event),
  };
}

function waitOf(event: NotifiableEvent): Pick<EventText, "wait"> {
  const { matter, severity } = event;
  const { cluster, namespace, kind, name } = event.target;
  if (matter === undefined || matter.rolloutId === null || kind === null || isOver(event)) return {};
  return { wait: { cluster, namespace, kind, name, since: matter.since, severity } };
}

/** Formats the line that says how many more events there are; empty if there are none. */
export function formatMore(more: number): string {
  return more === 0 ? "" : `and ${more} more`;
}

type EmailBody = { subject: string; text: string; html: string };

const words = { info: "Info", warning: "Warning", critical: "Critical" } as const;

function wordOf({ severity, isOver }: Pick<EventText, "severity" | "isOver">): string {
  return isOver ? "Over" : words[severity];
}

/** Formats a message as plain text and as HTML; both say the same. */
export function formatEmail(message: Pick<Message, "title" | "events" | "severity">, publicUrl: string): EmailBody {
  const { title, events, more, moreLink } = describeMessage(message, publicUrl);
  return {
    subject: `[${message.events.every(isOver) ? "Over" : words[message.severity]}] ${title}`,
    text: [...events.map(textOf), ...(more === 0 ? [] : [`${formatMore(more)}: ${moreLink}`])].join("\n\n"),
    html: [
      '<!doctype html><html><body style="font-family: sans-serif">',
      ...events.map(htmlOf),
      ...(more === 0 ? [] : [`<p><a href="${escapeHtml(moreLink)}">${formatMore(more)}</a></p>`]),
      "</body></html>",
    ].join("\n"),
  };
}

function textOf(event: EventText): string {
  const { heading, sentence, place, facts, at, link } = event;
  const lines = facts.map(({ label, value }) => `${label}: ${value}`);
  return [heading, sentence, ...lines, `${wordOf(event)}, ${place}, ${at}`, link].join("\n");
}

function htmlOf(event: EventText): string {
  const { heading, sentence, place, facts, at, link } = event;
  const rows = facts.map(
    ({ label, value }) => `<tr><th align="left">${escapeHtml(label)}</th><td>${escapeHtml(value)}</td></tr>`,
  );
  return [
    `<h3><a href="${escapeHtml(link)}">${escapeHtml(heading)}</a></h3>`,
    `<p>${escapeHtml(sentence)}</p>`,
    ...(rows.length === 0 ? [] : [`<table>${rows.join("")}</table>`]),
    `<p>${wordOf(event)}, ${escapeHtml(place)}, ${escapeHtml(at)}</p>`,
  ].join("\n");
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}

/** Words and a sign of each severity: colour alone would say nothing to some. */
const signs = { info: "ℹ️ Info", warning: "⚠️ Warning", critical: "🚨 Critical" } as const;

export function signOf({ severity, isOver }: Pick<EventText, "severity" | "isOver">): string {
  return isOver ? "✅ Over" : signs[severity];
}

type EventData = Omit<NotifiableEvent, "path"> & { link: string };

/** A message as CloudEvents 1.0 in its JSON format (structured mode). */
type CloudEvent = {
  specversion: "1.0";
  /** The same for each repeat of the message: receivers tell repeats by it. */
  id: string;
  source: string;
  /** `io.gatehouse.` and the event's kind; of several events `io.gatehouse.group` or `io.gatehouse.digest`. */
  type: string;
  /** ISO 8601; when the newest of its events happened. */
  time: string;
  /** The rollout, if it is about one: `cluster/namespace/Kind/name`. */
  subject?: string;
  datacontenttype: "application/json";
  data: { title: string; severity: NotifiableEvent["severity"]; events: EventData[] };
};

/** Formats a message for a webhook as a CloudEvent. The outcome of an action that was asked about has a form of its own. */
export function formatWebhook(message: Omit<Message, "routes">, publicUrl: string): Record<string, unknown> {
  const [event] = message.events;
  if (event?.ticket === undefined) return formatCloudEvent(message, publicUrl);
  return formatTicketOutcome(message.id, { ...event, ticket: event.ticket }, publicUrl);
}

/** Formats a message for a webhook, with all of its events. Its text is not redacted again. */
export function formatCloudEvent(message: Omit<Message, "routes">, publicUrl: string): CloudEvent {
  const { id, shape, title, severity, events } = message;
  const [first] = events;
  const times = events.map(({ at }) => at).toSorted();
  const { cluster, namespace, kind, name } = first?.target ?? { cluster: "", namespace: "", kind: null, name: "" };
  return {
    specversion: "1.0",
    id,
    source: publicUrl,
    type: `io.gatehouse.${shape === "group" || shape === "digest" ? shape : (first?.kind ?? shape)}`,
    time: times.at(-1) ?? new Date(0).toISOString(),
    ...(shape === "digest" || name === "" ? {} : { subject: `${cluster}/${namespace}/${kind ?? ""}/${name}` }),
    datacontenttype: "application/json",
    data: {
      title: cleanLine(title),
      severity,
      events: events.map(({ path, ...event }) => ({ ...cleanTexts(event), link: linkTo(publicUrl, path) })),
    },
  };
}
