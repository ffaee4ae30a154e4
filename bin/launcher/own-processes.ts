import { join } from "node:path";
import { projectRoot } from "#lib/server/platform/config/program-files.ts";
import type { DataDirectory } from "./data-directory.ts";
import { mallocSettings, nodeFlags } from "./node-flags.ts";
import { nextStartArgs } from "./project-task.ts";
import type { ServiceStack } from "./service-stack.ts";
import { rotateLog, type SupervisedChild, superviseChild } from "./supervised-child.ts";
import { writeBuild } from "./write-build.ts";

/** Environment of the web and the recorder, in addition to the launcher's own. */
export type ProcessSettings = {
  configFile: string;
  secret: string;
  databaseUrl: string;
  databaseDirectUrl: string;
  /** A standby, for the web's reads. */
  databaseReadUrl?: string | undefined;
  /** Variables with secrets that the config names only for the web: the identity provider's. */
  webSecretVariables: readonly string[];
  /** Web and recorder share one database role: grants are not enforced, and `/status` says so. */
  sharesRole: boolean;
};

type Options = { stack: ServiceStack; data: DataDirectory; settings: ProcessSettings };

export function startRecorder({ stack, data, settings }: Options): SupervisedChild {
  return startChild({
    stack,
    data,
    name: "recorder",
    args: () => [...nodeFlags, join(projectRoot, "bin/gatehouse.mjs"), "recorder"],
    stopTimeoutMs: 2000,
    env: ownEnvironment({ settings, env: process.env, isForRecorder: true }),
  });
}

export function startWeb({
  stack,
  data,
  settings,
  host,
  port,
  basePath,
}: Options & { host: string; port: number; basePath: string }): SupervisedChild {
  return startChild({
    stack,
    data,
    name: "web",
    args: () => {
      if (basePath === "") return [...nodeFlags, ...nextStartArgs({ host, port, folder: projectRoot })];
      const folder = data.file("web");
      writeBuild({ basePath, folder });
      return [...nodeFlags, ...nextStartArgs({ host, port, folder })];
    },
    // The four limits add up to less than the ten seconds within which everything is promised to be gone.
    stopTimeoutMs: 3500,
    env: {
      ...ownEnvironment({ settings, env: process.env, isForRecorder: false }),
      GATEHOUSE_BASE_PATH: basePath,
      NEXT_TELEMETRY_DISABLED: "1",
    },
  });
}

/** Starts a supervised child that logs to `<data>/logs/<name>.log`. */
export function startChild(options: {
  stack: ServiceStack;
  data: DataDirectory;
  name: string;
  args(): string[];
  stopTimeoutMs: number;
  env: NodeJS.ProcessEnv;
}): SupervisedChild {
  const { stack, data, name } = options;
  rotateLog(data.logFile(name));
  return stack.add(
    superviseChild({
      name,
      args: options.args,
      cwd: projectRoot,
      env: options.env,
      logFile: data.logFile(name),
      stopTimeoutMs: options.stopTimeoutMs,
      onStart: (pid) => data.noteProcess(name, pid),
    }),
  );
}

/** Session secrets and the database roles of other processes: each process gets only its own. */
const secretNames = [
  "GATEHOUSE_SECRET",
  "DATABASE_URL",
  "DATABASE_DIRECT_URL",
  "DATABASE_MIGRATE_URL",
  "DATABASE_READ_URL",
  "DATABASE_RECORDER_URL",
];

/** Returns the environment without Gatehouse's secrets, and without those that the config names (`secretVariables`). */
export function withoutSecrets(env: NodeJS.ProcessEnv, secretVariables: readonly string[] = []): NodeJS.ProcessEnv {
  const left = Object.entries(env).filter(([name]) => !secretNames.includes(name) && !secretVariables.includes(name));
  return { NODE_ENV: "production", ...Object.fromEntries(left) };
}

export function ownEnvironment({
  settings,
  env,
  isForRecorder,
}: {
  settings: ProcessSettings;
  env: NodeJS.ProcessEnv;
  isForRecorder: boolean;
}): NodeJS.ProcessEnv {
  return {
    ...withoutSecrets(env, isForRecorder ? settings.webSecretVariables : []),
    ...mallocSettings,
    NODE_ENV: "production",
    GATEHOUSE_CONFIG: settings.configFile,
    ...(isForRecorder ? {} : { GATEHOUSE_SECRET: settings.secret, DATABASE_READ_URL: settings.databaseReadUrl }),
    GATEHOUSE_EXIT_ON_STDIN_CLOSE: "1",
    GATEHOUSE_SHARED_ROLE: settings.sharesRole ? "1" : "0",
    DATABASE_URL: settings.databaseUrl,
    DATABASE_DIRECT_URL: settings.databaseDirectUrl,
  };
}
