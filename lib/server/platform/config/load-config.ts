import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { access, readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from "yaml";
import { parseSigningKey, signingKeyRule } from "#lib/domain/notify/signing-key.ts";
import type { AuditStreamConfig } from "#lib/server/platform/config/audit-stream-schema.ts";
import type { Config } from "#lib/server/platform/config/config-schema.ts";
import type { ChannelConfig } from "#lib/server/platform/config/notification-schema.ts";
import { ConfigError, locatePath, parseConfig } from "#lib/server/platform/config/parse-config.ts";
import type { TicketCheck } from "#lib/server/platform/config/policy-schema.ts";
import { describeSecretPlace, readSecretPlace, withPath } from "#lib/server/platform/config/secret-place.ts";

export type LoadedConfig = {
  readonly config: Config;
  readonly file: string;
  readonly loadedAt: Date;
  /** SHA-256 of the file's text, in hex. */
  readonly digest: string;
  /** Client secret of the identity provider; undefined if none is configured. */
  readonly oidcClientSecret: string | undefined;
  /** The lines of the keys that the file itself has, by path such as `clusters[0].name`; all others are defaults. */
  readonly written?: ReadonlyMap<string, number>;
  /** The keys whose values come from the interface, such as `links`: the file does not set them. */
  readonly stored?: readonly string[];
};

/**
 * Reads and validates the config file and the secrets that it names. Relative paths in it start at its own folder.
 * Throws `ConfigError` for a missing or unusable file, with one line that names the position.
 */
export async function loadConfig({ file, now }: { file: string; now: Date }): Promise<LoadedConfig> {
  return interpretConfig({ file, text: await readConfigText(file), now });
}

/** Reads the file's text. Throws `ConfigError` with fault `missing` or `unreadable`. */
export async function readConfigText(file: string): Promise<string> {
  return readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    const fault = error.code === "ENOENT" || error.code === "ENOTDIR" ? "missing" : "unreadable";
    throw new ConfigError(file, [{ line: 1, column: 1, path: "", message: describeReadError(error) }], fault);
  });
}

/**
 * Validates the text and reads the client secret and, unless told not to, the files of the clusters' credentials and the
 * secrets that webhooks are signed with.
 */
export async function interpretConfig(input: {
  file: string;
  text: string;
  now: Date;
  /** For a text that was accepted before: a credential that is gone since then is a problem only of its cluster. */
  skipClusterFiles?: boolean;
  /** For a process without sign-ins: it need not have the secret. */
  skipOidcSecret?: boolean;
}): Promise<LoadedConfig> {
  const { file, text, now, skipClusterFiles = false, skipOidcSecret = false } = input;
  const config = resolveFiles(parseConfig({ file, text }), dirname(resolve(file)));
  const oidcClientSecret = skipOidcSecret ? undefined : await readOidcSecret({ file, text, config });
  if (!skipClusterFiles) {
    await assertClusterFiles({ file, text, config });
    await assertSigningSecrets({ file, text, config });
  }
  return { config, file, loadedAt: now, digest: digestOf(text), oidcClientSecret, written: listWrittenKeys(text) };
}

export function digestOf(text: string): string {
  return createHash("sha256").update(text, "utf8").digest("hex");
}

function resolverFrom(folder: string) {
  return {
    from: (path: string | undefined) => (path === undefined ? undefined : resolve(folder, path)),
    fromPlace: (place: string) => withPath(place, (path) => resolve(folder, path)),
  };
}

type Files = { tokenFile?: string | undefined; caFile?: string | undefined };

