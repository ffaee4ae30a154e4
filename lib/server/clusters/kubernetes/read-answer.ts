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

/** One object, and the watch event around it. */
const longestLine = maxObjectBytes + 1024;

/**
 * Splits a stream of UTF-8 bytes into lines. Pull-based: the next chunk is read when the consumer asks for more, so a
 * slow consumer slows the server down. Drops a last line without an end, because a broken watch cuts objects in half.
 */
export async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, void> {
  const decoder = new TextDecoder("utf-8");
  const parts: string[] = [];
  let pending = 0;
  for await (const chunk of chunks) {
    const text = decoder.decode(chunk, { stream: true });
    let from = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", from)) {
      parts.push(text.slice(from, end));
      const line = parts.join("");
      parts.length = 0;
      pending = 0;
      from = end + 1;
      if (line.length > longestLine) throw tooLong();
      if (line.trim() !== "") yield line;
    }
    if (from < text.length) {
      parts.push(text.slice(from));
      pending += text.length - from;
      if (pending > longestLine) throw tooLong();
    }
  }
}

function tooLong(): Error {
  return new Error(
    `a line of the watch is longer than ${longestLine} characters, the most that Gatehouse reads of one`,
  );
}
