import { expect, it } from "vitest";
import { readLimited } from "./read-limited.ts";

function bodyOf(chunks: string[], onEnd: () => void): AsyncIterable<Uint8Array> {
  return (async function* () {
    try {
      for (const chunk of chunks) yield new TextEncoder().encode(chunk);
    } finally {
      onEnd();
    }
  })();
}

it.each([
  { chunks: ["ab", "cd"], maxBytes: 4, text: "abcd" },
  { chunks: ["ab", "cde"], maxBytes: 4, text: undefined },
  { chunks: ["é"], maxBytes: 1, text: undefined },
  { chunks: [], maxBytes: 0, text: "" },
])("reads $chunks up to $maxBytes bytes as $text", async ({ chunks, maxBytes, text }) => {
  let ended = 0;
  expect(
    await readLimited(
      bodyOf([...chunks, ...(text === undefined ? ["more"] : [])], () => (ended += 1)),
      maxBytes,
    ),
  ).toBe(text);
  expect(ended).toBe(1);
});

it("takes no body for an empty one", async () => {
  expect(await readLimited(null, 1)).toBe("");
});
