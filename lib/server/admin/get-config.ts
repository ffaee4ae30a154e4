import { stringify } from "yaml";
import type { AdminConfig, ConfigChange, ConfigEntry } from "#lib/contract/admin.ts";
import { redactObject, redactTextOf } from "#lib/domain/storable/redact-object.ts";
import { assertAdmin } from "#lib/server/people/permission/require-admin.ts";
import { type Environment, readNamedVariable } from "#lib/server/platform/config/environment.ts";
import { joinPath, type LoadedConfig } from "#lib/server/platform/config/load-config.ts";
import { isSecretPlace, variableOf } from "#lib/server/platform/config/secret-place.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";
import type { WebRuntime } from "#lib/server/process/web-runtime.ts";
import { completeLoaded, readSettings } from "#lib/server/records/stored-settings.ts";
import { isRecord } from "#lib/util/json.ts";

/**
 * Returns the config in force in this process: each value with its origin, secrets masked as in all stored data, and
 * the changes that a held file would make.
 */
export async function getAdminConfig({
  ctx,
  runtime,
}: {
  ctx: ServiceContext;
  runtime: Pick<WebRuntime, "environment">;
}): Promise<AdminConfig> {
  assertAdmin(ctx);
  const loaded = ctx.runtime.config();
  const { trouble, needsRestart, digest } = ctx.runtime.configStatus();
  const config = maskConfig(loaded.config);
  const leaves = listLeaves(config);
  // What is stored stays in force under the held file too, unless that file sets it.
  const held =
    trouble?.state === "held" && trouble.candidate !== undefined
      ? completeLoaded(trouble.candidate, await readSettings(ctx.runtime.pool))
      : undefined;
  return {
    file: loaded.file,
    digest,
    loadedAt: loaded.loadedAt.toISOString(),
    needsRestart: [...needsRestart],
    entries: leaves.map(([path, value]) => describeEntry({ path, value, loaded, needsRestart })),
    yaml: stringify(config),
    environment: listEnvironment(runtime.environment),
    pending:
      trouble === undefined
        ? null
        : {
            state: trouble.state,
            since: trouble.since.toISOString(),
            error: redactTextOf({}, trouble.error),
            changes: held === undefined ? null : diffLeaves(leaves, listLeaves(maskConfig(held.config))),
          },
  };
}

/** Removes undefined values, and masks secrets by the rules for stored data, but not the places of secrets. */
export function maskConfig(config: object): unknown {
  const plain: unknown = JSON.parse(JSON.stringify(config));
  return restorePlaces(redactObject(plain), plain);
}

function restorePlaces(masked: unknown, plain: unknown): unknown {
  if (typeof plain === "string") return isSecretPlace(plain) ? plain : masked;
  if (Array.isArray(plain) && Array.isArray(masked)) return masked.map((item, at) => restorePlaces(item, plain[at]));
  if (!isRecord(plain) || !isRecord(masked)) return masked;
  return Object.fromEntries(Object.entries(masked).map(([key, value]) => [key, restorePlaces(value, plain[key])]));
}

type Leaf = readonly [path: string, value: string];

/**
 * Lists the values of an object by their paths, in order. A list of plain values is one value, as is any empty value.
 */
export function listLeaves(value: unknown, path = ""): Leaf[] {
  if (Array.isArray(value) && value.some((item) => typeof item === "object" && item !== null))
    return value.flatMap((item, index) => listLeaves(item, `${path}[${index}]`));
  if (typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).length > 0)
    return Object.entries(value).flatMap(([key, member]) => listLeaves(member, joinPath(path, key)));
  return [[path, stringify(value, { collectionStyle: "flow", lineWidth: 0 }).trimEnd()]];
}

/** Lists the differences between two configs: changes and removals in the order of the first, then additions. */
export function diffLeaves(before: readonly Leaf[], after: readonly Leaf[]): ConfigChange[] {
  const [was, will] = [new Map(before), new Map(after)];
  const changed = before
    .filter(([path, value]) => will.get(path) !== value)
    .map(([path, value]) => ({ path, before: value, after: will.get(path) ?? null }));
  const added = after.filter(([path]) => !was.has(path)).map(([path, value]) => ({ path, before: null, after: value }));
  return [...changed, ...added];
}

function describeEntry({
  path,
  value,
  loaded,
  needsRestart,
}: {
  path: string;
  value: string;
  loaded: LoadedConfig;
  needsRestart: readonly string[];
}): ConfigEntry {
  const line = loaded.written?.get(path) ?? null;
  const isPinned = needsRestart.some((key) => path === key || path.startsWith(`${key}.`));
  const isStored = loaded.stored?.some((key) => path === key || path.startsWith(`${key}[`)) === true;
  return {
    path,
    value,
    origin: isPinned ? "start" : line !== null ? "file" : isStored ? "interface" : "default",
    line: isPinned ? null : line,
    note: isSecretPlace(value) ? noteOf(value) : null,
  };
}

/** Says of a variable whether it is set; null for a file. */
function noteOf(place: string): string | null {
  const variable = variableOf(place);
  if (variable === undefined) return null;
  return readNamedVariable(variable) === undefined
    ? "Not set in this web process."
    : "Set in this web process; its value is not shown.";
}

function listEnvironment(environment: Environment): AdminConfig["environment"] {
  const { configFile, databaseUrl, databaseDirectUrl, databaseReadUrl, secret, logLevel, recorderSharesRole } =
    environment;
  const shown = (value: string | undefined) => (value === undefined ? null : redactTextOf({}, value));
  return [
    { name: "GATEHOUSE_CONFIG", value: shown(configFile), note: "The config file." },
    { name: "DATABASE_URL", value: shown(databaseUrl), note: "The database of this process." },
    {
      name: "DATABASE_DIRECT_URL",
      value: shown(databaseDirectUrl),
      note: "Without a pooler; as DATABASE_URL if not set.",
    },
    {
      name: "DATABASE_READ_URL",
      value: shown(databaseReadUrl),
      note: "A standby that answers lists and figures; the primary does if not set.",
    },
    {
      name: "DATABASE_READ_MAX_LAG_MS",
      value: environment.databaseReadMaxLagMs ?? null,
      note: "How far that standby may be behind; 5000 if not set.",
    },
    { name: "GATEHOUSE_SECRET", value: secret === undefined ? null : "[redacted]", note: "Signs session cookies." },
    { name: "GATEHOUSE_LOG_LEVEL", value: logLevel, note: "info if not set." },
    {
      name: "OTEL_EXPORTER_OTLP_ENDPOINT",
      value: shown(environment.tracing?.endpoint),
      note: "Where this process sends its traces; nothing is traced if not set.",
    },
    {
      name: "GATEHOUSE_SHARED_ROLE",
      value: recorderSharesRole ? "1" : null,
      note: "One database role for all processes.",
    },
  ];
}
