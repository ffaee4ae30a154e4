export type StreamEvent = { id?: string; event?: string; data?: string };

/** Parses a `text/event-stream` as it arrives; a comment is an event without a name. */
export async function* parseEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent, undefined> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true });
    for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
      const lines = text.slice(0, end).split("\n");
      text = text.slice(end + 2);
      yield Object.fromEntries(lines.map((line) => line.split(/: (.*)/s).slice(0, 2))) as StreamEvent;
    }
  }
  return undefined;
}
