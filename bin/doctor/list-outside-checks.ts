import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect as connectTcp, isIP, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import type pg from "pg";
import { linkTo } from "#lib/domain/notify/notifiable-event.ts";
import { createClusterClient } from "#lib/server/clusters/kubernetes/create-cluster-client.ts";
import { readOptionalSecret, readSecret, readSigningKey, readUrl } from "#lib/server/notify/channels/read-secret.ts";
import type { AuditStreamConfig } from "#lib/server/platform/config/audit-stream-schema.ts";
import type { ClusterConfig } from "#lib/server/platform/config/cluster-schema.ts";
import type { Config, OidcConfig } from "#lib/server/platform/config/config-schema.ts";
import type { LoadedConfig } from "#lib/server/platform/config/load-config.ts";
import {
  type ChannelConfig,
  findDisallowed,
  type SlackAppConfig,
} from "#lib/server/platform/config/notification-schema.ts";
import { listSendingChannels } from "#lib/server/platform/config/ticket-channels.ts";
import { countHookCredentials, listRightTroubles, readClockLead } from "#lib/server/platform/db/examine-database.ts";
import {
  completeLoaded,
  isSetByFile,
  parseNotifications,
  type StoredSettings,
} from "#lib/server/records/stored-settings.ts";
import { slackPath } from "#lib/server/webhooks/serve-slack.ts";
import { isRecord } from "#lib/util/json.ts";
import { readLimited } from "#lib/util/read-limited.ts";
import { judgeClock } from "./check-clock.ts";

export type Check = { name: string; run(): string | Promise<string> };

/**
 * Checks the config's targets outside of clusters: the identity provider, proxies, notification channels, those made in
 * the interface too, the systems that decide about tickets, and the receivers of the audit log.
 */
export function listOutsideChecks(loaded: LoadedConfig, settings: StoredSettings): Check[] {
  const completed = completeLoaded(loaded, settings).config;
  const { publicUrl, trustedProxies } = completed;
  const { slack } = completed.notifications;
  const { oidc } = completed.auth;
  return [
    oidc === undefined
      ? { name: "identity provider", run: () => "none set (auth.oidc)" }
      : { name: "identity provider", run: () => checkIdentityProvider({ oidc, publicUrl }) },
    { name: "proxies", run: () => describeProxies({ publicUrl, trustedProxies }) },
    ...listSendingChannels(completed).map((channel) => ({ name: "notifications", run: () => checkChannel(channel) })),
    ...(slack === undefined ? [] : [{ name: "buttons in Slack", run: () => checkSlackApp(slack, publicUrl) }]),
    ...listUnusedChannels(loaded, settings).map((text) => ({
      name: "notifications",
      run: () => Promise.reject(new Error(text)),
    })),
    ...completed.auditStreams.map((stream) => ({ name: "audit streams", run: () => checkStream(stream) })),
  ];
}

/** Names the channels made in the interface that use something the config file does not allow. */
function listUnusedChannels(loaded: LoadedConfig, { notifications }: StoredSettings): string[] {
  if (notifications === undefined || isSetByFile(loaded, "notifications")) return [];
  return parseNotifications(notifications.value).channels.flatMap((channel) => {
    const [first] = findDisallowed(channel, loaded.config.notifications.allow);
    if (first === undefined) return [];
    return `${channel.name}: not in use: ${first.message}; add it there, or change its ${first.key}`;
  });
}

/** Gatehouse itself serves plain http, so with https a proxy is in front. */
function describeProxies({ publicUrl, trustedProxies }: Pick<Config, "publicUrl" | "trustedProxies">): string {
  if (trustedProxies.length > 0) return `X-Forwarded-For counts from ${trustedProxies.join(", ")}`;
  const sentence = "none set (trustedProxies)";
  if (!publicUrl.startsWith("https:")) return sentence;
  return `${sentence}: all clients have the address of the proxy in front, and share its limits`;
}

