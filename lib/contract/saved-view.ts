import { z } from "zod";
import { displayName, ListQuery, Timestamp } from "#lib/contract/common.ts";

/** The lists that views are saved of. */
export const savedLists = ["rollouts", "releases", "analysis-runs", "experiments", "templates", "audit"] as const;
export const SavedList = z.enum(savedLists);
export type SavedList = z.infer<typeof SavedList>;

/** Saved views of one person, in all lists together. */
export const savedViewsPerPerson = 100;

const Name = displayName(60);

const parameterName = /^[a-zA-Z]{1,30}$/;

const Query = z
  .string()
  .max(2000)
  .refine((text) => isListQuery(text), "not the query of a list's address, such as state=aborted&sort=-duration")
  .describe("Filters, order and columns as in the address of the list, without the question mark; may be empty.");

/** Returns whether the text is a query as its own URL would write it: each parameter once. */
function isListQuery(text: string): boolean {
  const parameters = [...new URLSearchParams(text)];
  const names = parameters.map(([name]) => name);
  return (
    !text.startsWith("?") &&
    parameters.length <= 30 &&
    new Set(names).size === names.length &&
    names.every((name) => parameterName.test(name)) &&
    parameters.every(([, value]) => value.isWellFormed() && !value.includes("\u0000"))
  );
}

export const SavedView = z.object({
  id: z.string(),
  list: SavedList,
  name: z.string(),
  query: z.string(),
  shared: z
    .boolean()
    .describe(
      "People who may read in its place see it; if its filters have words, people who may read all of that place. The rows follow from the reader's own rights.",
    ),
  owner: z.string().describe("The display name of its owner."),
  mine: z.boolean(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});
export type SavedView = z.infer<typeof SavedView>;

export const SavedViewListQuery = ListQuery.extend({ list: SavedList.optional() });
export type SavedViewListQuery = z.infer<typeof SavedViewListQuery>;

export const SavedViewRequest = z.strictObject({
  list: SavedList,
  name: Name,
  query: Query,
  shared: z.boolean().default(false),
});
export type SavedViewRequest = z.infer<typeof SavedViewRequest>;

export const SavedViewChange = z
  .strictObject({
    name: Name.optional(),
    query: Query.optional(),
    shared: z.boolean().optional(),
  })
  .refine((change) => Object.keys(change).length > 0, "must have name, query or shared");
export type SavedViewChange = z.infer<typeof SavedViewChange>;
