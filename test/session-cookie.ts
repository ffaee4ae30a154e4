import { encode } from "next-auth/jwt";

/** Returns the Cookie header of a browser with this session, as a sign-in over http sets it. */
export async function encodeSessionCookie({
  sessionId,
  secret,
}: {
  sessionId: string;
  secret: string;
}): Promise<string> {
  return `gatehouse.session=${await encode({ token: { sid: sessionId }, secret })}`;
}
