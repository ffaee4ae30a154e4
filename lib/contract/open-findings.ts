import { z } from "zod";

export const OpenFindings = z
  .object({
    open: z.number().int(),
    worst: z.enum(["info", "warning", "critical"]).nullable(),
    badge: z
      .string()
      .optional()
      .describe("The rule of the oldest critical one in few words; only in lists and on a release."),
  })
  .describe("Findings that are open and not acknowledged.");
export type OpenFindings = z.infer<typeof OpenFindings>;
