import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";
import { lintTemplate } from "#lib/server/pages/template/lint-template.ts";

export const POST = endpoint({ endpoint: endpoints.lintAnalysis, handler: lintTemplate });
