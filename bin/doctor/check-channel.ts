import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect as connectTcp, isIP, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { readOptionalSecret, readSecret, readSigningKey, readUrl } from "#lib/server/notify/channels/read-secret.ts";
import type { ChannelConfig } from "#lib/server/platform/config/notification-schema.ts";
import { reasonOf } from "./fetch-json.ts";

const answerWithinMs = 5000;

type Place = { host: string; port: number; isTls: boolean; caFile?: string | undefined };

/**
 * Checks that the secrets of a channel are there and that its server answers. Nothing is posted, sent or signed in to.
 * Throws one sentence that says what to mend.
 */
export async function checkChannel(channel: ChannelConfig): Promise<string> {
  if (channel.type === "email") {
    await readOptionalSecret("password", channel.password);
    const place = { host: channel.host, port: channel.port, isTls: channel.security === "tls", caFile: channel.caFile };
    const greeting = await reach(channel.name, place, true);
    if (!greeting.startsWith("220"))
      throw new Error(
        `${channel.name}: ${nameOf(place)} does not greet as a mail server: set host, port and security of the channel`,
      );
    return `${channel.name}: ${nameOf(place)} greets; nothing was sent`;
  }
  const place = placeOf(
    channel.name,
    await readAddress(channel),
    channel.type === "webhook" ? channel.caFile : undefined,
  );
  await reach(channel.name, place, false);
  return `${channel.name}: ${nameOf(place)} can be reached; nothing was sent`;
}

async function readAddress(channel: Exclude<ChannelConfig, { type: "email" }>): Promise<string> {
  if (channel.type === "webhook") {
    await readSigningKey(channel);
    await readOptionalSecret("token", channel.token);
    return readUrl(channel);
  }
  if (channel.webhookUrl !== undefined) return readSecret("URL of the webhook", channel.webhookUrl);
  await readOptionalSecret("token", channel.token);
  return channel.apiUrl;
}

/** Of an address that may be a secret, only host and port are ever shown. */
function placeOf(name: string, address: string, caFile: string | undefined): Place {
  if (!URL.canParse(address))
    throw new Error(`${name}: its URL is not one: write https://... into its file or variable`);
  const { protocol, hostname, port } = new URL(address);
  const isTls = protocol === "https:";
  return { host: hostname.replace(/^\[|\]$/g, ""), port: Number(port) || (isTls ? 443 : 80), isTls, caFile };
}

const nameOf = ({ host, port }: Place): string => `${host}:${port}`;

/** Connects, with the TLS handshake if there is one; returns the first that the server says if it speaks first. */
async function reach(name: string, place: Place, speaksFirst: boolean): Promise<string> {
  const signal = AbortSignal.timeout(answerWithinMs);
  const socket = open(place);
  try {
    await once(socket, place.isTls ? "secureConnect" : "connect", { signal });
    if (!speaksFirst) return "";
    const [greeting] = await once(socket, "data", { signal });
    return String(greeting);
  } catch (error) {
    const reason = signal.aborted ? `no answer within ${answerWithinMs / 1000} s` : reasonOf(error);
    throw new Error(
      `${name}: ${nameOf(place)} cannot be reached (${reason}): check its address and what the network lets out`,
    );
  } finally {
    socket.on("error", () => {});
    socket.destroy();
  }
}

function open({ host, port, isTls, caFile }: Place): Socket {
  if (!isTls) return connectTcp({ host, port });
  const ca = caFile === undefined ? {} : { ca: readFileSync(caFile, "utf8") };
  return connectTls({ host, port, ...(isIP(host) === 0 ? { servername: host } : {}), ...ca });
}
