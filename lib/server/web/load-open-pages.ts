/**
 * What anybody may ask for. Next loads the code of a page at its first request: up to half a second of the event loop for
 * each, in which hooks would wait.
 */
const openPages = ["/signin", "/inbox", "/docs", "/docs/none", "/docs/api", "/docs/api/me", "/api/v1/openapi.json"];

/** Asks for each of these pages once, so that its code is loaded before the first visitor comes. */
export async function loadOpenPages(basePath: string): Promise<void> {
  // Next sets it once it listens, and answers when the process has started.
  const port = process.env.PORT;
  for (const path of openPages) {
    await fetch(`http://127.0.0.1:${port}${basePath}${path}`, { redirect: "manual" }).then(
      (response) => response.arrayBuffer(),
      () => undefined,
    );
  }
}
