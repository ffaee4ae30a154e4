import { isApiError } from "#lib/client/api-error.ts";
import { randomId } from "#lib/client/random-id.ts";

export type RequestKeys = {
  /** The same for the same body, so that a repeat after a broken connection is the same request. */
  keyOf(body: string): string;
  /** The server's own refusal settles a key: sent again it would only bring the old refusal back. */
  noteFailure(error: unknown): void;
};

/** Idempotency keys of one dialog. */
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
