import { z } from "zod";
import type { LinkTemplate, LinkTemplates, LinkTemplatesChange } from "#lib/contract/link-template.ts";
import { LinkConfig } from "#lib/server/platform/config/config-schema.ts";
import type { Call, ServiceContext } from "#lib/server/process/service-context.ts";
import { assertSettable, diffItems, readSetting, refuseSetting, storeSetting } from "./stored-setting.ts";

/** Returns the link templates in force, and who set them. */
export async function listLinkTemplates({ ctx }: { ctx: ServiceContext }): Promise<LinkTemplates> {
  const { loaded, origin } = await readSetting(ctx, "links");
  return { items: loaded.config.links.map(serializeLink), ...origin };
}

/**
 * Replaces the link templates. Throws `conflict` if the config file sets them, or if they were changed since they were
 * read, and `invalid_request` as the config would be refused.
 */
export async function setLinkTemplates({ ctx, input }: Call<LinkTemplatesChange>): Promise<LinkTemplates> {
  assertSettable(ctx, "links");
  const items = checkLinks(input.items);
  const before = (await listLinkTemplates({ ctx })).items;
  const origin = await storeSetting(ctx, {
    ...{ kind: "links", value: items, seen: input.changedAt },
    ...{ code: "links.change", detail: diffItems(before, items) },
  });
  return { items, ...origin };
}

/** Checks the links as those of a config file. */
function checkLinks(items: readonly LinkTemplate[]): LinkTemplate[] {
  const checked = z.object({ items: z.array(LinkConfig) }).safeParse({ items });
  if (!checked.success) refuseSetting(checked.error.issues);
  return checked.data.items.map(serializeLink);
}

function serializeLink({ name, url, clusters, namespaces, kinds, on }: LinkConfig): LinkTemplate {
  return { name, url, clusters, namespaces, ...(kinds === undefined ? {} : { kinds }), on };
}
