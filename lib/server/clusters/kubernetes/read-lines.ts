import { maxObjectBytes } from "./read-answer.ts";

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
