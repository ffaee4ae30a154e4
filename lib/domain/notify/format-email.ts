import type { Message } from "./compose-messages.ts";
import { describeMessage, type EventText, formatMore } from "./message-text.ts";

export type EmailBody = { subject: string; text: string; html: string };

const words = { info: "Info", warning: "Warning", critical: "Critical" } as const;

/** Formats a message as plain text and as HTML; both say the same. */
export function formatEmail(message: Pick<Message, "title" | "events" | "severity">, publicUrl: string): EmailBody {
  const { title, events, more, moreLink } = describeMessage(message, publicUrl);
  return {
    subject: `[${words[message.severity]}] ${title}`,
    text: [...events.map(textOf), ...(more === 0 ? [] : [`${formatMore(more)}: ${moreLink}`])].join("\n\n"),
    html: [
      '<!doctype html><html><body style="font-family: sans-serif">',
      ...events.map(htmlOf),
      ...(more === 0 ? [] : [`<p><a href="${escapeHtml(moreLink)}">${formatMore(more)}</a></p>`]),
      "</body></html>",
    ].join("\n"),
  };
}

function textOf({ heading, sentence, place, facts, severity, at, link }: EventText): string {
  const lines = facts.map(({ label, value }) => `${label}: ${value}`);
  return [heading, sentence, ...lines, `${words[severity]}, ${place}, ${at}`, link].join("\n");
}

function htmlOf({ heading, sentence, place, facts, severity, at, link }: EventText): string {
  const rows = facts.map(
    ({ label, value }) => `<tr><th align="left">${escapeHtml(label)}</th><td>${escapeHtml(value)}</td></tr>`,
  );
  return [
    `<h3><a href="${escapeHtml(link)}">${escapeHtml(heading)}</a></h3>`,
    `<p>${escapeHtml(sentence)}</p>`,
    ...(rows.length === 0 ? [] : [`<table>${rows.join("")}</table>`]),
    `<p>${words[severity]}, ${escapeHtml(place)}, ${escapeHtml(at)}</p>`,
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
