/** Larger than any answer of the API. Another server may answer at the address. */
const longestAnswer = 64 * 1024 * 1024;

type Body = Pick<Response, "body">;

/** Reads a whole body as text. Stops behind the longest answer, and ends the connection. */
export async function readWhole(response: Body): Promise<string> {
  let all = "";
  for await (const text of readText(response)) {
    all += text;
    if (all.length > longestAnswer) break;
  }
  return all;
}

/**
 * Reads a body as text, however it is cut. Throws if nothing arrives for `silenceMs`. Ending the iteration cancels the
 * body.
 */
export async function* readText({ body }: Body, silenceMs?: number): AsyncGenerator<string, void, undefined> {
  if (body === null) return;
  const decoder = new TextDecoder();
  // Not every browser iterates a stream.
  const reader = body.getReader();
  const cancel = () => reader.cancel().catch(() => {});
  let isSilent = false;
  const giveUp = () => {
    isSilent = true;
    void cancel();
  };
  try {
    for (;;) {
      const timer = silenceMs === undefined ? undefined : setTimeout(giveUp, silenceMs);
      const { done, value } = await reader.read().finally(() => clearTimeout(timer));
      if (isSilent) throw new Error("the connection fell silent");
      if (done) break;
      yield decoder.decode(value, { stream: true });
    }
  } finally {
    await cancel();
  }
}
