import { answerLiveness } from "#lib/server/http/probes.ts";

export const GET = answerLiveness;

export const dynamic = "force-dynamic";
