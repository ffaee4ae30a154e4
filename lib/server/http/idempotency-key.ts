import { ServiceError } from "#lib/server/services/service-error.ts";

/** The Idempotency-Key header: printable, at most 200 characters. Undefined where it is not sent. */
export function readIdempotencyKey(request: Request): string | undefined {
  const key = request.headers.get("idempotency-key")?.trim();
  if (key === undefined) return undefined;
  if (/^[\x21-\x7e]{1,200}$/.test(key)) return key;
  const reason = "1 to 200 printable characters without blanks";
  throw new ServiceError("invalid_request", `Idempotency-Key: ${reason}`, {
    invalidParams: [{ name: "Idempotency-Key", reason }],
  });
}
