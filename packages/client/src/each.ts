type Page<Item> = { items: Item[]; nextCursor: string | null };
type Listed = { query?: { cursor?: string | undefined } };

/**
 * Reads a list to its end, page by page, as far as the caller iterates: `each(gatehouse.listRollouts, { query })`. Takes
 * any operation that answers with `items` and `nextCursor`.
 */
export async function* each<Item, Input extends Listed>(
  list: (input: Input) => Promise<Page<Item>>,
  input?: NoInfer<Input>,
): AsyncGenerator<Item, void, undefined> {
  let cursor: string | null = input?.query?.cursor ?? "";
  while (cursor !== null) {
    const query: object = { ...input?.query, ...(cursor === "" ? {} : { cursor }) };
    // The same input with another cursor.
    const page: Page<Item> = await list({ ...input, query } as Input);
    yield* page.items;
    cursor = page.nextCursor;
  }
}
