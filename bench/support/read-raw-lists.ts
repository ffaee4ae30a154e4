import { group } from "./sample-objects.ts";

/** Measures the seconds to read lists page by page and parse them, without processing the objects. */
export async function readRawLists(
  { url, token }: { url: string; token: string },
  resources: readonly string[],
): Promise<number> {
  const startedAt = performance.now();
  for (const resource of resources) {
    let next = "";
    do {
      const address = `${url}/apis/${group}/${resource}?limit=500&continue=${encodeURIComponent(next)}`;
      const answer = await fetch(address, { headers: { authorization: `Bearer ${token}` } });
      if (answer.status !== 200) throw new Error(`the list of ${resource} was answered ${answer.status}`);
      const page = (await answer.json()) as { metadata: { continue?: string } };
      next = page.metadata.continue ?? "";
    } while (next !== "");
  }
  return (performance.now() - startedAt) / 1000;
}
