import { setTimeout as sleep } from "node:timers/promises";
import {
  describeRemovals,
  findRemovals,
  pinStartKeys,
  type Removals,
} from "#lib/server/platform/config/assess-reload.ts";
import {
  digestOf,
  interpretConfig,
  type LoadedConfig,
  readConfigText,
} from "#lib/server/platform/config/load-config.ts";
import { ConfigError, type ConfigFault, isConfigError } from "#lib/server/platform/config/parse-config.ts";
import type { PolicyConfig } from "#lib/server/platform/config/policy-schema.ts";
import { watchFile } from "#lib/server/platform/config/watch-file.ts";
import type { ConfigMetrics } from "#lib/server/platform/telemetry/config-metrics.ts";

/** An unreadable file has no digest. */
export type ConfigTrouble = {
  since: Date;
  /** One line with the fault and its position. */
  error: string;
  digest: string | undefined;
} & (
  | { state: "error"; fault: ConfigFault }
  | { state: "held"; removals: Removals; candidate?: LoadedConfig; checks: number }
);

/** How the file on disk relates to the config in force. `trouble` is undefined if they are the same. */
export type ConfigStatus = {
  readonly state: "ok" | "error" | "held";
  readonly digest: string;
  readonly loadedAt: Date;
  readonly trouble: ConfigTrouble | undefined;
  /** Keys of the file that take effect at the next start. */
  readonly needsRestart: readonly string[];
};

export type ConfigEvent =
  | {
      type: "loaded";
      digest: string;
      clusters: number;
      bindings: number;
      policies: PolicyConfig;
      needsRestart: readonly string[];
    }
  | { type: "refused"; digest: string | undefined; fault: ConfigFault; error: string }
  | { type: "held"; digest: string; error: string; removals: Removals };

export type ConfigStore = {
  /** Returns the config in force, frozen. Call it again for each request. */
  current(): LoadedConfig;
  status(): ConfigStatus;
  /** Notifies of each load, refusal and hold, including the load at the start. Returns the function to unsubscribe. */
  subscribe(listener: (event: ConfigEvent) => void): () => void;
  /** Checks the file now. Resolves once it is judged. */
  check(): Promise<void>;
  close(): Promise<void>;
};

type Timing = {
  checkEveryMs: number;
  /** A file must stay unchanged for this long before it is judged: it may be in the middle of being written. */
  settleMs: number;
  /**
   * For how many checks a held file must stay unchanged before its own sign-off counts. Those that a change in the folder
   * causes do not count: several may come within a second.
   */
  signOffChecks: number;
};

export type ConfigStoreOptions = {
  file: string;
  now(): Date;
  metrics: ConfigMetrics;
  /** Prepares state that depends on the config before it is in force; an exception refuses the reload. */
  adopt?(loaded: LoadedConfig): void;
  /** For a process without sign-ins. */
  skipOidcSecret?: boolean;
  /** Returns whether an admin has confirmed that this digest may replace the other, regardless of removals. */
  isConfirmed?(change: { digest: string; replaces: string }): Promise<boolean>;
  timing?: Partial<Timing>;
};

/** `hint`: the folder reports a change, or the file was being written. */
type CheckCause = "due" | "hint";

const defaultTiming: Timing = { checkEveryMs: 5000, settleMs: 150, signOffChecks: 3 };

/**
 * Loads the config, then follows its file: read once, validated whole, swapped whole. Rejects with `ConfigError` if the
 * initial config is unusable; afterwards, a bad file never replaces the last good config.
 */
