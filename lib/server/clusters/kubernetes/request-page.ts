import type { ClusterClient, ClusterRequest, ClusterResponse } from "./cluster-client-types.ts";
import { isAnswerTooLargeError } from "./cluster-errors.ts";

/**
 * The largest page of a list. A larger page is requested again with fewer objects. Each source of a
 * cluster may read one page while another is being stored, so this limits the memory that a cluster can take.
 */
export const maxPageBytes = 16 * 1024 * 1024;

/**
 * Asks for one page of a list, with fewer objects each time that the page is too large; a page of one object that is too
 * large throws as any answer does. `limit` is the number with which the page came: ask for the next one with it.
 */
export async function requestPage({
  client,
  limit,
  query,
  ...request
}: Omit<ClusterRequest, "method" | "body" | "maxBytes"> & { client: ClusterClient; limit: number }): Promise<{
  answer: ClusterResponse;
  limit: number;
}> {
  for (let asked = limit; ; asked = Math.floor(asked / 4) || 1) {
    try {
      const answer = await client.request({
        ...request,
        method: "GET",
        query: { ...query, limit: asked },
        maxBytes: maxPageBytes,
      });
      return { answer, limit: asked };
    } catch (error) {
      if (!isAnswerTooLargeError(error) || asked <= 1) throw error;
    }
  }
}
