/** next-auth takes its own address from the environment only; left unset, it would believe the Host header. */
export function setAuthUrl(publicUrl: string, env: Record<string, string | undefined> = process.env): void {
  env.NEXTAUTH_URL = `${new URL(publicUrl).origin}/api/auth`;
}
