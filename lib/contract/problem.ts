import { z } from "zod";

/** The closed set of problem codes, each with its HTTP status. Codes are mapped to statuses only here. */
export const problemStatus = {
  invalid_request: 400,
  reason_required: 400,
  unauthenticated: 401,
  forbidden: 403,
  reauthentication_required: 403,
  cluster_refused: 403,
  not_found: 404,
  method_not_allowed: 405,
  stale_view: 409,
  not_allowed_now: 409,
  source_stale: 409,
  frozen: 409,
  barrier: 409,
  second_person_required: 409,
  ticket_refused: 409,
  conflict: 409,
  read_only: 409,
  config_error: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  internal: 500,
  audit_unavailable: 503,
  unavailable: 503,
} as const;

export type ProblemCode = keyof typeof problemStatus;

export function isProblemCode(word: string): word is ProblemCode {
  return Object.hasOwn(problemStatus, word);
}

export const InvalidParam = z.object({
  name: z.string(),
  reason: z.string(),
  position: z
    .object({ line: z.number().int(), column: z.number().int() })
    .optional()
    .describe("Where in a text the problem is; both count from 1."),
});
export type InvalidParam = z.infer<typeof InvalidParam>;

/** One field of the view that decisions depend on: as the person saw it, and its current value. */
export const ViewChange = z.object({
  field: z.string(),
  seen: z.unknown().nullable(),
  now: z.unknown().nullable(),
  text: z.string().optional().describe("The change in a sentence."),
});
export type ViewChange = z.infer<typeof ViewChange>;

/** RFC 9457 problem document with our extension members: `code`, `requestId`, and those that some codes add. */
export const Problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  code: z.enum(Object.keys(problemStatus) as [ProblemCode, ...ProblemCode[]]),
  detail: z.string(),
  requestId: z.string(),
  invalidParams: z.array(InvalidParam).optional(),
  actionId: z.string().optional(),
  changes: z.array(ViewChange).nullable().optional().describe("stale_view: the differences between seen and now."),
  current: z.unknown().optional().describe("stale_view: the rollout as it is now."),
});
export type Problem = z.infer<typeof Problem>;
