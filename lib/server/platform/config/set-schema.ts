import { z } from "zod";
import { scopeFields } from "./policy-schema.ts";

/** Rollouts that belong together. */
export const SetConfig = z
  .strictObject({
    ...scopeFields,
    name: z.string().trim().min(1, "a set has a name").max(60, "a set's name has at most 60 characters"),
    /** No member passes a pause until all that take part have reached theirs. */
    together: z.boolean().default(false),
    /** When one is aborted, for the others under way with the same version. Absent: nothing. */
    onAbort: z.enum(["propose", "abort"], "write propose or abort, or leave it out: then nothing happens").optional(),
  })
  .superRefine(({ together, onAbort }, context) => {
    if (onAbort !== undefined && !together)
      context.addIssue({ code: "custom", path: ["onAbort"], message: "only with together: true" });
  });
export type SetConfig = z.infer<typeof SetConfig>;
