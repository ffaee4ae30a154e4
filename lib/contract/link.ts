import { z } from "zod";

/** A link to something outside Gatehouse. */
export const Link = z.object({
  name: z.string(),
  href: z.string().describe("An http or https address."),
  source: z
    .enum(["config", "annotation"])
    .describe("annotation: from the object in the cluster, so anyone who may change it chose the address."),
});
export type Link = z.infer<typeof Link>;