/** Checks a cluster's clock by the Date header of any answer. Returns no check if the cluster does not answer. */
export async function listClockChecks(cluster: ClusterConfig): Promise<Check[]> {
  const client = createClusterClient(cluster);
  const before = Date.now();
  const answer = await client.request({ method: "GET", path: "/version", timeoutMs: 5000 }).catch(() => undefined);
  const between = (before + Date.now()) / 2;
  await client.close();
  if (answer?.date === undefined) return [];
  // The header has no fractions of a second: on average it is half a second behind.
  const leadMs = answer.date.getTime() + 500 - between;
  return [{ name: "clock", run: () => judgeClock({ name: `cluster ${cluster.name}`, leadMs }) }];
}

/** Checks the rights in the database, its clock, and that hooks can reach the web process if there are any. */
export function listDatabaseChecks(
  look: (use: (pool: pg.Pool, config: Config) => Promise<string>) => Promise<string>,
): Check[] {
  return [
    {
      name: "database rights",
      run: () =>
        look(async (pool) => {
          const troubles = await listRightTroubles(pool);
          if (troubles.length > 0) throw new Error(troubles.join("; "));
          return "web and recorder may do what they must, and cannot change the audit log";
        }),
    },
    {
      name: "clock",
      run: () => look(async (pool) => judgeClock({ name: "the database", leadMs: await readClockLead(pool) })),
    },
    { name: "hooks", run: () => look(async (pool, config) => describeHooks(pool, config)) },
  ];
}

async function describeHooks(pool: pg.Pool, { publicUrl }: Config): Promise<string> {
  const count = await countHookCredentials(pool).catch(() => undefined);
  if (count === undefined) return "not checked: this role may not read their credentials";
  if (count === 0) return "no valid credential; create one on a canary's page if Flagger should ask Gatehouse";
  const mend = "start the web process, or set publicUrl to where clusters reach it";
  const address = linkTo(publicUrl, "/livez");
  const { status } = await fetchOnce(address, mend);
  if (status !== 200) throw new Error(`${address} answers ${status}: ${mend}`);
  return `${count} valid credential(s), and ${publicUrl} answers`;
}

/**
 * Reads the endpoints and keys of the identity provider that a sign-in needs, without signing in. Returns a summary
 * with the address to register there. Throws an error of one sentence that names the remedy.
 */
async function checkIdentityProvider({ oidc, publicUrl }: { oidc: OidcConfig; publicUrl: string }): Promise<string> {
  const wanted = oidc.issuer;
  const address = `${wanted.replace(/\/$/, "")}/.well-known/openid-configuration`;
  const found = await fetchJson(address, "check auth.oidc.issuer and the network from here");
  if (found.issuer !== wanted)
    throw new Error(
      `${address} names the issuer ${String(found.issuer)}: set auth.oidc.issuer to exactly that if it is yours, or no one can sign in`,
    );
  for (const key of ["authorization_endpoint", "token_endpoint", "jwks_uri"] as const)
    if (typeof found[key] !== "string")
      throw new Error(`${address} has no ${key}: the provider does not offer sign-in by OpenID Connect`);
  const { keys } = await fetchJson(String(found.jwks_uri), "mend the provider's jwks_uri");
  if (!Array.isArray(keys) || keys.length === 0)
    throw new Error(`${String(found.jwks_uri)} has no keys: the provider must publish those that it signs with`);
  const redirect = linkTo(publicUrl, "/api/auth/callback/oidc");
  return `${wanted} answers, ${keys.length} key(s); its client ${oidc.clientId} must allow the redirect URI ${redirect}`;
}

const answerWithinMs = 5000;

type Place = { host: string; port: number; isTls: boolean; caFile?: string | undefined };

/**
 * Checks that the secrets of a channel are there and that its server answers. Nothing is posted, sent or signed in to.
 * Throws one sentence that says what to mend.
 */
