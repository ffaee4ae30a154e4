import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";
import { getReleaseCourse } from "#lib/server/pages/release/get-release-course.ts";

export const GET = endpoint({ endpoint: endpoints.getReleaseCourse, handler: getReleaseCourse });
