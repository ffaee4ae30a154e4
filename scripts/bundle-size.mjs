// Checks the JavaScript that a browser loads before a page works: at most 300 KB per page, compressed.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { projectRoot } from "./install.mjs";

const limitBytes = 300 * 1024;

/**
 * Returns `[{ route, bytes }]` for every page of the build, largest first; throws if the build output lacks the sizes.
 */
export function measurePages(root = projectRoot) {
  const statsFile = join(root, ".next/diagnostics/route-bundle-stats.json");
  const routesFile = join(root, ".next/app-path-routes-manifest.json");
  if (!existsSync(statsFile) || !existsSync(routesFile))
    throw new Error("no build with bundle statistics: run npm run build");
  const sizes = new Map();
  const sizeOf = (file) => {
    if (!sizes.has(file)) sizes.set(file, gzipSync(readFileSync(join(root, file))).length);
    return sizes.get(file);
  };
  const stats = JSON.parse(readFileSync(statsFile, "utf8"));
  const measured = stats.map(({ route, firstLoadChunkPaths }) => ({
    route,
    bytes: [...new Set(firstLoadChunkPaths)].reduce((sum, file) => sum + sizeOf(file), 0),
  }));
  const pages = Object.entries(JSON.parse(readFileSync(routesFile, "utf8"))).filter(([path]) => path.endsWith("/page"));
  const unmeasured = pages.map(([, route]) => route).filter((route) => !measured.some((page) => page.route === route));
  const missing = unmeasured.filter((route) => !route.startsWith("/_"));
  if (missing.length > 0) throw new Error(`the build's statistics lack ${missing.join(", ")}`);
  return measured.toSorted((left, right) => right.bytes - left.bytes);
}

/** Returns the lines to print for pages above the limit. */
export function describeHeavyPages(pages) {
  return pages
    .filter(({ bytes }) => bytes > limitBytes)
    .map(
      ({ route, bytes }) =>
        `${route}: ${(bytes / 1024).toFixed(1)} KB of JavaScript on first load, at most ${limitBytes / 1024} KB`,
    );
}
