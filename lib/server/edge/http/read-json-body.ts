import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { jsonShape } from "#lib/util/json.ts";
import { readLimited } from "#lib/util/read-limited.ts";

const maxBytes = 64 * 1024;
/** Code that walks a body is recursive; nothing that we accept is half as deep. */
const maxDepth = 64;
/** Each value is checked on the main thread, and one that does not fit costs ten times as much as one that does. */
const maxValues = 10_000;

/**
 * Reads the JSON body of a request: at most 64 KiB, 64 levels deep and 10 000 values. Anything but `application/json`
 * is refused before it is read.
 */
export async function readJsonBody(request: Request): Promise<unknown> {
  const type = request.headers.get("content-type") ?? "";
  if (type.split(";")[0]?.trim().toLowerCase() !== "application/json")
    throw new ServiceError("unsupported_media_type", "Send the body as application/json.");
  return parseBody(await readLimitedText(request));
}

/** Parses the body; throws `invalid_request` if it is not JSON, or nested too deeply. */
export function parseBody(text: string): unknown {
  const refuse = (detail: string, reason: string) =>
    new ServiceError("invalid_request", detail, { invalidParams: [{ name: "body", reason }] });
  const { depth, values } = jsonShape(text);
  if (values > maxValues) throw refuse(`The body has more than ${maxValues} values.`, `more than ${maxValues} values`);
  if (depth > maxDepth)
    throw refuse(`The body is nested deeper than ${maxDepth} levels.`, `nested deeper than ${maxDepth} levels`);
  try {
    return JSON.parse(text);
  } catch {
    throw refuse("The body is not JSON.", "not JSON");
  }
}

/** Reads the body as text; throws `payload_too_large` and stops reading once the limit is passed. */
export async function readLimitedText(request: Request): Promise<string> {
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) throw tooLarge();
  const text = await readLimited(request.body, maxBytes);
  if (text === undefined) throw tooLarge();
  return text;
}

function tooLarge(): ServiceError {
  return new ServiceError("payload_too_large", "The body is larger than 64 KiB.");
}
