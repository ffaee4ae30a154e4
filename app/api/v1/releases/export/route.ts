import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";
import { streamLines } from "#lib/server/edge/http/stream-lines.ts";
import { exportReleases } from "#lib/server/pages/release/list-releases.ts";

export const GET = endpoint({
  endpoint: endpoints.exportReleases,
  handler: async (args) => streamLines(await exportReleases(args)),
});
