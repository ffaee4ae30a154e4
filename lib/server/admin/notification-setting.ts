import { dirname, resolve } from "node:path";
import {
  ChannelSetting,
  type NotificationSetting,
  type NotificationSettingChange,
  type RouteSetting,
} from "#lib/contract/notification-setting.ts";
import { judgeSigningSecret, resolveChannelFiles } from "#lib/server/platform/config/load-config.ts";
import {
  type ChannelConfig,
  findDisallowed,
  NotificationConfig,
} from "#lib/server/platform/config/notification-schema.ts";
import type { Call, ServiceContext } from "#lib/server/process/service-context.ts";
import { parseNotifications } from "#lib/server/records/stored-settings.ts";
import { maskConfig } from "./get-config.ts";
import { assertSettable, diffItems, readSetting, refuseSetting, storeSetting } from "./stored-setting.ts";

/** Returns the channels and routes of notifications, and who set them. No secret is shown, only where each one is. */
export async function getNotificationSetting({ ctx }: { ctx: ServiceContext }): Promise<NotificationSetting> {
  const { loaded, value, origin } = await readSetting(ctx, "notifications");
  const { notifications } = loaded.config;
  const { allow } = notifications;
  const { channels, routes } = origin.source === "file" ? notifications : parseNotifications(value);
  return {
    channels: channels.map(serializeChannel),
    routes: routes.map(serializeRoute),
    allow,
    unusable: origin.source === "file" ? [] : listUnusable(channels, allow),
    ...origin,
  };
}

/**
 * Replaces the channels and routes of notifications. Throws `conflict` if the config file sets them, or if they were
 * changed since they were read. Throws `invalid_request` as the config would be refused, and for a new or changed channel
 * that uses something the config file does not allow.
 */
export async function setNotificationSetting({
  ctx,
  input,
}: Call<NotificationSettingChange>): Promise<NotificationSetting> {
  assertSettable(ctx, "notifications");
  const before = await getNotificationSetting({ ctx });
  const folder = dirname(resolve(ctx.runtime.config().file));
  const checked = await checkNotifications(input, { before, folder });
  const [channels, routes] = [checked.channels.map(serializeChannel), checked.routes.map(serializeRoute)];
  const origin = await storeSetting(ctx, {
    ...{ kind: "notifications", value: { channels, routes }, seen: input.changedAt, code: "notifications.change" },
    detail: { channels: describeChange(before.channels, channels), routes: diffItems(before.routes, routes) },
  });
  const { allow } = before;
  return { channels, routes, allow, unusable: listUnusable(checked.channels, allow), ...origin };
}

/**
 * Checks channels and routes as those of a config file, and that nothing secret would be stored. A stored channel that
 * is no longer allowed may stay as it is, so that others can be changed: it is not in force.
 */
async function checkNotifications(
  { channels, routes }: NotificationSettingChange,
  { before, folder }: { before: NotificationSetting; folder: string },
) {
  const checked = NotificationConfig.safeParse({ channels, routes });
  if (!checked.success) refuseSetting(checked.error.issues);
  const known = new Set(before.channels.map((channel) => JSON.stringify(channel)));
  const issues = [];
  for (const [index, channel] of checked.data.channels.entries()) {
    if (known.has(JSON.stringify(serializeChannel(channel)))) continue;
    const found = [...findDisallowed(channel, before.allow), ...listSecrets(channel)];
    // A place is read only if it is allowed.
    if (found.length === 0) found.push(...(await listUnusableKeys(channel, folder)));
    issues.push(...found.map(({ key, message }) => ({ path: ["channels", index, key], message })));
  }
  if (issues.length > 0) refuseSetting(issues);
  return checked.data;
}

async function listUnusableKeys(channel: ChannelConfig, folder: string): Promise<{ key: string; message: string }[]> {
  const message = await judgeSigningSecret(resolveChannelFiles(channel, folder));
  return message === undefined ? [] : [{ key: "signingSecret", message }];
}

type NamedChannel = Pick<ChannelSetting, "name" | "type">;

/** Describes a change of channels for the audit log, without values: an address may be a secret of an unknown form. */
function describeChange(
  before: readonly ChannelSetting[],
  after: readonly ChannelSetting[],
): { added: NamedChannel[]; removed: NamedChannel[]; changed: (NamedChannel & { fields: string[] })[] } {
  const named = ({ name, type }: ChannelSetting): NamedChannel => ({ name, type });
  const missingIn = (others: readonly ChannelSetting[]) => (channel: ChannelSetting) =>
    !others.some(({ name }) => name === channel.name);
  return {
    added: after.filter(missingIn(before)).map(named),
    removed: before.filter(missingIn(after)).map(named),
    changed: after.flatMap((channel) => {
      const was = before.find(({ name }) => name === channel.name);
      const fields = was === undefined ? [] : listChangedFields(was, channel);
      return fields.length === 0 ? [] : [{ ...named(channel), fields }];
    }),
  };
}

function listChangedFields(before: ChannelSetting, after: ChannelSetting): string[] {
  const [was, is] = [before, after].map((channel) => new Map<string, unknown>(Object.entries(channel)));
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].filter((key) => JSON.stringify(was?.get(key)) !== JSON.stringify(is?.get(key)));
}

function listSecrets(channel: ChannelConfig): { key: string; message: string }[] {
  const shown = new Map<string, unknown>(Object.entries(serializeChannel(channel)));
  return Object.entries(channel).flatMap(([key, value]) =>
    typeof value === "string" && shown.get(key) !== value
      ? [{ key, message: "this contains a secret: keep it in a file or a variable, and name its place here" }]
      : [],
  );
}

function listUnusable(channels: readonly ChannelConfig[], allow: readonly string[]): NotificationSetting["unusable"] {
  return channels.flatMap((channel) =>
    findDisallowed(channel, allow)
      .slice(0, 1)
      .map(({ message }) => ({ name: channel.name, reason: message })),
  );
}

function serializeChannel(channel: ChannelConfig): ChannelSetting {
  return ChannelSetting.parse(maskConfig(channel));
}

function serializeRoute(route: NotificationConfig["routes"][number]): RouteSetting {
  const { name, clusters, namespaces, rollouts, team, events, minSeverity, to = [], quietHours } = route;
  return {
    ...{ name, clusters, namespaces, rollouts, events, minSeverity, to },
    ...(team === undefined ? {} : { team }),
    ...(quietHours === undefined ? {} : { quietHours }),
  };
}