function resolveFiles(config: Config, folder: string): Config {
  const { from, fromPlace } = resolverFrom(folder);
  const { demo, auth, checkpoints, clusters } = config;
  const { webhook } = checkpoints;
  const { slack } = config.notifications;
  const withFiles = <Asked extends Files>(asked: Asked): Asked => ({
    ...asked,
    tokenFile: from(asked.tokenFile),
    caFile: from(asked.caFile),
  });
  return {
    ...config,
    ...(demo === undefined ? {} : { demo: { ...demo, accountsFile: resolve(folder, demo.accountsFile) } }),
    auth: {
      ...auth,
      ...(auth.oidc === undefined ? {} : { oidc: { ...auth.oidc, clientSecret: fromPlace(auth.oidc.clientSecret) } }),
    },
    policies: {
      ...config.policies,
      reasons: config.policies.reasons.map(({ ticket, ...rule }) => ({
        ...rule,
        ticket: ticket && { ...ticket, check: ticket.check && resolveChannelFiles(ticket.check, folder) },
      })),
    },
    notifications: {
      ...config.notifications,
      channels: config.notifications.channels.map((channel) => resolveChannelFiles(channel, folder)),
      ...(slack === undefined ? {} : { slack: resolveSecrets(slack, folder) }),
    },
    checkpoints: {
      ...checkpoints,
      file: from(checkpoints.file),
      ...(webhook?.token === undefined ? {} : { webhook: { ...webhook, token: fromPlace(webhook.token) } }),
    },
    auditStreams: config.auditStreams.map((stream) => resolveChannelFiles(stream, folder)),
    clusters: clusters.map((cluster) => ({
      ...cluster,
      tokenFile: from(cluster.tokenFile),
      caFile: from(cluster.caFile),
      kubeconfig: from(cluster.kubeconfig),
      controllers: {
        ...cluster.controllers,
        ...(cluster.controllers.prometheus === undefined
          ? {}
          : { prometheus: withFiles(cluster.controllers.prometheus) }),
        endpoints: cluster.controllers.endpoints.map(withFiles),
      },
      kubernetesAudit: { ...cluster.kubernetesAudit, file: from(cluster.kubernetesAudit.file) },
    })),
  };
}

/** The keys of channels that name a secret. */
const secretKeys: readonly string[] = ["webhookUrl", "url", "signingSecret", "routingKey", "token", "password", "key"];

/** Returns a channel, a stream or a check of tickets, with the paths of its files and secrets resolved from the config's folder. */
export function resolveChannelFiles<Channel extends ChannelConfig | TicketCheck | AuditStreamConfig>(
  channel: Channel,
  folder: string,
): Channel {
  const { from } = resolverFrom(folder);
  const files = {
    ...("caFile" in channel ? { caFile: from(channel.caFile) } : {}),
    ...("certFile" in channel ? { certFile: from(channel.certFile) } : {}),
  };
  return Object.assign(resolveSecrets(channel, folder), files);
}

function resolveSecrets<Named extends object>(named: Named, folder: string): Named {
  const { fromPlace } = resolverFrom(folder);
  const places = Object.entries(named).flatMap(([key, value]) =>
    secretKeys.includes(key) && typeof value === "string" ? [[key, fromPlace(value)]] : [],
  );
  return Object.assign({}, named, Object.fromEntries(places));
}

type Interpreted = { file: string; text: string; config: Config };

async function readOidcSecret({ file, text, config }: Interpreted): Promise<string | undefined> {
  const oidc = config.auth.oidc;
  if (oidc === undefined) return undefined;
  const secret = await readSecretPlace(oidc.clientSecret);
  if (secret !== undefined && secret !== "") return secret;
  const message = `client secret not found in ${describeSecretPlace(oidc.clientSecret)}`;
  throw errorAt({ file, text, path: ["auth", "oidc", "clientSecret"], message });
}

