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
  };
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

/** `verbatim`: Slack makes no links and mentions of addresses, channels and names in it. */
type Markdown = { type: "mrkdwn"; text: string; verbatim: true };
type Block =
  | { type: "header"; text: { type: "plain_text"; text: string; emoji: false } }
  | { type: "section"; text: Markdown }
  | { type: "context"; elements: Markdown[] };

/** The body of a message to Slack: blocks, and text for where blocks are not shown, which is not formatted. */
type SlackBody = {
  text: string;
  blocks: Block[];
  mrkdwn: false;
  parse: "none";
  link_names: false;
  unfurl_links: false;
  unfurl_media: false;
};

/** Formats a message in Slack's blocks (docs.slack.dev: block kit; a section has at most 3000 characters, a header 150). */
export function formatSlack(message: Pick<Message, "id" | "title" | "events">, publicUrl: string): SlackBody {
  const { title, events, more, moreLink } = describeMessage(message, publicUrl);
  return {
    text: escapeSlack(title),
    blocks: [
      { type: "header", text: { type: "plain_text", text: cutText(title, 150), emoji: false } },
      ...events.flatMap(blocksOf),
      ...(more === 0 ? [] : [section(`<${moreLink}|${formatMore(more)}>`)]),
      // A webhook takes no id: people tell a repeat by this line.
      context(`Message ${message.id}`),
    ],
    mrkdwn: false,
    parse: "none",
    link_names: false,
    unfurl_links: false,
    unfurl_media: false,
  };
}

function blocksOf(event: EventText): Block[] {
  const { heading, sentence, place, facts, link, at } = event;
  const lines = [
    `*<${escapeLink(link)}|${escapeSlack(heading)}>*`,
    escapeSlack(sentence),
    ...facts.map(({ label, value }) => `${escapeSlack(label)}: ${escapeSlack(value)}`),
  ];
  return [section(lines.join("\n")), context(`${signOf(event)} · ${escapeSlack(place)} · ${at}`)];
}

function context(text: string): Block {
  return { type: "context", elements: [{ type: "mrkdwn", text: cutText(text, 2000), verbatim: true }] };
}

function section(text: string): Block {
  return { type: "section", text: { type: "mrkdwn", text: cutText(text, 3000), verbatim: true } };
}

/**
 * Escapes text so that Slack shows it as it is: `&`, `<` and `>` as Slack asks, which also disables `<!channel>` and
 * `<@user>`; a zero-width space keeps `*`, `_`, `~` and the backtick from formatting, and `@here` from looking real.
 */
export function escapeSlack(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replace(/[*_~`@]/g, "$&\u200b");
}

/** A link ends at `|` and `>`. */
function escapeLink(link: string): string {
  return link.replaceAll("|", "%7C").replaceAll("<", "%3C").replaceAll(">", "%3E").replaceAll("&", "&amp;");
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
