import { isApiError } from "#lib/client/api-error.ts";
import { randomId } from "#lib/client/random-id.ts";

export type RequestKeys = {
  /** Returns the same key for the same body, so a retry after a broken connection is the same request. */
  keyOf(body: string): string;
  /** Retires a key that the server itself refused: a retry with it would only replay the old refusal. */
  noteFailure(error: unknown): void;
};

/** Creates the idempotency keys of one dialog. */
export function createRequestKeys(): RequestKeys {
  let sent: { body: string; key: string } | undefined;
  return {
    keyOf: (body) => {
      if (sent?.body !== body) sent = { body, key: randomId() };
      return sent.key;
    },
    noteFailure: (error) => {
      if (isApiError(error) && error.problem !== undefined) sent = undefined;
    },
  };
}
