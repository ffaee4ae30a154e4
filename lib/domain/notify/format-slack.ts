import { cutText } from "#lib/util/cut-text.ts";
import type { Message } from "./compose-messages.ts";
import { describeMessage, type EventText, formatMore } from "./message-text.ts";

/** Words and a sign of each severity: colour alone would say nothing to some. */
const signs = { info: "ℹ️ Info", warning: "⚠️ Warning", critical: "🚨 Critical" } as const;

/** `verbatim`: Slack makes no links and mentions of addresses, channels and names in it. */
type Markdown = { type: "mrkdwn"; text: string; verbatim: true };
type Block =
  | { type: "header"; text: { type: "plain_text"; text: string; emoji: false } }
  | { type: "section"; text: Markdown }
  | { type: "context"; elements: Markdown[] };

/** The body of a message to Slack: blocks, and text for where blocks are not shown, which is not formatted. */
export type SlackBody = {
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

function blocksOf({ heading, sentence, place, facts, severity, link, at }: EventText): Block[] {
  const lines = [
    `*<${escapeLink(link)}|${escapeSlack(heading)}>*`,
    escapeSlack(sentence),
    ...facts.map(({ label, value }) => `${escapeSlack(label)}: ${escapeSlack(value)}`),
  ];
  return [section(lines.join("\n")), context(`${signs[severity]} · ${escapeSlack(place)} · ${at}`)];
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
