import { z } from "zod";
import { get, post } from "#lib/contract/endpoint.ts";
import { settingOrigin, settingSeen } from "#lib/contract/stored-setting.ts";
import { linkPlaces } from "#lib/domain/links/link-values.ts";

const texts = {
  url: "With placeholders, such as https://grafana.example.com/d/{name}?from={fromMs}.",
  kinds: "By default all.",
};
const patterns = z.array(z.string()).min(1);

/** A link to something outside Gatehouse, with placeholders: an item of `links` in the config. */
export const LinkTemplate = z.strictObject({
  name: z.string(),
  url: z.string().describe(texts.url),
  clusters: patterns.default(["*"]),
  namespaces: patterns.default(["*"]),
  kinds: patterns.optional().describe(texts.kinds),
  on: z.array(z.enum(linkPlaces)).min(1),
});
export type LinkTemplate = z.infer<typeof LinkTemplate>;

const sentPatterns = z.array(z.string().max(253)).min(1).max(20);

/** As it may be sent. The config file has no such maxima. */
const SentLinkTemplate = LinkTemplate.extend({
  name: z.string().max(60),
  url: z.string().max(2000).describe(texts.url),
  clusters: sentPatterns.default(["*"]),
  namespaces: sentPatterns.default(["*"]),
  kinds: sentPatterns.optional().describe(texts.kinds),
  on: z.array(z.enum(linkPlaces)).min(1).max(linkPlaces.length),
});

export const LinkTemplates = z.object({
  items: z.array(LinkTemplate).describe("Those in force."),
  ...settingOrigin,
});
export type LinkTemplates = z.infer<typeof LinkTemplates>;

export const LinkTemplatesChange = z.strictObject({
  items: z.array(SentLinkTemplate).max(50).describe("All of them: they replace the present ones."),
  ...settingSeen,
});
export type LinkTemplatesChange = z.infer<typeof LinkTemplatesChange>;

/** The part of the endpoint table about link templates. */
export const linkEndpoints = {
  listLinkTemplates: get("/api/v1/admin/links", "The link templates in force", {
    role: "admin",
    query: z.strictObject({}),
    response: LinkTemplates,
  }),
  setLinkTemplates: post("/api/v1/admin/links", "Replaces the link templates, unless the config file sets them", {
    role: "admin",
    body: LinkTemplatesChange,
    response: LinkTemplates,
  }),
} as const;
