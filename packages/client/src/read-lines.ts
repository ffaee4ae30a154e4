/** Reads an answer of JSON lines, such as `streamRolloutLogLines`, value by value. Name the type of a line. */
export async function* readLines<Line>(response: Pick<Response, "body">): AsyncGenerator<Line, void, undefined> {
  let rest = "";
  for await (const text of readText(response)) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line.trim() !== "") yield JSON.parse(line) as Line;
  }
  if (rest.trim() !== "") yield JSON.parse(rest) as Line;
}

/** Reads a body as text, however it is cut. Ending the iteration cancels the body. */
export async function* readText({ body }: Pick<Response, "body">): AsyncGenerator<string, void, undefined> {
  if (body === null) return;
  const decoder = new TextDecoder();
  // Not every browser iterates a stream.
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      yield decoder.decode(value, { stream: true });
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}
