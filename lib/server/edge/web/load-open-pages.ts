/**
 * Pages without sign-in. Next loads the code of a page at its first request: up to half a second of the event loop for
 * each, in which hooks would wait.
 */
const openPages = ["/signin", "/inbox", "/docs", "/docs/none", "/docs/api", "/docs/api/me", "/api/v1/openapi.json"];

/**
 * Asks this process for each of these pages once, so that its code is loaded before the first visitor comes. Next answers
 * as soon as the process has started.
 */
export async function loadOpenPages({ port, basePath }: { port: string; basePath: string }): Promise<void> {
  for (const path of openPages) {
    await fetch(`http://127.0.0.1:${port}${basePath}${path}`, { redirect: "manual" }).then(
      (response) => response.arrayBuffer(),
      () => undefined,
    );
  }
}
