/**
 * The path below which Gatehouse is served, such as `/gatehouse`; empty without one. The build writes a placeholder for
 * it into the code (docs/adr/0017): comparing the path or using its length gives a wrong result.
 */
export const basePath = process.env.GATEHOUSE_BASE_PATH ?? "";

/**
 * Returns the address of one of our paths, such as `/inbox` or `/api/v1/me`, for links that the browser opens without
 * Next. Next's links and router add the base path themselves.
 */
export function withBasePath(path: string): string {
  return `${basePath}${path}`;
}

/** Returns the path of a page without the base path, as `usePathname` does. */
export function withoutBasePath(pathname: string): string {
  return pathname.startsWith(`${basePath}/`) ? pathname.replace(basePath, "") : pathname;
}

/** Returns the address of this Gatehouse as this browser reaches it, such as `https://host.example.com/gatehouse`. */
export function ownUrl(): string {
  return `${window.location.origin}${basePath}`;
}
