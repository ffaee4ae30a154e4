import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { access, readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { parseSigningKey, signingKeyRule } from "#lib/domain/notify/signing-key.ts";
import type { Config } from "#lib/server/platform/config/config-schema.ts";
import { readNamedVariable } from "#lib/server/platform/config/environment.ts";
import { listWrittenKeys } from "#lib/server/platform/config/list-written-keys.ts";
import type { ChannelConfig } from "#lib/server/platform/config/notification-schema.ts";
import { ConfigError, locatePath, parseConfig } from "#lib/server/platform/config/parse-config.ts";

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

type Files = { tokenFile?: string | undefined; caFile?: string | undefined };

function resolveFiles(config: Config, folder: string): Config {
  const from = (path: string | undefined) => (path === undefined ? undefined : resolve(folder, path));
  const { demo, auth, checkpoints, clusters } = config;
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
      ...(auth.oidc === undefined
        ? {}
        : { oidc: { ...auth.oidc, clientSecretFile: from(auth.oidc.clientSecretFile) } }),
    },
    notifications: {
      ...config.notifications,
      channels: config.notifications.channels.map((channel) => resolveChannelFiles(channel, from)),
    },
    checkpoints: { ...checkpoints, file: from(checkpoints.file) },
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

function resolveChannelFiles<Channel extends ChannelConfig>(
  channel: Channel,
  from: (path: string | undefined) => string | undefined,
): Channel {
  const files = Object.entries(channel).filter(([key]) => key.endsWith("File"));
  return Object.assign({}, channel, Object.fromEntries(files.map(([key, file]) => [key, from(String(file))])));
}

type Interpreted = { file: string; text: string; config: Config };

async function readOidcSecret({ file, text, config }: Interpreted): Promise<string | undefined> {
  const oidc = config.auth.oidc;
  if (oidc === undefined) return undefined;
  const key = oidc.clientSecretFile === undefined ? "clientSecretEnv" : "clientSecretFile";
  const [place, secret] =
    oidc.clientSecretFile !== undefined
      ? [`file ${oidc.clientSecretFile}`, await readFile(oidc.clientSecretFile, "utf8").catch(() => undefined)]
      : [`environment variable ${oidc.clientSecretEnv}`, readNamedVariable(oidc.clientSecretEnv ?? "")];
  const trimmed = secret?.trim();
  if (trimmed === undefined || trimmed === "")
    throw errorAt({ file, text, path: ["auth", "oidc", key], message: `client secret not found in ${place}` });
  return trimmed;
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

/** A secret that is missing here is the channel's error when it sends: only the recorder must have it. */
async function assertSigningSecrets({ file, text, config }: Interpreted): Promise<void> {
  for (const [index, channel] of config.notifications.channels.entries()) {
    if (channel.type !== "webhook") continue;
    const { signingSecretFile, signingSecretEnv } = channel;
    const secret =
      signingSecretFile === undefined
        ? readNamedVariable(signingSecretEnv ?? "")
        : await readFile(signingSecretFile, "utf8").catch(() => undefined);
    if (secret === undefined || parseSigningKey(secret.trim()) !== undefined) continue;
    const key = signingSecretFile === undefined ? "signingSecretEnv" : "signingSecretFile";
    const message = `the secret in ${signingSecretFile ?? `environment variable ${signingSecretEnv}`} cannot be used: ${signingKeyRule}`;
    throw errorAt({ file, text, path: ["notifications", "channels", String(index), key], message });
  }
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
