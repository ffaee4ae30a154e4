import { globSync } from "node:fs";
import { join } from "node:path";
import { endpoints } from "#lib/contract/endpoint-table.ts";

const root = join(import.meta.dirname, "..");

/** Values for the catch-all segments of routes: words, and the paths of next-auth below its own route. */
const catchAlls: Readonly<Record<string, readonly string[]>> = {
  "[[...path]]": ["", "x", "x/y"],
  "[...nextauth]": [
    ...["signin", "signin/oidc", "signin/demo", "signout", "callback/oidc", "callback/demo", "session", "csrf"],
    ...["providers", "error", "verify-request", "_log", "x"],
  ],
};

/** Lists every path that the server has, by the endpoint table and the files below `app`, `public` and the build. */
export function listServerPaths(): string[] {
  const routes = globSync("**/{page.tsx,route.ts}", { cwd: join(root, "app") }).flatMap(pathsOfRoute);
  const built = globSync("**/*.*", { cwd: join(root, ".next/static") }).filter((_, index) => index % 10 === 0);
  return [
    ...new Set([
      ...routes,
      ...Object.values(endpoints).map(({ path }) => path.replaceAll(/\{[^}]+\}/g, "x")),
      ...globSync("*", { cwd: join(root, "public") }).map((file) => `/${file}`),
      ...built.map((file) => `/_next/static/${file}`),
      ...["/_next", "/_next/image?url=%2Ffavicon.svg&w=64&q=75", "/_next/data/x/index.json", "/_next/static/x.js"],
      ...["/nowhere", "/favicon.ico", "/robots.txt", "/index.html", "/404", "/_not-found", "/_error", "/500"],
      ...["/gate/approve", "/gate/check", "/rollback/check", "/hooks/flagger", "/hooks/flagger/demo", "/.well-known/x"],
    ]),
  ];
}

function pathsOfRoute(file: string): string[] {
  const segments = file.split("/").slice(0, -1);
  const named = segments.filter((segment) => !segment.startsWith("("));
  const last = named.at(-1) ?? "";
  const ends = catchAlls[last];
  const before = (ends === undefined ? named : named.slice(0, -1)).map((segment) =>
    segment.startsWith("[") ? "x" : segment,
  );
  return (ends ?? [""]).map((end) => `/${[...before, ...(end === "" ? [] : [end])].join("/")}`);
}
