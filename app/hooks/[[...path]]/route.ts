import { unknownPath } from "#lib/server/edge/http/unknown-path.ts";

// Hooks are answered in front of Next (lib/server/edge/http/guard-raw-requests.ts). What arrives here came by another
// spelling of the path, and is nothing.
export const GET = unknownPath;
export const POST = unknownPath;
export const PUT = unknownPath;
export const PATCH = unknownPath;
export const DELETE = unknownPath;
export const OPTIONS = unknownPath;
