/** `bytes`: length of the line as sent, without its end; `droppedBytes`: how many of them were cut off. */
export type LogLine = { text: string; bytes: number; droppedBytes: number };

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/**
 * Splits the bytes of a log into lines. Pull-based: a slow reader slows the server down. A line is decoded as a whole,
 * so that a character on the border of two chunks stays one. Bytes beyond `maxLineBytes` are dropped as they arrive; a
 * last line without an end is a line too.
 */
export async function* splitLogLines(
  chunks: AsyncIterable<Uint8Array>,
  { maxLineBytes }: { maxLineBytes: number },
): AsyncGenerator<LogLine, void, void> {
  let parts: Uint8Array[] = [];
  let kept = 0;
  let bytes = 0;
  const take = (part: Uint8Array): void => {
    bytes += part.length;
    const room = maxLineBytes - kept;
    if (room <= 0 || part.length === 0) return;
    // A copy: the chunk's memory may be used again.
    const own = part.slice(0, room);
    parts.push(own);
    kept += own.length;
  };
  const finish = (): LogLine => {
    const line = { text: decode(parts, kept, kept < bytes), bytes, droppedBytes: bytes - kept };
    parts = [];
    kept = 0;
    bytes = 0;
    return line;
  };
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, from)) {
      take(chunk.subarray(from, end));
      from = end + 1;
      yield finish();
    }
    take(chunk.subarray(from));
  }
  if (bytes > 0) yield finish();
}

function decode(parts: readonly Uint8Array[], length: number, isCut: boolean): string {
  const all = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  const end = isCut ? characterBorder(all) : all.at(-1) === carriageReturn ? length - 1 : length;
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(all.subarray(0, end));
}

/** Returns the length without an incomplete character at the end. */
function characterBorder(bytes: Uint8Array): number {
  let lead = bytes.length - 1;
  while (lead >= 0 && lead > bytes.length - 4 && ((bytes[lead] ?? 0) & 0xc0) === 0x80) lead -= 1;
  const first = bytes[lead] ?? 0;
  const wanted = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
  return bytes.length - lead < wanted ? lead : bytes.length;
}
