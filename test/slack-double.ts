import type { ServerResponse } from "node:http";
import { parseJson } from "#lib/util/json.ts";
import { type NotificationReceiver, startNotificationReceiver } from "./notification-receiver.ts";

type Posted = { channel: string; ts: string; text: string; blocks: unknown[] };

export type SlackDouble = {
  /** As `apiUrl`. */
  apiUrl: string;
  responseUrl: string;
  /** The messages that are in the channel now. */
  messages: Posted[];
  /** What was posted to the response URL. */
  replies: { response_type: string; replace_original: boolean; text: string }[];
  /** What users.info answers, by user. */
  users: Map<string, object>;
  /** Fails every method with this error, until it is undefined. */
  refuse(error: string | undefined): void;
  close(): Promise<void>;
};

/** Starts a server that behaves as Slack's API: chat.postMessage, chat.update, users.info, and a response URL. */
export async function startSlack(): Promise<SlackDouble> {
  const receiver: NotificationReceiver = await startNotificationReceiver();
  const messages: Posted[] = [];
  const replies: SlackDouble["replies"] = [];
  const users: SlackDouble["users"] = new Map();
  let refusal: string | undefined;

  function call(method: string, query: URLSearchParams, body: Partial<Posted>): object {
    if (refusal !== undefined) return { ok: false, error: refusal };
    if (method === "users.info") {
      const user = users.get(query.get("user") ?? "");
      return user === undefined ? { ok: false, error: "user_not_found" } : { ok: true, user };
    }
    const { channel = "", ts = `${1700000000 + messages.length}.000100`, text = "", blocks = [] } = body;
    const known = messages.find((each) => each.ts === ts && each.channel === channel);
    if (method === "chat.update") {
      if (known === undefined) return { ok: false, error: "message_not_found" };
      Object.assign(known, { text, blocks });
    } else messages.push({ channel, ts, text, blocks });
    return { ok: true, channel, ts };
  }

  receiver.answer((response: ServerResponse, { url, body }) => {
    const { pathname, searchParams } = new URL(url, "http://slack");
    const given = parseJson(body) as object;
    if (pathname.startsWith("/respond")) replies.push(given as SlackDouble["replies"][number]);
    const answer = pathname.startsWith("/api/") ? call(pathname.slice("/api/".length), searchParams, given) : {};
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
  });
  const { origin } = new URL(receiver.url);
  return {
    ...{ apiUrl: `${origin}/api`, responseUrl: `${origin}/respond/1`, messages, replies, users },
    refuse: (error) => {
      refusal = error;
    },
    close: () => receiver.close(),
  };
}
