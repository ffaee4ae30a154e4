/** One dispatched server-sent event. `id` is the last id seen on the stream. */
export type SseEvent = { id: string; event: string; data: string };

export type SseParser = {
  /** Takes the next piece of the stream and returns the events that it completed. */
  push(chunk: string): SseEvent[];
  /** The id after the last event, also of one without data. Empty before the first. */
  lastId(): string;
};

/** A change names a few objects. */
const longestEvent = 1024 * 1024;

/**
 * Creates an incremental parser of text/event-stream. Comments are dropped, ids persist as the standard requires. Throws
 * if an event does not end.
 */
export function createSseParser(): SseParser {
  let rest = "";
  let id = "";
  /** The id after the last whole event: one that is cut must come again. */
  let lastId = "";
  let event = "";
  let data: string[] = [];

  function takeLine(line: string): SseEvent | undefined {
    if (line === "") {
      lastId = id;
      const complete =
        data.length > 0 ? { id, event: event === "" ? "message" : event, data: data.join("\n") } : undefined;
      event = "";
      data = [];
      return complete;
    }
    if (line.startsWith(":")) return undefined;
    const colon = line.indexOf(":");
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? "" : line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1);
    if (field === "data") data.push(value);
    else if (field === "event") event = value;
    else if (field === "id" && !value.includes("\u0000")) id = value;
    return undefined;
  }

  return {
    push(chunk) {
      rest += chunk;
      // A CR at the very end may be the first half of a CRLF: wait for the next chunk.
      const lines = rest.split(/\r\n|\n|\r(?!$)/);
      rest = lines.pop() ?? "";
      const events = lines.flatMap((line) => takeLine(line) ?? []);
      if (rest.length + data.join("").length > longestEvent) throw new Error("an event of the stream does not end");
      return events;
    },
    lastId: () => lastId,
  };
}
