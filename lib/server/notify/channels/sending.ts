import type { Message } from "#lib/domain/notify/compose-messages.ts";

/** What a channel answered. `error` has no secret and no text of the receiver's. */
export type SendResult = { ok: true; note?: string } | { ok: false; error: string; retryAfterMs?: number };

/** One try to send one message. */
export type Sending = {
  message: Message;
  /** Where the links of the message lead. */
  publicUrl: string;
  /** By the database's clock. */
  now: Date;
  signal: AbortSignal;
};