async function assertClusterFiles({ file, text, config }: Interpreted): Promise<void> {
  for (const [index, cluster] of config.clusters.entries()) {
    const { prometheus, endpoints } = cluster.controllers;
    const named: [path: string[], file: string | undefined][] = [
      [["tokenFile"], cluster.tokenFile],
      [["caFile"], cluster.caFile],
      [["kubeconfig"], cluster.kubeconfig],
      [["controllers", "prometheus", "tokenFile"], prometheus?.tokenFile],
      [["controllers", "prometheus", "caFile"], prometheus?.caFile],
      ...endpoints.flatMap(({ tokenFile, caFile }, at): [path: string[], file: string | undefined][] => [
        [["controllers", "endpoints", String(at), "tokenFile"], tokenFile],
        [["controllers", "endpoints", String(at), "caFile"], caFile],
      ]),
    ];
    for (const [path, each] of named) {
      if (each === undefined) continue;
      await access(each, constants.R_OK).catch((error: NodeJS.ErrnoException) => {
        const message = `${each} ${error.code === "ENOENT" ? "is missing" : `cannot be read (${error.code})`}`;
        throw errorAt({ file, text, path: ["clusters", String(index), ...path], message });
      });
    }
  }
}

async function assertSigningSecrets({ file, text, config }: Interpreted): Promise<void> {
  for (const [index, channel] of config.notifications.channels.entries()) {
    const message = await judgeSigningSecret(channel);
    if (message === undefined) continue;
    throw errorAt({ file, text, path: ["notifications", "channels", String(index), "signingSecret"], message });
  }
  for (const [index, stream] of config.auditStreams.entries()) {
    const place = stream.type === "webhook" ? stream.signingSecret : undefined;
    const message = place && (await judgeSecretAt(place));
    if (message === undefined) continue;
    throw errorAt({ file, text, path: ["auditStreams", String(index), "signingSecret"], message });
  }
  for (const [index, { ticket }] of config.policies.reasons.entries()) {
    const message = ticket?.check && (await judgeSecretAt(ticket.check.signingSecret));
    if (message === undefined) continue;
    throw errorAt({
      file,
      text,
      path: ["policies", "reasons", String(index), "ticket", "check", "signingSecret"],
      message,
    });
  }
}

/**
 * Says why a channel's signing secret cannot be used; undefined if it can. One that is missing here is the channel's error
 * when it sends: only the recorder must have it. The channel's files are resolved.
 */
export async function judgeSigningSecret(channel: ChannelConfig): Promise<string | undefined> {
  return channel.type === "webhook" || channel.type === "cdevents" ? judgeSecretAt(channel.signingSecret) : undefined;
}

async function judgeSecretAt(place: string): Promise<string | undefined> {
  const secret = await readSecretPlace(place);
  if (secret === undefined || parseSigningKey(secret) !== undefined) return undefined;
  return `the secret in ${describeSecretPlace(place)} cannot be used: ${signingKeyRule}`;
}

function errorAt({ file, text, path, message }: { file: string; text: string; path: string[]; message: string }) {
  return new ConfigError(file, [{ ...locatePath({ text, path }), path: path.join("."), message }]);
}

function describeReadError(error: NodeJS.ErrnoException): string {
  if (error.code === "ENOENT" || error.code === "ENOTDIR")
    return "no such file; write a config file or say --config FILE";
  if (error.code === "EACCES") return "not readable by this user";
  return `cannot be read (${error.code ?? error.message})`;
}

/**
 * Lists the paths of all keys and items that a YAML text has, such as `clusters[0].name`, with their lines. Empty for a
 * text that is not YAML.
 */
function listWrittenKeys(text: string): ReadonlyMap<string, number> {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const found = new Map<string, number>();
  const lineOf = (node: unknown): number => lines.linePos((node as Node | undefined)?.range?.[0] ?? 0).line;
  const walk = (given: unknown, path: string): void => {
    const node = (given as { resolve?: (of: unknown) => unknown } | null)?.resolve?.(document) ?? given;
    if (isMap(node))
      for (const { key, value } of node.items) {
        const inner = joinPath(path, isScalar(key) ? String(key.value) : "?");
        found.set(inner, lineOf(key));
        walk(value, inner);
      }
    if (isSeq(node))
      for (const [index, item] of node.items.entries()) {
        found.set(`${path}[${index}]`, lineOf(item));
        walk(item, `${path}[${index}]`);
      }
  };
  walk(document.contents, "");
  return found;
}

export function joinPath(path: string, key: string): string {
  return path === "" ? key : `${path}.${key}`;
}