async function checkChannel(channel: ChannelConfig): Promise<string> {
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
  const place = placeOf(channel.name, await readAddress(channel), "caFile" in channel ? channel.caFile : undefined);
  await reach(channel.name, place, false);
  return `${channel.name}: ${nameOf(place)} can be reached; nothing was sent`;
}

/** Checks the secrets of the Slack app, and that its API answers. Names the address to enter there. */
async function checkSlackApp(app: SlackAppConfig, publicUrl: string): Promise<string> {
  const secret = await readSecret("signing secret", app.signingSecret);
  if (!/^[0-9a-f]{32}$/.test(secret))
    throw new Error(
      "the signing secret is not the 32 characters of Basic Information, App Credentials, in the Slack app",
    );
  await readOptionalSecret("token", app.token);
  const place = placeOf("notifications.slack", app.apiUrl, undefined);
  await reach("notifications.slack", place, false);
  const named = Object.keys(app.users).length;
  const others = app.token === undefined ? "no one else" : "others by their e-mail address";
  return `${nameOf(place)} can be reached; ${named} user(s) named, ${others}; set the Request URL of the app's interactivity to ${linkTo(publicUrl, slackPath)}`;
}

/** Checks that the secrets of a stream are there and that its receiver answers. Nothing is sent. */
async function checkStream(stream: AuditStreamConfig): Promise<string> {
  const { name, caFile } = stream;
  if (stream.type === "syslog") await readOptionalSecret("key", stream.key);
  else await readOptionalSecret("token", stream.token);
  if (stream.type === "webhook" && stream.signingSecret !== undefined)
    await readSigningKey({ signingSecret: stream.signingSecret });
  const place =
    stream.type === "syslog"
      ? { host: stream.host, port: stream.port, isTls: true, caFile }
      : placeOf(name, await readUrl(stream), caFile);
  await reach(name, place, false);
  return `${name}: ${nameOf(place)} can be reached; nothing was sent`;
}

async function readAddress(channel: Exclude<ChannelConfig, { type: "email" }>): Promise<string> {
  if (channel.type === "pagerduty") {
    const key = await readSecret("routing key", channel.routingKey);
    if (!/^[A-Za-z0-9]{32}$/.test(key))
      throw new Error(`${channel.name}: the routing key is not the 32 characters of an Events API v2 integration`);
    return channel.apiUrl;
  }
  if (channel.type === "alertmanager") {
    await readOptionalSecret("token", channel.token);
    return readUrl(channel);
  }
  if (channel.type === "deployments") {
    await readSecret("token", channel.token);
    return channel.apiUrl;
  }
  if (channel.type === "teams") return readSecret("URL of the webhook", channel.webhookUrl);
  if (channel.type === "webhook" || channel.type === "cdevents") {
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

const maxAnswerBytes = 1024 * 1024;

/** Gets a JSON object. Throws one sentence that ends with what to mend. */
async function fetchJson(address: string, mend: string): Promise<Record<string, unknown>> {
  const response = await fetchOnce(address, mend);
  if (response.status !== 200) throw new Error(`${address} answers ${response.status}: ${mend}`);
  const value = await readLimited(response.body, maxAnswerBytes)
    .then((text): unknown => JSON.parse(text ?? ""))
    .catch(() => undefined);
  if (!isRecord(value)) throw new Error(`${address} does not answer with a JSON object: ${mend}`);
  return { ...value };
}

/** Gets an address once, without following redirects. Throws if there is no answer. */
async function fetchOnce(address: string, mend: string): Promise<Response> {
  const signal = AbortSignal.timeout(answerWithinMs);
  try {
    return await fetch(address, { redirect: "manual", signal });
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const reason = signal.aborted ? `no answer within ${answerWithinMs / 1000} s` : reasonOf(cause);
    throw new Error(`${address} cannot be reached (${reason}): ${mend}`);
  }
}

/** Returns the code of a system error, which says more than its message, or the message. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return "code" in error && typeof error.code === "string" ? error.code : error.message;
}
