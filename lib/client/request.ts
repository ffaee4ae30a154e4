import { activityHeaders } from "#lib/client/activity.ts";
import { basePath } from "#lib/client/base-path.ts";
import { noteServerDate } from "#lib/client/server-clock.ts";
import { createSender, type SendInput } from "#packages/client/src/send.ts";

/** `path` is without the base path. */
export type RequestInput = SendInput & { method?: "GET" | "POST" | "DELETE" };

const here = {
  url: basePath,
  fetch: async (address: RequestInfo | URL, init?: RequestInit) => {
    const response = await fetch(address, init);
    noteServerDate(response.headers.get("date"), Date.now());
    return response;
  },
};
const words = {
  noAnswer: "Gatehouse did not answer. Check the connection, then try again.",
  noJson: "The server's answer is not JSON.",
};
/** A page waits as long as the server works: the longest time that a timer takes. */
const { request: send } = createSender({ ...here, timeoutMs: 2 ** 31 - 1 }, words);

/**
 * Calls the API of this origin and returns the parsed JSON. Throws `GatehouseError` for every failure except an abort.
 */
export function request<Answer>({ headers, ...input }: RequestInput): Promise<Answer> {
  return send<Answer>({ ...input, headers: { ...activityHeaders(), ...headers } });
}

/** Calls the API of this origin and returns the answer as soon as it begins. */
export const { open: openStream } = createSender({ ...here, timeoutMs: 40_000 }, words);
