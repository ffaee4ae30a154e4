import { existsSync } from "node:fs";

/** The package to install if there is no browser. */
export const browserPackage = "chromium-headless-shell";

const programs = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"];

/** Chromium as Debian packages it; the one without a window takes a third less time. Undefined if there is none. */
export function findBrowser() {
  return programs.find((program) => existsSync(program));
}
