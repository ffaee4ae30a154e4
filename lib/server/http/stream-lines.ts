/** Sends lines as they are made; the reader's pace is kept. A failure half-way breaks the connection off. */
export function streamLines({
  lines,
  fileName,
  contentType,
}: {
  lines: AsyncGenerator<string>;
  fileName: string;
  contentType: string;
}): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const next = await lines.next();
      if (next.done === true) controller.close();
      else controller.enqueue(encoder.encode(next.value));
    },
    cancel: async () => {
      await lines.return(undefined);
    },
  });
  return new Response(body, {
    headers: {
      "content-type": contentType,
      "content-disposition": `attachment; filename="${fileName}"`,
      "cache-control": "no-store",
    },
  });
}
