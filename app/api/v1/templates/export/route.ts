import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/http/endpoint.ts";
import { streamLines } from "#lib/server/http/stream-lines.ts";
import { exportTemplates } from "#lib/server/services/templates/export-templates.ts";

export const GET = endpoint({
  endpoint: endpoints.exportTemplates,
  handler: async (args) => streamLines(await exportTemplates(args)),
});
