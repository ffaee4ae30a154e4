import { z } from "zod";
import { RolloutKind } from "#lib/contract/common.ts";
import { findValueless, parseLinkTemplate } from "#lib/domain/links/link-template.ts";
import { linkPlaces } from "#lib/domain/links/link-values.ts";
import { scopeFields } from "./policy-schema.ts";

/** The units of metrics, by a pattern of their names. Of the patterns that match a metric, the first counts. */
export const UnitsConfig = z
  .record(
    z.string().min(1),
    z.string().trim().min(1, "name the unit, such as ms").max(12, "a unit has at most 12 characters"),
  )
  .default({});

/** A link to something outside Gatehouse, with placeholders. */
export const LinkConfig = z
  .strictObject({
    name: z.string().trim().min(1, "a link has a name").max(60, "a link's name has at most 60 characters"),
    url: z.string(),
    clusters: scopeFields.clusters,
    namespaces: scopeFields.namespaces,
    kinds: z
      .array(z.string().regex(/^[A-Z][A-Za-z0-9]{0,62}$/, "is not a kind, such as Rollout, Canary or Stage"))
      .min(1, "name at least one kind, or leave it out for all")
      .optional(),
    on: z.array(z.enum(linkPlaces)).min(1, "name at least one of rollout, release, run, metric"),
  })
  .superRefine(({ url, on, kinds }, context) => {
    const hasRollouts = kinds === undefined || kinds.some((kind) => RolloutKind.safeParse(kind).success);
    for (const [index, place] of on.entries()) {
      if (hasRollouts || place === "run" || place === "metric") continue;
      const message = `kinds names neither Rollout nor Canary, so the link would never be shown on a ${place}`;
      context.addIssue({ code: "custom", path: ["on", index], message });
    }
    const parsed = parseLinkTemplate(url);
    if (!parsed.ok) {
      context.addIssue({ code: "custom", path: ["url"], message: parsed.reason });
      return;
    }
    for (const [index, place] of on.entries()) {
      const missing = findValueless(parsed.template, place);
      if (missing === undefined) continue;
      const message = `{${missing}} has no value on a ${place}, so the link would never be shown there`;
      context.addIssue({ code: "custom", path: ["on", index], message });
    }
  });
export type LinkConfig = z.infer<typeof LinkConfig>;
