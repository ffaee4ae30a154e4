import { answerLiveness } from "#lib/server/edge/http/probes.ts";

export const GET = answerLiveness;

export const dynamic = "force-dynamic";
