import { dirname, resolve } from "node:path";
import type { Pool } from "pg";
import { z } from "zod";
import { type Config, LinkConfig } from "#lib/server/platform/config/config-schema.ts";
import { type LoadedConfig, resolveChannelFiles } from "#lib/server/platform/config/load-config.ts";
import {
  ChannelConfig,
  findDisallowed,
  type NotificationConfig,
  RouteConfig,
} from "#lib/server/platform/config/notification-schema.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import type { Connection } from "#lib/server/platform/db/run-query.ts";
import { type Watched, type WatchOptions, watchStored } from "#lib/server/process/watch-stored.ts";

export type SettingKind = "links" | "notifications";

type StoredSetting = { value: unknown; changedAt: Date; changedBy: string };
/** What admins have set in the interface; absent kinds were never set. */
export type StoredSettings = { readonly [Kind in SettingKind]?: StoredSetting };

/** A part of the config that an admin sets in the interface, unless the file sets it. */
type SettingRules = {
  /** The keys of the config. If the file has one of them, even an empty one, stored values do not count. */
  keys: readonly string[];
  hasAny(config: Config): boolean;
  /** Returns the file's config with the stored value. Items that are no longer valid are left out. */
  fill(loaded: LoadedConfig, value: unknown): Config;
};

const rules: Readonly<Record<SettingKind, SettingRules>> = {
  links: {
    keys: ["links"],
    hasAny: ({ links }) => links.length > 0,
    fill: ({ config }, value) => ({ ...config, links: parseItems(LinkConfig, value) }),
  },
  notifications: {
    keys: ["notifications.channels", "notifications.routes"],
    hasAny: ({ notifications: { channels, routes } }) => channels.length + routes.length > 0,
    fill: ({ config, file }, value) => {
      const { allow, slack } = config.notifications;
      const { channels, routes } = parseNotifications(value);
      const usable = channels.filter((channel) => findDisallowed(channel, allow).length === 0);
      const folder = dirname(resolve(file));
      const resolved = usable.map((channel) => resolveChannelFiles(channel, folder));
      return { ...config, notifications: { allow, slack, channels: resolved, routes } };
    },
  },
};

function parseItems<Item>(schema: z.ZodType<Item>, value: unknown): Item[] {
  const items = z.array(z.unknown()).catch([]).parse(value);
  return items.flatMap((item) => schema.safeParse(item).data ?? []);
}

/** Reads stored channels and routes, with the places of secrets as they were written. */
export function parseNotifications(value: unknown): Pick<NotificationConfig, "channels" | "routes"> {
  const { channels, routes } = z
    .object({ channels: z.unknown(), routes: z.unknown() })
    .partial()
    .catch({})
    .parse(value);
  return { channels: parseItems(ChannelConfig, channels), routes: parseItems(RouteConfig, routes) };
}

/** Reads what admins have set in the interface. */
export async function readSettings(connection: Connection): Promise<StoredSettings> {
  const rows = await prismaOn(connection).setting.findMany();
  return Object.fromEntries(rows.map(({ kind, ...stored }) => [kind, stored]));
}

/** Keeps what admins have set in the interface in memory. */
export function watchSettings({ pool, ...options }: WatchOptions & { pool: Pool }): Watched<StoredSettings> {
  return watchStored<StoredSettings>({ ...options, kind: "setting", initial: {}, read: () => readSettings(pool) });
}

/** Returns whether the config file sets this part, even to nothing, so that a stored value does not count. */
export function isSetByFile({ config, stored = [], written }: LoadedConfig, kind: SettingKind): boolean {
  const { keys, hasAny } = rules[kind];
  if (keys.some((key) => stored.includes(key))) return false;
  return hasAny(config) || keys.some((key) => written?.has(key) === true);
}

/** Completes the config of the file, or one completed earlier, with the stored values of the parts that it does not set. */
export function completeLoaded(loaded: LoadedConfig, settings: StoredSettings): LoadedConfig {
  let completed = loaded;
  for (const kind of ["links", "notifications"] as const) {
    const setting = settings[kind];
    if (setting === undefined || isSetByFile(completed, kind)) continue;
    const { keys, fill } = rules[kind];
    const stored = [...new Set([...(completed.stored ?? []), ...keys])];
    completed = { ...completed, config: fill(completed, setting.value), stored };
  }
  return completed;
}

/** Completes the config at each call, and computes it anew only after a change. */
export function completeConfig(config: () => LoadedConfig, settings: () => StoredSettings): () => LoadedConfig {
  let last: { loaded: LoadedConfig; stored: StoredSettings; completed: LoadedConfig } | undefined;
  return () => {
    const [loaded, stored] = [config(), settings()];
    if (last === undefined || last.loaded !== loaded || last.stored !== stored)
      last = { loaded, stored, completed: completeLoaded(loaded, stored) };
    return last.completed;
  };
}
