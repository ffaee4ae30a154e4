import { endpoints } from "#lib/contract/endpoint-table.ts";

const patterns = toPatterns();

/**
 * Returns the methods that a path accepts. Undefined: the path decides for itself, or does not exist (a 404 problem).
 */
export function allowedMethods(pathname: string): readonly string[] | undefined {
  if (pathname === "/api/v1/openapi.json") return ["GET", "HEAD"];
  if (pathname.startsWith("/api/v1/")) return patterns.find(({ pattern }) => pattern.test(pathname))?.methods;
  if (pathname === "/mcp") return ["POST"];
  if (isBelow(pathname, "/api") || isBelow(pathname, "/hooks")) return undefined;
  return ["GET", "HEAD"];
}

const notPages = [
  ...["/api", "/hooks", "/_next", "/docs/images", "/livez", "/readyz", "/status", "/metrics", "/mcp"],
  "/extensions/gatehouse.js",
];

/** Returns whether a path is a page: only pages get a Content-Security-Policy with a nonce. */
export function isPage(pathname: string): boolean {
  return !notPages.some((root) => isBelow(pathname, root));
}

/** Returns whether a page can be shown while the database is down: then people need the documentation most. */
export function needsNoDatabase(pathname: string): boolean {
  return isBelow(pathname, "/docs");
}

/** Builds the policy. Scripts and styles need a nonce; style attributes cannot carry one, and Mantine sets them. */
export function contentSecurityPolicy({
  nonce,
  formTargets,
}: {
  nonce: string;
  formTargets: readonly string[];
}): string {
  return [
    "default-src 'self'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    `form-action ${["'self'", ...formTargets].join(" ")}`,
    "frame-ancestors 'none'",
  ].join("; ");
}

/**
 * Returns headers for every response. HSTS only over https: plain http ignores it, and a loopback must stay reachable.
 */
export function securityHeaders({ isHttps }: { isHttps: boolean }): Record<string, string> {
  return {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    ...(isHttps ? { "strict-transport-security": "max-age=31536000" } : {}),
  };
}

function isBelow(pathname: string, root: string): boolean {
  return pathname === root || pathname.startsWith(`${root}/`);
}

/** Sorts longer paths without parameters first, as Next matches them: `/audit/export` does not match `/audit/{seq}`. */
function toPatterns(): { pattern: RegExp; methods: string[] }[] {
  const methodsByPath = new Map<string, string[]>();
  for (const { path, method } of Object.values(endpoints)) {
    const methods = methodsByPath.get(path) ?? [];
    methodsByPath.set(path, [...methods, method, ...(method === "GET" ? ["HEAD"] : [])]);
  }
  return [...methodsByPath]
    .toSorted(([one], [other]) => countParameters(one) - countParameters(other))
    .map(([path, methods]) => ({
      pattern: new RegExp(`^${path.replaceAll(".", "\\.").replaceAll(/\{[^{}]+\}/g, "[^/]+")}$`),
      methods,
    }));
}

function countParameters(path: string): number {
  return path.split("{").length;
}
