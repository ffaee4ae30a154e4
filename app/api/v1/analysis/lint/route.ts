import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/http/endpoint.ts";
import { lintTemplate } from "#lib/server/services/template-lab/lint-template.ts";

export const POST = endpoint({ endpoint: endpoints.lintAnalysis, handler: lintTemplate });
