import { answerHook } from "#lib/server/http/answer-hook.ts";

const answer = answerHook();

export const GET = answer;
export const POST = answer;
export const PUT = answer;
export const PATCH = answer;
export const DELETE = answer;
export const OPTIONS = answer;
