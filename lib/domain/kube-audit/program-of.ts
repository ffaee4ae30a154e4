/** Returns the name of the program at the start of a user agent: `kubectl` of `kubectl/v1.36.1 (linux/amd64)`. */
export function programOf(userAgent: string): string {
  return userAgent.split(/[/ ]/, 1)[0] ?? "";
}
