import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import type { Dispatcher } from "undici";
import { AnswerTooLargeError } from "./cluster-errors.ts";

/** More than an object of etcd takes as JSON: an API server accepts requests of up to 3 MiB. */
export const maxObjectBytes = 4 * 1024 * 1024;

/**
 * Reads a whole answer. Counts its bytes as they come and again as they unpack, and ends the connection at the limit:
 * 300 kB of gzip can unpack to 300 MiB. Throws `AnswerTooLargeError`.
 */
export async function readAnswer(
  { body, headers }: Pick<Dispatcher.ResponseData, "body" | "headers">,
  { cluster, maxBytes }: { cluster: string; maxBytes: number },
): Promise<string> {
  const chunks: Uint8Array[] = [];
  async function* limit(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, void> {
    let bytes = 0;
    for await (const chunk of source) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) throw new AnswerTooLargeError({ cluster, maxBytes });
      yield chunk;
    }
  }
  async function collect(source: AsyncIterable<Uint8Array>): Promise<void> {
    for await (const chunk of source) chunks.push(chunk);
  }
  const isZipped = String(headers["content-encoding"] ?? "").toLowerCase() === "gzip";
  if (isZipped) await pipeline(body, limit, createGunzip({ chunkSize: 64 * 1024 }), limit, collect);
  else await pipeline(body, limit, collect);
  return Buffer.concat(chunks).toString("utf8");
}