export async function openConfigStore(options: ConfigStoreOptions): Promise<ConfigStore> {
  const { file, now, metrics, skipOidcSecret = false } = options;
  const timing = { ...defaultTiming, ...options.timing };
  const listeners = new Set<(event: ConfigEvent) => void>();
  const first = await interpretConfig({ file, text: await readConfigText(file), now: now(), skipOidcSecret });
  options.adopt?.(first);
  let current = deepFreeze(first);
  let onDisk = { digest: first.digest, secret: first.oidcClientSecret };
  let needsRestart: readonly string[] = [];
  let trouble: ConfigTrouble | undefined;
  metrics.lastSuccess.set(now().getTime() / 1000);

  const emit = (event: ConfigEvent): void => {
    for (const listener of [...listeners]) listener(event);
  };
  const loadedEvent = (): ConfigEvent => ({
    type: "loaded",
    digest: onDisk.digest,
    clusters: current.config.clusters.length,
    bindings: current.config.auth.roles.length,
    policies: current.config.policies,
    needsRestart,
  });

  function refuse(error: ConfigError, digest: string | undefined): void {
    if (trouble?.state === "error" && trouble.error === error.message) return;
    trouble = { state: "error", since: now(), error: error.message, digest, fault: error.fault };
    metrics.reloadFailures.inc();
    emit({ type: "refused", digest, fault: error.fault, error: error.message });
  }

  function hold(loaded: LoadedConfig, removals: Removals, cause: CheckCause): void {
    const counted = cause === "hint" ? 0 : 1;
    if (trouble?.state === "held" && trouble.digest === loaded.digest) {
      trouble = { ...trouble, checks: trouble.checks + counted };
      return;
    }
    const error = `${file} removes ${describeRemovals(removals)}: the config before it stays in force until an admin confirms the removal`;
    trouble = {
      ...{ state: "held", since: now(), error, digest: loaded.digest },
      ...{ removals, candidate: loaded, checks: counted },
    };
    metrics.reloadsHeld.inc();
    emit({ type: "held", digest: loaded.digest, error, removals });
  }

  /** Returns whether a file that removes most of the config may be accepted. */
  async function isReleased(loaded: LoadedConfig): Promise<boolean> {
    if (trouble?.state !== "held" || trouble.digest !== loaded.digest) return false;
    // A sign-off that already existed was for another removal.
    const isSignedOff = loaded.config.acceptRemovals && !current.config.acceptRemovals;
    if (isSignedOff && trouble.checks >= timing.signOffChecks) return true;
    const change = { digest: loaded.digest, replaces: onDisk.digest };
    return (await options.isConfirmed?.(change).catch(() => false)) ?? false;
  }

  function accept(loaded: LoadedConfig): void {
    const pinned = pinStartKeys({ inForce: current.config, candidate: loaded.config });
    const next = deepFreeze({ ...loaded, config: pinned.config });
    try {
      options.adopt?.(next);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      refuse(new ConfigError(file, [{ line: 1, column: 1, path: "clusters", message }]), loaded.digest);
      return;
    }
    current = next;
    onDisk = { digest: loaded.digest, secret: loaded.oidcClientSecret };
    needsRestart = pinned.needsRestart;
    trouble = undefined;
    metrics.lastSuccess.set(now().getTime() / 1000);
    emit(loadedEvent());
  }

  async function judge(cause: CheckCause): Promise<void> {
    let digest: string | undefined;
    try {
      const text = await readSettled();
      if (text === undefined) return;
      digest = digestOf(text);
      const loaded = await interpretConfig({
        file,
        text,
        now: now(),
        skipClusterFiles: digest === onDisk.digest,
        skipOidcSecret,
      });
      const isSame = digest === onDisk.digest && loaded.oidcClientSecret === onDisk.secret;
      if (isSame && trouble === undefined) return;
      const removals = findRemovals({ inForce: current.config, candidate: loaded.config });
      if (removals.isImplausible) {
        hold(loaded, removals, cause);
        if (!(await isReleased(loaded))) return;
      }
      accept(loaded);
    } catch (error) {
      if (!isConfigError(error)) throw error;
      refuse(error, digest);
    }
  }

  /** Reads the file; returns undefined while it is being changed: the next check judges it. */
  async function readSettled(): Promise<string | undefined> {
    const read = (): Promise<string | ConfigError> =>
      readConfigText(file).catch((error: unknown) => {
        if (isConfigError(error)) return error;
        throw error;
      });
    const keyOf = (result: string | ConfigError): string => (typeof result === "string" ? result : result.message);
    let result = await read();
    const isJudged = typeof result === "string" && digestOf(result) === onDisk.digest && trouble === undefined;
    if (!isJudged) {
      const before = keyOf(result);
      await sleep(timing.settleMs);
      result = await read();
      if (keyOf(result) !== before) return void follower.hint();
    }
    if (typeof result !== "string") throw result;
    return result;
  }

  let turn = Promise.resolve();
  /** Runs checks one after the other: two at once would count one fault twice. */
  const check = (cause: CheckCause = "due"): Promise<void> => {
    const judgeNext = () => judge(cause);
    turn = turn.then(judgeNext, judgeNext);
    return turn;
  };
  const follower = await follow({ file, everyMs: timing.checkEveryMs, check });

  return {
    current: () => current,
    status: () => ({
      state: trouble?.state ?? "ok",
      digest: onDisk.digest,
      loadedAt: current.loadedAt,
      trouble,
      needsRestart,
    }),
    subscribe(listener) {
      listeners.add(listener);
      listener(loadedEvent());
      return () => void listeners.delete(listener);
    },
    check: () => check(),
    async close() {
      listeners.clear();
      follower.close();
      await turn.catch(() => {});
    },
  };
}

/** Checks regularly, and sooner if the folder reports a change. */
async function follow(options: {
  file: string;
  everyMs: number;
  check: (cause: CheckCause) => Promise<void>;
}): Promise<{ hint(): void; close(): void }> {
  const { file, everyMs, check } = options;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  const plan = (cause: CheckCause, afterMs: number): void => {
    clearTimeout(timer);
    if (!isClosed) timer = setTimeout(() => void run(cause), afterMs).unref();
  };
  const run = async (cause: CheckCause): Promise<void> => {
    await watcher.renew();
    await check(cause).catch(() => {});
    plan("due", everyMs);
  };
  const hint = (): void => plan("hint", Math.min(50, everyMs));
  const watcher = watchFile(file, hint);
  await watcher.renew();
  plan("due", everyMs);
  return {
    hint,
    close: () => {
      isClosed = true;
      clearTimeout(timer);
      watcher.close();
    },
  };
}

function deepFreeze<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null || value instanceof Date || Object.isFrozen(value)) return value;
  for (const member of Object.values(value)) deepFreeze(member);
  return Object.freeze(value);
}
