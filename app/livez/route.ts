/** The process answers; nothing else is looked at. */
export function GET(): Response {
  return new Response("ok\n", { headers: { "content-type": "text/plain", "cache-control": "no-store" } });
}

export const dynamic = "force-dynamic";
