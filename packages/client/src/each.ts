type Page = { items: unknown[]; nextCursor: string | null };
type List = (input: never) => Promise<Page>;
type ItemOf<Listing extends List> = Awaited<ReturnType<Listing>>["items"][number];

/**
 * Reads a list to its end, page by page, as far as the caller iterates: `each(gatehouse.listRollouts, { query })`. Takes
 * any operation that answers with `items` and `nextCursor`, and what that operation takes.
 */
export async function* each<Listing extends List>(
  list: Listing,
  ...inputs: Parameters<Listing>
): AsyncGenerator<ItemOf<Listing>, void, undefined> {
  // Whatever else it takes: a list has its cursor there.
  const given = inputs[0] as { query?: { cursor?: string | undefined } } | undefined;
  for (let cursor: string | null = given?.query?.cursor ?? ""; cursor !== null; ) {
    const query = { ...given?.query, ...(cursor === "" ? {} : { cursor }) };
    // The same input with another cursor.
    const page: Page = await list({ ...given, query } as never);
    yield* page.items as ItemOf<Listing>[];
    cursor = page.nextCursor;
  }
}
