import { ServiceError } from "#lib/server/services/service-error.ts";

const maxBytes = 64 * 1024;

/** The JSON body of a request, at most 64 KiB. Anything but `application/json` is refused before it is read. */
export async function readJsonBody(request: Request): Promise<unknown> {
  const type = request.headers.get("content-type") ?? "";
  if (type.split(";")[0]?.trim().toLowerCase() !== "application/json")
    throw new ServiceError("unsupported_media_type", "Send the body as application/json.");
  const text = await readLimitedText(request);
  try {
    return JSON.parse(text);
  } catch {
    throw new ServiceError("invalid_request", "The body is not JSON.", {
      invalidParams: [{ name: "body", reason: "not JSON" }],
    });
  }
}

/** The body as text; throws `payload_too_large` without reading on once the limit is passed. */
export async function readLimitedText(request: Request): Promise<string> {
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function tooLarge(): ServiceError {
  return new ServiceError("payload_too_large", "The body is larger than 64 KiB.");
}
