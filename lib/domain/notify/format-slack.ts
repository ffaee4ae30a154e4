import { cutText } from "#lib/util/text.ts";
import type { Message } from "./compose-messages.ts";
import { describeMessage, type EventText, formatMore, signOf, type WaitPlace } from "./formats.ts";

/** `verbatim`: Slack makes no links and mentions of addresses, channels and names in it. */
type Markdown = { type: "mrkdwn"; text: string; verbatim: true };
type Block =
  | { type: "header"; text: { type: "plain_text"; text: string; emoji: false } }
  | { type: "section"; text: Markdown }
  | { type: "context"; elements: Markdown[] }
  | { type: "actions"; elements: Button[] };

type Button = {
  type: "button";
  action_id: string;
  text: { type: "plain_text"; text: string; emoji: false };
  /** Opens it; without it, the click is only sent to us. */
  url?: string;
  /** At most 2000 characters. */
  value?: string;
};

/** What a click in Slack asks for. Nothing that advances a release: that takes its page. */
export const slackActions = { claim: "gatehouse.claim", snooze: "gatehouse.snooze" } as const;

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

/**
 * Formats a message in Slack's blocks (docs.slack.dev: block kit; a section has at most 3000 characters, a header 150, a
 * message 50 blocks). `hasActions`: clicks are answered, so a wait has buttons that claim and snooze it.
 */
export function formatSlack(
  message: Pick<Message, "id" | "title" | "events">,
  { publicUrl, hasActions = false }: { publicUrl: string; hasActions?: boolean },
): SlackBody {
  const { title, events, more, moreLink } = describeMessage(message, publicUrl);
  return {
    text: escapeSlack(title),
    blocks: [
      { type: "header", text: { type: "plain_text", text: cutText(title, 150), emoji: false } },
      ...events.flatMap((event) => blocksOf(event, hasActions)),
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

function blocksOf(event: EventText, hasActions: boolean): Block[] {
  const { heading, sentence, place, facts, link, at, wait } = event;
  const lines = [
    `*<${escapeLink(link)}|${escapeSlack(heading)}>*`,
    escapeSlack(sentence),
    ...facts.map(({ label, value }) => `${escapeSlack(label)}: ${escapeSlack(value)}`),
  ];
  const open = button("gatehouse.open", wait === undefined ? "Open" : "Open the decision", { url: link });
  const buttons = [open, ...(hasActions ? buttonsOf(wait) : [])];
  return [
    section(lines.join("\n")),
    context(`${signOf(event)} · ${escapeSlack(place)} · ${at}`),
    ...(event.isOver ? [] : [{ type: "actions" as const, elements: buttons }]),
  ];
}

const longestValue = 2000;

function buttonsOf(wait: WaitPlace | undefined): Button[] {
  const value = JSON.stringify(wait ?? null);
  if (wait === undefined || value.length > longestValue) return [];
  return [button(slackActions.claim, "I'm on it", { value }), button(slackActions.snooze, "Snooze 1 h", { value })];
}

function button(action: string, text: string, more: Pick<Button, "url" | "value">): Button {
  return { type: "button", action_id: action, text: { type: "plain_text", text, emoji: false }, ...more };
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
