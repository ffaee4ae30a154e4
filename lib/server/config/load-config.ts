import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { Config } from "#lib/server/config/config-schema.ts";
import { readNamedVariable } from "#lib/server/config/environment.ts";
import { ConfigError, locatePath, parseConfig } from "#lib/server/config/parse-config.ts";

export type LoadedConfig = {
  config: Config;
  file: string;
  loadedAt: Date;
  /** Client secret of the identity provider; undefined where none is configured. */
  oidcClientSecret: string | undefined;
};

/**
 * Reads and validates the config file and the secrets that it names. Relative paths in it start at its own folder.
 * Throws `ConfigError` for a file that is missing or not usable, with one line that says where.
 */
export async function loadConfig({ file, now }: { file: string; now: Date }): Promise<LoadedConfig> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new ConfigError(file, [{ line: 1, column: 1, path: "", message: describeReadError(error) }]);
  });
  const config = resolveFiles(parseConfig({ file, text }), dirname(resolve(file)));
  return { config, file, loadedAt: now, oidcClientSecret: await readOidcSecret({ file, text, config }) };
}

function resolveFiles(config: Config, folder: string): Config {
  const from = (path: string | undefined) => (path === undefined ? undefined : resolve(folder, path));
  const { demo, auth, clusters } = config;
  return {
    ...config,
    ...(demo === undefined ? {} : { demo: { ...demo, accountsFile: resolve(folder, demo.accountsFile) } }),
    auth: {
      ...auth,
      ...(auth.oidc === undefined
        ? {}
        : { oidc: { ...auth.oidc, clientSecretFile: from(auth.oidc.clientSecretFile) } }),
    },
    clusters: clusters.map((cluster) => ({
      ...cluster,
      tokenFile: from(cluster.tokenFile),
      caFile: from(cluster.caFile),
      kubeconfig: from(cluster.kubeconfig),
    })),
  };
}

async function readOidcSecret({
  file,
  text,
  config,
}: {
  file: string;
  text: string;
  config: Config;
}): Promise<string | undefined> {
  const oidc = config.auth.oidc;
  if (oidc === undefined) return undefined;
  const key = oidc.clientSecretFile === undefined ? "clientSecretEnv" : "clientSecretFile";
  const [place, secret] =
    oidc.clientSecretFile !== undefined
      ? [`file ${oidc.clientSecretFile}`, await readFile(oidc.clientSecretFile, "utf8").catch(() => undefined)]
      : [`environment variable ${oidc.clientSecretEnv}`, readNamedVariable(oidc.clientSecretEnv ?? "")];
  const trimmed = secret?.trim();
  if (trimmed === undefined || trimmed === "")
    throw new ConfigError(file, [
      {
        ...locatePath({ text, path: ["auth", "oidc", key] }),
        path: `auth.oidc.${key}`,
        message: `client secret not found in ${place}`,
      },
    ]);
  return trimmed;
}

function describeReadError(error: NodeJS.ErrnoException): string {
  if (error.code === "ENOENT") return "no such file; write a config file or say --config FILE";
  if (error.code === "EACCES") return "not readable by this user";
  return `cannot be read (${error.code ?? error.message})`;
}
