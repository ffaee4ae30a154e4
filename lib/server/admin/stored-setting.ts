import type { SettingOrigin } from "#lib/contract/stored-setting.ts";
import type { AuditDraft } from "#lib/domain/audit/audit-entry.ts";
import { toStorableValue } from "#lib/domain/storable/escape-text.ts";
import { appendChange } from "#lib/server/audit/append-audit.ts";
import { assertAdmin } from "#lib/server/people/permission/require-admin.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import type { LoadedConfig } from "#lib/server/platform/config/load-config.ts";
import { logChange } from "#lib/server/platform/db/log-change.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { toColumn } from "#lib/server/platform/db/tables.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";
import { completeLoaded, isSetByFile, readSettings, type SettingKind } from "#lib/server/records/stored-settings.ts";

type Setting = {
  /** With the value in force, of the file or of the interface. */
  loaded: LoadedConfig;
  /** The stored value, as it was stored; undefined if it was never set. */
  value: unknown;
  origin: SettingOrigin;
};

/** Reads a part of the config that an admin may set in the interface. Throws `forbidden`. */
export async function readSetting(ctx: ServiceContext, kind: SettingKind): Promise<Setting> {
  assertAdmin(ctx);
  const settings = await readSettings(ctx.runtime.pool);
  const loaded = completeLoaded(ctx.runtime.config(), settings);
  const stored = settings[kind];
  const origin: SettingOrigin = {
    source: isSetByFile(loaded, kind) ? "file" : "interface",
    changedBy: stored?.changedBy ?? null,
    changedAt: stored?.changedAt.toISOString() ?? null,
  };
  return { loaded, value: stored?.value, origin };
}

/** Refuses a change if the config file sets the part. Throws `forbidden` and `conflict`. */
export function assertSettable(ctx: ServiceContext, kind: SettingKind): void {
  assertAdmin(ctx);
  if (!isSetByFile(ctx.runtime.config(), kind)) return;
  throw new ServiceError("conflict", `The config file sets ${kind}, so they can only be changed there.`);
}

/**
 * Replaces the stored value, and appends the change to the audit log. Throws `conflict` if the value was changed since
 * it was read.
 */
export async function storeSetting(
  ctx: ServiceContext,
  {
    kind,
    value,
    seen,
    ...entry
  }: { kind: SettingKind; value: unknown; seen: string | null } & Pick<AuditDraft, "code" | "detail">,
): Promise<SettingOrigin> {
  const { runtime, actor } = ctx;
  const data = { value: toStorableValue(value), changedAt: runtime.now(), changedBy: toColumn(actor.name) };
  await appendChange(ctx, {
    ...entry,
    within: async (tx) => {
      const { setting } = prismaOn(tx);
      const { count } =
        seen === null
          ? await setting.createMany({ data: [{ kind, ...data }], skipDuplicates: true })
          : await setting.updateMany({ where: { kind, changedAt: new Date(seen) }, data });
      if (count === 0)
        throw new ServiceError("conflict", `The ${kind} were changed since you read them. Read them again.`);
      await logChange(tx, { kind: "setting", ref: kind, cluster: null, namespace: null });
    },
  });
  return { source: "interface", changedBy: data.changedBy, changedAt: data.changedAt.toISOString() };
}

/** Throws `invalid_request` with every problem, each by the path of its field. */
export function refuseSetting(issues: readonly { path: readonly PropertyKey[]; message: string }[]): never {
  const invalidParams = issues.map(({ path, message }) => ({ name: path.map(String).join("."), reason: message }));
  const [first] = invalidParams;
  const detail = first === undefined ? "This cannot be stored." : `${first.name}: ${first.reason}`;
  throw new ServiceError("invalid_request", detail, { invalidParams });
}

/** Describes a change of a list for the audit log; a changed item is in both. */
export function diffItems<Item>(before: readonly Item[], after: readonly Item[]): { added: Item[]; removed: Item[] } {
  const without = (items: readonly Item[], others: readonly Item[]) => {
    const known = new Set(others.map((item) => JSON.stringify(item)));
    return items.filter((item) => !known.has(JSON.stringify(item)));
  };
  return { added: without(after, before), removed: without(before, after) };
}
