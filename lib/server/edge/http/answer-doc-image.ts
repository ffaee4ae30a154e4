import { readDocImage } from "#lib/server/platform/docs/read-docs.ts";

/** Answers with a picture of the documentation. Needs no sign-in, like its pages (docs/adr/0019). */
export async function answerDocImage(
  _request: Request,
  { params }: { params: Promise<{ name: string }> },
): Promise<Response> {
  const image = await readDocImage((await params).name);
  if (image === undefined)
    return new Response("The documentation has no such picture.\n", {
      status: 404,
      headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" },
    });
  return new Response(new Uint8Array(image.bytes), {
    // A newer version may have another picture of the same name.
    headers: { "content-type": image.type, "cache-control": "public, max-age=300" },
  });
}
