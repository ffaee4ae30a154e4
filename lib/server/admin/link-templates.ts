import type { Pool } from "pg";
import { z } from "zod";
import type { LinkTemplate, LinkTemplates, LinkTemplatesChange } from "#lib/contract/link-template.ts";
import { appendChange } from "#lib/server/audit/append-audit.ts";
import { assertAdmin } from "#lib/server/people/permission/require-admin.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { LinkConfig } from "#lib/server/platform/config/config-schema.ts";
import { logChange } from "#lib/server/platform/db/log-change.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { toColumn } from "#lib/server/platform/db/tables.ts";
import type { Call, ServiceContext } from "#lib/server/process/service-context.ts";
import { type Watched, type WatchOptions, watchStored } from "#lib/server/process/watch-stored.ts";
import {
  linksKind,
  noStoredLinks,
  readStoredLinks,
  type StoredLinks,
  setsLinks,
} from "#lib/server/records/stored-links.ts";

/** Keeps the links that were made in the interface in memory. */
export function watchLinks({ pool, ...options }: WatchOptions & { pool: Pool }): Watched<StoredLinks> {
  return watchStored({ ...options, kind: "setting", initial: noStoredLinks, read: () => readStoredLinks(pool) });
}

/** Returns the link templates in force, and who set them. */
export async function listLinkTemplates({ ctx }: { ctx: ServiceContext }): Promise<LinkTemplates> {
  assertAdmin(ctx);
  const loaded = ctx.runtime.config();
  const { links, changedAt, changedBy } = await readStoredLinks(ctx.runtime.pool);
  const isFile = setsLinks(loaded);
  return {
    items: (isFile ? loaded.config.links : links).map(serializeLink),
    source: isFile ? "file" : "interface",
    changedBy,
    changedAt: changedAt?.toISOString() ?? null,
  };
}

/**
 * Replaces the link templates. Throws `conflict` if the config file sets them, or if they were changed since they were
 * read, and `invalid_request` as the config would be refused.
 */
export async function setLinkTemplates({ ctx, input }: Call<LinkTemplatesChange>): Promise<LinkTemplates> {
  assertAdmin(ctx);
  const { runtime, actor } = ctx;
  if (setsLinks(runtime.config()))
    throw new ServiceError("conflict", "The config file sets links, so they can only be changed there.");
  const items = checkLinks(input.items);
  const before = (await readStoredLinks(runtime.pool)).links.map(serializeLink);
  const data = { value: items, changedAt: runtime.now(), changedBy: toColumn(actor.name) };
  await appendChange(ctx, {
    code: "links.change",
    detail: { added: without(items, before), removed: without(before, items) },
    within: async (tx) => {
      const { setting } = prismaOn(tx);
      const { count } =
        input.changedAt === null
          ? await setting.createMany({ data: [{ kind: linksKind, ...data }], skipDuplicates: true })
          : await setting.updateMany({ where: { kind: linksKind, changedAt: new Date(input.changedAt) }, data });
      if (count === 0)
        throw new ServiceError("conflict", "The links were changed since you read them. Read them again.");
      await logChange(tx, { kind: "setting", ref: linksKind, cluster: null, namespace: null });
    },
  });
  return {
    items,
    source: "interface",
    changedBy: data.changedBy,
    changedAt: data.changedAt.toISOString(),
  };
}

/** Checks the links as those of a config file. */
function checkLinks(items: readonly LinkTemplate[]): LinkTemplate[] {
  const checked = z.array(LinkConfig).safeParse(items);
  if (checked.success) return checked.data.map(serializeLink);
  const [issue] = checked.error.issues;
  const name = ["items", ...(issue?.path ?? [])].join(".");
  const reason = issue?.message ?? "is not a link";
  throw new ServiceError("invalid_request", `${name}: ${reason}`, { invalidParams: [{ name, reason }] });
}

function serializeLink({ name, url, clusters, namespaces, kinds, on }: LinkConfig): LinkTemplate {
  return { name, url, clusters, namespaces, ...(kinds === undefined ? {} : { kinds }), on };
}

/** Returns the links that are not among the others. */
function without(links: readonly LinkTemplate[], others: readonly LinkTemplate[]): LinkTemplate[] {
  const known = new Set(others.map((link) => JSON.stringify(link)));
  return links.filter((link) => !known.has(JSON.stringify(link)));
}
