import type { Message } from "#lib/domain/notify/compose-messages.ts";

/** The result of one send. `error` contains neither a secret nor text from the receiver. */
export type SendResult = { ok: true; note?: string } | { ok: false; error: string; retryAfterMs?: number };

/** One attempt to send one message. */
export type Sending = {
  message: Message;
  /** Base URL of the links in the message. */
  publicUrl: string;
  /** By the database's clock. */
  now: Date;
  signal: AbortSignal;
};
