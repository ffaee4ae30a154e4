import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";
import { streamLines } from "#lib/server/edge/http/stream-lines.ts";
import { exportTemplates } from "#lib/server/pages/template/list-templates.ts";

export const GET = endpoint({
  endpoint: endpoints.exportTemplates,
  handler: async (args) => streamLines(await exportTemplates(args)),
});
