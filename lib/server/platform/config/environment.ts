import type { TracingSettings } from "#lib/server/platform/telemetry/tracing.ts";
import { basePathOf } from "#lib/util/base-path.ts";

/** The environment variables of the processes; this folder is the only reader of `process.env`. */
export type Environment = {
  configFile: string | undefined;
  /** The role of the process that reads it. */
  databaseUrl: string | undefined;
  /** A connection without a pooler in between: LISTEN and leases. Falls back to `databaseUrl`. */
  databaseDirectUrl: string | undefined;
  /** A standby of the same database, for the reads of the web process that it can answer. */
  databaseReadUrl?: string | undefined;
  /** How far that standby may be behind, as written. */
  databaseReadMaxLagMs?: string | undefined;
  /** Signs session cookies; at least 32 characters. */
  secret: string | undefined;
  logLevel: string;
  /** Where traces are sent; undefined: nothing is traced. */
  tracing?: (TracingSettings & { endpoint: string }) | undefined;
  exitOnStdinClose: boolean;
  /** Port of the web process: Next sets it. */
  port?: string | undefined;
  /** The recorder and the web share one database role: grants are not enforced. */
  recorderSharesRole: boolean;
  /** False in development and in tests: responses are then checked against the contract. */
  isProduction: boolean;
};

export function readEnvironment(env: Record<string, string | undefined> = process.env): Environment {
  return {
    configFile: env.GATEHOUSE_CONFIG,
    databaseUrl: env.DATABASE_URL,
    databaseDirectUrl: env.DATABASE_DIRECT_URL ?? env.DATABASE_URL,
    databaseReadUrl: env.DATABASE_READ_URL || undefined,
    databaseReadMaxLagMs: env.DATABASE_READ_MAX_LAG_MS || undefined,
    secret: env.GATEHOUSE_SECRET,
    logLevel: env.GATEHOUSE_LOG_LEVEL ?? "info",
    tracing: readTracing(env),
    exitOnStdinClose: env.GATEHOUSE_EXIT_ON_STDIN_CLOSE === "1",
    port: env.PORT,
    recorderSharesRole: env.GATEHOUSE_SHARED_ROLE === "1",
    isProduction: env.NODE_ENV === "production",
  };
}

/** These variables are those of every program that uses OpenTelemetry. The exporter reads the others itself. */
function readTracing(env: Record<string, string | undefined>): Environment["tracing"] {
  const endpoint = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || env.OTEL_EXPORTER_OTLP_ENDPOINT;
  const isOff = env.OTEL_SDK_DISABLED?.toLowerCase() === "true" || env.OTEL_TRACES_EXPORTER === "none";
  if (!endpoint || isOff) return undefined;
  return {
    endpoint,
    sampler: env.OTEL_TRACES_SAMPLER || undefined,
    samplerArg: env.OTEL_TRACES_SAMPLER_ARG || undefined,
  };
}

/** Returns whether a pooler is between this process and the database: the direct connection is another one. */
export function isPooled({ databaseUrl, databaseDirectUrl }: Environment): boolean {
  return databaseUrl !== databaseDirectUrl;
}

const defaultMaxLagMs = 5000;

/** Returns how far the read replica may be behind. Throws for anything but 100 to 60000 milliseconds. */
export function readMaxLagMs({ databaseReadMaxLagMs: text }: Pick<Environment, "databaseReadMaxLagMs">): number {
  if (text === undefined) return defaultMaxLagMs;
  const value = /^\d{3,5}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= 100 && value <= 60_000) return value;
  throw new Error(`DATABASE_READ_MAX_LAG_MS is ${text}: it must be a number of milliseconds, 100 to 60000`);
}

/** Returns the value of an environment variable that the config names, such as `clientSecret: env:NAME`. */
export function readNamedVariable(name: string, env: Record<string, string | undefined> = process.env) {
  return env[name];
}

/** Sets next-auth's own address, which it reads only from the environment; if unset, it would trust the Host header. */
export function setAuthUrl(publicUrl: string, env: Record<string, string | undefined> = process.env): void {
  env.NEXTAUTH_URL = `${new URL(publicUrl).origin}${basePathOf(publicUrl)}/api/auth`;
}
