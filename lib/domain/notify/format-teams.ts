import type { Message } from "./compose-messages.ts";
import { describeMessage, type EventText, formatMore, type MessageText, signOf } from "./formats.ts";

/** Text that is shown as it is: a TextBlock would format it. */
type Line = {
  type: "RichTextBlock";
  inlines: [{ type: "TextRun"; text: string; weight?: "Bolder"; size?: "Medium"; isSubtle?: true; color?: Colour }];
};
type Colour = "Default" | "Warning" | "Attention" | "Good";
type OpenUrl = { type: "Action.OpenUrl"; title: string; url: string };
type Container = { type: "Container"; separator: true; items: (Line | { type: "ActionSet"; actions: OpenUrl[] })[] };

/** A message to a workflow of Teams that takes webhooks: an Adaptive Card (adaptivecards.io, version 1.4). */
type TeamsBody = {
  type: "message";
  attachments: [
    {
      contentType: "application/vnd.microsoft.card.adaptive";
      contentUrl: null;
      content: {
        $schema: "http://adaptivecards.io/schemas/adaptive-card.json";
        type: "AdaptiveCard";
        version: "1.4";
        body: (Line | Container)[];
        actions: OpenUrl[];
      };
    },
  ];
};

/** Teams refuses a message above 28 KB. */
const maxBytes = 25_000;
/** From the fullest to the shortest: how many events are listed, and whether with their facts. */
const fits = [
  [10, true],
  [10, false],
  [5, false],
  [2, false],
] as const;

/** Formats a message as a card. A message that is too large for Teams has fewer events in full, and says how many more. */
export function formatTeams(message: Pick<Message, "id" | "title" | "events">, publicUrl: string): TeamsBody {
  const described = describeMessage(message, publicUrl);
  for (const [listed, hasFacts] of fits) {
    const card = cardOf(message.id, described, listed, hasFacts);
    if (Buffer.byteLength(JSON.stringify(card)) <= maxBytes) return card;
  }
  return cardOf(message.id, described, 1, false);
}

function cardOf(id: string, text: MessageText, listed: number, hasFacts: boolean): TeamsBody {
  const events = text.events.slice(0, listed);
  const more = text.more + text.events.length - events.length;
  const content: TeamsBody["attachments"][0]["content"] = {
    $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
    type: "AdaptiveCard",
    version: "1.4",
    body: [
      lineOf(text.title, { weight: "Bolder", size: "Medium" }),
      ...events.map((event) => containerOf(event, hasFacts)),
      // A workflow takes no id: people tell a repeat by this line.
      lineOf(`Message ${id}`, { isSubtle: true }),
    ],
    actions: more === 0 ? [] : [openUrl(formatMore(more), text.moreLink)],
  };
  return {
    type: "message",
    attachments: [{ contentType: "application/vnd.microsoft.card.adaptive", contentUrl: null, content }],
  };
}

const colours = { info: "Default", warning: "Warning", critical: "Attention" } as const;

function containerOf(event: EventText, hasFacts: boolean): Container {
  const { heading, sentence, facts, place, at, link, severity, isOver } = event;
  return {
    type: "Container",
    separator: true,
    items: [
      lineOf(heading, { weight: "Bolder" }),
      lineOf(sentence),
      ...(hasFacts ? facts.map(({ label, value }) => lineOf(`${label}: ${value}`)) : []),
      lineOf(`${signOf(event)} · ${place} · ${at}`, { color: isOver ? "Good" : colours[severity] }),
      { type: "ActionSet", actions: [openUrl("Open", link)] },
    ],
  };
}

function lineOf(text: string, look: Omit<Line["inlines"][0], "type" | "text"> = {}): Line {
  return { type: "RichTextBlock", inlines: [{ type: "TextRun", text, ...look }] };
}

function openUrl(title: string, url: string): OpenUrl {
  return { type: "Action.OpenUrl", title, url };
}
