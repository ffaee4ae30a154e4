import { basePathOf } from "#lib/util/base-path.ts";

/** Sets next-auth's own address, which it reads only from the environment; if unset, it would trust the Host header. */
export function setAuthUrl(publicUrl: string, env: Record<string, string | undefined> = process.env): void {
  env.NEXTAUTH_URL = `${new URL(publicUrl).origin}${basePathOf(publicUrl)}/api/auth`;
}
