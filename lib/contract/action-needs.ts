import { z } from "zod";
import { Timestamp } from "#lib/contract/common.ts";

/** A freeze or sets, as break-glass overrides them. */
export const Block = z.strictObject({
  kind: z.enum(["freeze", "set"]),
  name: z.string().max(1000).describe("Several sets that hold it are named together."),
  id: z.string().max(100).optional().describe("Of a freeze that a person made."),
});

/** What an action needs besides the right to it. */
export const ActionNeeds = z.object({
  reason: z.boolean(),
  tickets: z
    .array(
      z.object({
        rule: z.string(),
        pattern: z.string().describe("In the syntax of docs/configuration.md, such as `CHG\\d+`."),
        checked: z.boolean().describe("A system outside Gatehouse is asked about it at the click."),
      }),
    )
    .optional()
    .describe("Tickets that the reason must name; absent if it need not."),
  secondPerson: z
    .object({
      rule: z.string(),
      expireMinutes: z.number(),
      because: z.string().describe("Who must approve, by each rule that applies, in sentences."),
    })
    .nullable()
    .describe(
      "The rule that requires the approval of other people first; of several, the one with the most approvers.",
    ),
  freeze: z
    .object({ name: z.string(), until: Timestamp, because: z.string().describe("The same in sentences.") })
    .nullable()
    .describe("The freeze that is in force, or the release windows that are closed, until the next one opens."),
  barrier: z
    .object({ set: z.string(), because: z.string().describe("The same in sentences.") })
    .optional()
    .describe("The set of the config whose other members have not reached this pause; absent if none holds it."),
  blocks: z
    .array(Block)
    .optional()
    .describe("Each freeze and the sets: with break-glass, send them as `expect.blocks`. Absent if there are none."),
  breakGlass: z
    .boolean()
    .describe("You may override the freeze, or act ahead of the set, with a reason and a fresh sign-in."),
});
