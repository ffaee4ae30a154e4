import { cleanLine } from "#lib/util/clean-line.ts";
import { cutText } from "#lib/util/cut-text.ts";
import { bySeverity, type Message, nameTarget } from "./compose-messages.ts";
import { linkTo } from "./event-path.ts";
import { cleanTexts, type NotifiableEvent } from "./notifiable-event.ts";

/** One event as every channel writes it. */
export type EventText = {
  heading: string;
  sentence: string;
  /** Such as `prod/shop/Rollout/web`. */
  place: string;
  facts: NotifiableEvent["facts"];
  at: string;
  severity: NotifiableEvent["severity"];
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
    link: linkTo(publicUrl, event.path),
  };
}

/** Formats the line that says how many more events there are; empty if there are none. */
export function formatMore(more: number): string {
  return more === 0 ? "" : `and ${more} more`;
}
