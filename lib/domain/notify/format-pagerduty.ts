import type { FindingSeverity } from "#lib/domain/oversight/rule.ts";
import type { Message } from "./compose-messages.ts";
import { describeMessage, type EventText, formatMore } from "./formats.ts";

type Action = "trigger" | "acknowledge" | "resolve";

/** An event of PagerDuty's Events API v2 (developer.pagerduty.com: `POST /v2/enqueue`). */
type PagerDutyEvent = {
  routing_key: string;
  event_action: Action;
  /** At most 255 characters; events with the same one are about the same alert. */
  dedup_key: string;
  payload?: {
    /** At most 1024 characters. */
    summary: string;
    source: string;
    severity: FindingSeverity;
    timestamp?: string;
    component?: string;
    group?: string;
    class?: string;
    custom_details: { events: (Pick<EventText, "heading" | "sentence" | "place" | "link"> & Facts)[]; more?: string };
  };
  client?: string;
  client_url?: string;
  links?: { href: string; text: string }[];
};
type Facts = { facts: Readonly<Record<string, string>> };

/** Formats what a message asks PagerDuty to do. Its dedup key is the id of the incident. */
export function formatPagerDuty(
  message: Omit<Message, "routes">,
  { publicUrl, routingKey, action }: { publicUrl: string; routingKey: string; action: Action },
): PagerDutyEvent {
  const about = { routing_key: routingKey, event_action: action, dedup_key: message.incidentId ?? message.id };
  // The others take nothing else.
  if (action !== "trigger") return about;
  const { title, events, more, moreLink } = describeMessage(message, publicUrl);
  const [first, ...others] = message.events;
  const { matter, target } = first ?? {};
  const isSeveral = others.length > 0;
  return {
    ...about,
    payload: {
      summary: title,
      source: events[0]?.place || "gatehouse",
      severity: message.severity,
      ...(first === undefined ? {} : { timestamp: first.at }),
      ...(isSeveral || target === undefined || target.name === "" ? {} : { component: target.name }),
      ...(matter === undefined || matter.version === null ? {} : { group: matter.version }),
      ...(matter === undefined ? {} : { class: matter.cause }),
      custom_details: {
        events: events.map(({ heading, sentence, place, link, facts }) => ({
          ...{ heading, sentence, place, link },
          facts: Object.fromEntries(facts.map(({ label, value }) => [label, value])),
        })),
        ...(more === 0 ? {} : { more: formatMore(more) }),
      },
    },
    client: "Gatehouse",
    client_url: isSeveral ? moreLink : (events[0]?.link ?? moreLink),
    links: events.map(({ link, heading }) => ({ href: link, text: heading })),
  };
}
